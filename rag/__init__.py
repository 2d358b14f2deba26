"""Answers over paper abstracts, every statement cited. See rag/README.md for the rooms."""
