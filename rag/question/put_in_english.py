"""A Chinese question beside the English a model gave: what is searched for and listed by is English."""

from dataclasses import replace

from rag.index.lexical import terms
from rag.question.parsing import Question, parse


def put_in_english(question: Question, english: str) -> Question:
    """`question`, as parsed with the glossary, with the words of `english` for its search and its topic.

    The original decides what kind of question it is and what its conditions are; conditions that only the
    English shows are kept, since its topic is without them. The glossary's words that the English lacks stay
    in the search, so that a term translated in another way is still found by.
    """
    told = parse(english)
    query = told.query_str
    said = set(terms(query))
    beside = [word for word in question.query_str.split() if said.isdisjoint(terms(word)) and terms(word)]
    topic = told.topic if question.topic and told.kind == "enumerate" else ""
    return replace(
        question,
        query_str=" ".join((query, *beside)),
        searched=query,
        topic=topic or question.topic,
        filters=question.filters or told.filters,
        unmatched=() if topic or not question.topic else question.unmatched,
    )
