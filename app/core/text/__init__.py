"""Rules about text: safe to show, safe to keep, and what the words of a reply say."""
