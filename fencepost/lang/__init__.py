"""The model language: what a protocol and its properties are written in.

What of it a protocol may use is named in `fencepost` itself.
"""
