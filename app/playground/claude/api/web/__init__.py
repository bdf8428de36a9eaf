"""The server tools of the Messages API that search the web and open pages: how they are offered, used and sent back."""
