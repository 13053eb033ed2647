"""The indefinite article before a noun of a message."""

from __future__ import annotations


def with_article(noun: str) -> str:
    """A noun with its article, by its first letter.

    >>> with_article("int"), with_article("list")
    ('an int', 'a list')
    """
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"
