"""Citations that hold: marks and numbers, the gate of a model's text, checked claims."""
