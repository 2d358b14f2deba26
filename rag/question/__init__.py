"""What a question asks for: its kind, topic, filters, language, and what it leans on."""
