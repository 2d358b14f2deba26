"""The paper table: one SQLite file that is the source of truth for papers and their passages."""

import hashlib
import json
import sqlite3
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from rag.index.chunking import searchable
from rag.index.sqlite_edge import sqlite_errors
from rag.records import Paper, Passage

_APPLICATION_ID = 0x41425354
"""Marks the file as ours (https://www.sqlite.org/pragma.html#pragma_application_id)."""

# AUTOINCREMENT: the number of a passage that was replaced is never given to another one.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS papers (
    position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, abstract TEXT NOT NULL,
    authors TEXT NOT NULL, venue TEXT, year INTEGER, track TEXT, url TEXT, keywords TEXT NOT NULL,
    titled INTEGER NOT NULL, digest TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS passages (
    number INTEGER PRIMARY KEY AUTOINCREMENT, vector_id TEXT NOT NULL UNIQUE, paper_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    embedded INTEGER NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS passages_of_paper ON passages (paper_id, ordinal);
CREATE INDEX IF NOT EXISTS passages_waiting ON passages (number) WHERE embedded = 0;
CREATE TABLE IF NOT EXISTS lists (
    name TEXT NOT NULL, paper_id TEXT NOT NULL, PRIMARY KEY (name, paper_id)) WITHOUT ROWID;
CREATE VIEW IF NOT EXISTS records AS
    SELECT id, title, abstract, authors, venue, year, track, url, keywords, titled, position FROM papers;
CREATE VIEW IF NOT EXISTS placed AS
    SELECT s.number, s.vector_id, s.paper_id, s.ordinal, s.first, s.last, p.abstract
    FROM passages s JOIN papers p ON p.id = s.paper_id;
"""
_PAGE = 1000


@dataclass(frozen=True, slots=True)
class PassageText:
    """What is embedded for a passage, with the passage's number and the id of its vector."""

    number: int
    vector_id: str
    text: str


@dataclass(frozen=True, slots=True)
class PaperWords:
    """What BM25 ranks for a paper: its title twice and its abstract; `number` is its first passage's."""

    number: int
    text: str


class PaperTable:
    """Papers in the order of their lists, passages with offsets, lists and meta values.

    A passage has a number of its own and a vector id that changes with its text; `embedded` says whether the
    published vector store holds that vector. One connection behind a lock serves every thread. Methods raise
    StorageError when the disk is full or the file cannot be written, IndexBroken when it is no paper table.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.RLock()
        with sqlite_errors(file):
            self._db = sqlite3.connect(file, timeout=10, check_same_thread=False, isolation_level=None)
            self._create()

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def _create(self) -> None:
        """Make the tables where there are none; a table that is ours is left as it is."""
        tables = self._rows("SELECT name FROM sqlite_master")
        if self._rows("PRAGMA application_id") == [(_APPLICATION_ID,)]:
            return
        if tables:
            raise sqlite3.DatabaseError("it was made by another program")
        self._db.execute("PRAGMA journal_mode = WAL")
        mark = f"PRAGMA application_id = {_APPLICATION_ID}"
        self._db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} {mark}; COMMIT")

    # Reading

    def meta(self) -> dict[str, str]:
        return dict(self._rows("SELECT key, value FROM meta"))

    def state(self) -> tuple[int, int]:
        """Another one after every change of the table, by whatever process. Cheap."""
        return int(self._rows("PRAGMA data_version")[0][0]), self._db.total_changes

    def papers(self) -> tuple[Paper, ...]:
        """All papers in list order."""
        return tuple(_paper(row) for row in self._rows("SELECT * FROM records ORDER BY position"))

    def paper(self, paper_id: str) -> Paper | None:
        rows = self._rows("SELECT * FROM records WHERE id = ?", (paper_id,))
        return _paper(rows[0]) if rows else None

    def digests(self) -> dict[str, str]:
        """The digest of every paper's record, by paper id."""
        return dict(self._rows("SELECT id, digest FROM papers"))

    def list_names(self) -> tuple[str, ...]:
        return tuple(name for (name,) in self._rows("SELECT DISTINCT name FROM lists ORDER BY name"))

    def count_papers(self) -> int:
        return int(self._rows("SELECT count(*) FROM papers")[0][0])

    def count_passages(self) -> int:
        return int(self._rows("SELECT count(*) FROM passages")[0][0])

    def count_waiting(self) -> int:
        return int(self._rows("SELECT count(*) FROM passages WHERE embedded = 0")[0][0])

    def passages_of(self, paper_id: str) -> tuple[Passage, ...]:
        rows = self._rows("SELECT * FROM placed WHERE paper_id = ? ORDER BY ordinal", (paper_id,))
        return tuple(_passage(row) for row in rows)

    def by_vector_id(self, vector_ids: Collection[str]) -> dict[str, Passage]:
        """Passages by the id of their vector; ids of no passage are left out."""
        sql = "SELECT s.* FROM json_each(?) j JOIN placed s ON s.vector_id = j.value"
        return {row[1]: _passage(row) for row in self._rows(sql, (_json(vector_ids),))}

    def by_number(self, numbers: Collection[int]) -> dict[int, Passage]:
        """Passages by number; numbers of no passage are left out."""
        sql = "SELECT s.* FROM json_each(?) j JOIN placed s ON s.number = j.value"
        return {row[0]: _passage(row) for row in self._rows(sql, (_json(numbers),))}

    def embedded_of(self, paper_ids: Collection[str]) -> list[str]:
        """Ids of the vectors of these papers that the published store holds."""
        sql = """SELECT s.vector_id FROM json_each(?) j JOIN passages s ON s.paper_id = j.value
            WHERE s.embedded = 1"""
        return [row[0] for row in self._rows(sql, (_json(set(paper_ids)),))]

    def vector_ids_of(self, passages: Collection[Passage]) -> dict[str, str]:
        """Ids of the vectors of these passages by passage id, but for those that are not embedded yet."""
        sql = """SELECT s.paper_id, s.ordinal, s.vector_id FROM json_each(?) j
                 JOIN passages s ON s.paper_id = j.value WHERE s.embedded"""
        rows = self._rows(sql, (_json({passage.paper_id for passage in passages}),))
        ids = {(paper_id, ordinal): vector_id for paper_id, ordinal, vector_id in rows}
        keys = {passage.id: (passage.paper_id, passage.ordinal) for passage in passages}
        return {passage_id: ids[key] for passage_id, key in keys.items() if key in ids}

    def numbers_of(self, paper_ids: Collection[str]) -> list[int]:
        """Numbers of the passages of these papers."""
        sql = "SELECT s.number FROM json_each(?) j JOIN passages s ON s.paper_id = j.value"
        return [row[0] for row in self._rows(sql, (_json(set(paper_ids)),))]

    def texts(self, *, waiting: bool = False) -> Iterator[PassageText]:
        """The text of every passage, or of those whose vector is not published yet, by number."""
        sql = """SELECT s.number, s.vector_id, s.first, s.last, p.title, p.titled, p.abstract
            FROM passages s JOIN papers p ON p.id = s.paper_id
            WHERE s.number > ? AND s.embedded <= ? ORDER BY s.number LIMIT ?"""
        last_number = 0
        while rows := self._rows(sql, (last_number, 0 if waiting else 1, _PAGE)):
            for number, vector_id, first, last, title, titled, abstract in rows:
                yield PassageText(number, vector_id, searchable(title, bool(titled), abstract[first:last]))
            last_number = rows[-1][0]

    def whole_texts(self) -> Iterator[PaperWords]:
        """The words of every paper, by the number of its first passage."""
        sql = """SELECT s.number, p.title, p.titled, p.abstract
            FROM passages s JOIN papers p ON p.id = s.paper_id
            WHERE s.ordinal = 0 AND s.number > ? ORDER BY s.number LIMIT ?"""
        last_number = 0
        while rows := self._rows(sql, (last_number, _PAGE)):
            for number, title, titled, abstract in rows:
                once = searchable(title, bool(titled), abstract)
                yield PaperWords(number, searchable(title, bool(titled), once))
            last_number = rows[-1][0]

    # Writing

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything written inside is kept together or, when an error is raised, not at all."""
        with self._lock, sqlite_errors(self._file):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def set_meta(self, values: Mapping[str, str]) -> None:
        self._write("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())

    def add_meta(self, values: Mapping[str, str]) -> None:
        """Set values that are not set yet."""
        missing = values.keys() - self.meta().keys()
        self._write("INSERT OR IGNORE INTO meta VALUES (?, ?)", [(key, values[key]) for key in missing])

    def put(self, papers: Sequence[Paper], passages: Mapping[str, Sequence[Passage]]) -> None:
        """Add papers at the end, or replace those with the same id in place, with their passages by paper id.

        A passage whose text stays the same keeps its number and its vector.
        """
        self._write(
            """INSERT INTO papers
                (id, title, abstract, authors, venue, year, track, url, keywords, titled, digest)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                title = excluded.title, abstract = excluded.abstract, authors = excluded.authors,
                venue = excluded.venue, year = excluded.year, track = excluded.track, url = excluded.url,
                keywords = excluded.keywords, titled = excluded.titled, digest = excluded.digest""",
            map(_paper_row, papers),
        )
        rows = [_passage_row(paper, passage) for paper in papers for passage in passages[paper.id]]
        kept = {row[0] for row in rows}
        before = "SELECT s.vector_id FROM json_each(?) j JOIN passages s ON s.paper_id = j.value"
        gone = [row for row in self._rows(before, (_json([p.id for p in papers]),)) if row[0] not in kept]
        self._write("DELETE FROM passages WHERE vector_id = ?", gone)
        self._write(
            "INSERT INTO passages (vector_id, paper_id, ordinal, first, last) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (vector_id) DO UPDATE SET first = excluded.first, last = excluded.last",
            rows,
        )

    def join_list(self, name: str, paper_ids: Iterable[str]) -> None:
        self._write("INSERT OR IGNORE INTO lists VALUES (?, ?)", ((name, paper_id) for paper_id in paper_ids))

    def reconcile(self, stored: Collection[str]) -> set[str]:
        """Mark as embedded exactly the passages whose vector id is in `stored`. Returns ids of no passage."""
        known = {row[0] for row in self._rows("SELECT vector_id FROM passages")}
        with self.transaction():
            self._write("UPDATE passages SET embedded = 0 WHERE embedded = 1", [()])
            self._write(
                "UPDATE passages SET embedded = 1 WHERE vector_id IN (SELECT value FROM json_each(?))",
                [(_json(known.intersection(stored)),)],
            )
        return set(stored) - known

    def publish(self, meta: Mapping[str, str]) -> None:
        """Mark every passage as embedded and set meta values, at one moment."""
        with self.transaction():
            self._write("UPDATE passages SET embedded = 1 WHERE embedded = 0", [()])
            self.set_meta(meta)

    def _write(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        with self._lock, sqlite_errors(self._file):
            self._db.executemany(sql, rows)

    def _rows(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        with self._lock, sqlite_errors(self._file), closing(self._db.execute(sql, values)) as cursor:
            return cursor.fetchall()


def record_digest(paper: Paper) -> str:
    """SHA-256 over all fields of a paper's record, in hexadecimal."""
    return hashlib.sha256(json.dumps(astuple(paper)).encode()).hexdigest()


def fingerprint(digests: Iterable[str]) -> str:
    """One short name for a set of records, whatever their order."""
    return hashlib.sha256("".join(sorted(digests)).encode()).hexdigest()[:16]


def _json(values: Collection[object]) -> str:
    """An SQL parameter for json_each, which takes any number of values."""
    return json.dumps(list(values))


def _paper_row(paper: Paper) -> tuple[object, ...]:
    return (
        paper.id,
        paper.title,
        paper.abstract,
        _json(paper.authors),
        paper.venue,
        paper.year,
        paper.track,
        paper.url,
        _json(paper.keywords),
        paper.titled,
        record_digest(paper),
    )


def _passage_row(paper: Paper, passage: Passage) -> tuple[object, ...]:
    text = searchable(paper.title, paper.titled, passage.text)
    # A vector found under this id was made from this text, whatever happened to the paper in between.
    vector_id = f"{passage.id}@{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    return vector_id, paper.id, passage.ordinal, passage.start, passage.end


def _paper(row: Sequence[Any]) -> Paper:
    paper_id, title, abstract, authors, venue, year, track, url, keywords, titled, _ = row
    return Paper(
        id=paper_id,
        title=title,
        abstract=abstract,
        authors=tuple(json.loads(authors)),
        venue=venue,
        year=year,
        track=track,
        url=url,
        keywords=tuple(json.loads(keywords)),
        titled=bool(titled),
    )


def _passage(row: Sequence[Any]) -> Passage:
    _, _, paper_id, ordinal, first, last, abstract = row
    return Passage(paper_id, ordinal, first, last, abstract[first:last])
