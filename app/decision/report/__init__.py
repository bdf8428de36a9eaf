"""The report of a decision: Markdown, JSON and one HTML page of the same dossier.

Pure. Knows sheets and versions. Does not know where they are stored, nor how a file gets into a thread.
"""
