"""The edge to tool servers that speak the Model Context Protocol. The only package that imports its SDK."""
