"""Answers over paper abstracts, every statement cited. See rag/README.md for the rooms."""

import os

# onnxruntime reports its use to its maker, unless it is told not to before it is imported.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
