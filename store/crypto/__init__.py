"""Sealing: ciphers, codecs, data keys, and the secrets that erase."""
