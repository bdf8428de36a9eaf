"""The report of a decision, to keep and to hand on: Markdown, JSON and one HTML page of the same dossier.

Pure. Knows sheets and versions; neither where they are kept nor how a file gets into a thread.
"""
