"""Named SQL, kept in a service's `queries.sql`, so that it reads (and is reviewed) as SQL.

-- name: insert_table
-- Anything else in comments is for people.
INSERT INTO tables (table_id, version) VALUES ($1, $2);
"""

import re
from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType

_NAME = re.compile(r"^--\s*name:\s*(?P<name>[a-z][a-z0-9_]*)\s*$", re.MULTILINE)


class QueriesError(ValueError):
    """A file of queries that is not one: no names, a name twice, a name without SQL."""

    safe_to_log = True


def load_queries(package: str, file: str = "queries.sql") -> Mapping[str, str]:
    """The queries of a package by name. Look one up at import time, so that a missing one stops the start.

    Errors: QueriesError, FileNotFoundError.
    """
    text = resources.files(package).joinpath(file).read_text(encoding="utf-8")
    return parse_queries(text)


def parse_queries(text: str) -> Mapping[str, str]:
    """The queries in a text by name, each without its last semicolon."""
    marks = list(_NAME.finditer(text))
    if not marks:
        raise QueriesError("no query has a name")
    queries: dict[str, str] = {}
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    for mark, end in zip(marks, ends, strict=True):
        name = mark["name"]
        sql = text[mark.end() : end].strip().rstrip(";").rstrip()
        if name in queries:
            raise QueriesError(f"the query {name} stands there twice")
        if not re.sub(r"--[^\n]*", "", sql).strip():
            raise QueriesError(f"the query {name} has no SQL")
        queries[name] = sql
    return MappingProxyType(queries)
