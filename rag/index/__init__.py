"""Papers and passages, kept and ranked: SQLite, Chroma, BM25. The face is `paper_index.PaperIndex`."""
