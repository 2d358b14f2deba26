"""Answers from the abstracts' own words and the records: quotes, lists, facts, and how sure they are."""
