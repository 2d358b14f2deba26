"""Answers in the prose of a chat model: what it is told, the endpoint, what it costs."""
