"""The chat page: rendering apart from the page, the page apart from serving it. No answering is done here."""
