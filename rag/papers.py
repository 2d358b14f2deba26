"""The paper table: one SQLite file that is the source of truth for papers and their passages."""

import hashlib
import json
import sqlite3
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path

from rag.chunking import searchable
from rag.errors import IndexBroken, StorageError
from rag.records import Paper, Passage

# AUTOINCREMENT: the number of a passage that was replaced is never given to another one.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS papers (
    position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, abstract TEXT NOT NULL,
    authors TEXT NOT NULL, venue TEXT, year INTEGER, track TEXT, url TEXT, keywords TEXT NOT NULL,
    titled INTEGER NOT NULL, digest TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS passages (
    number INTEGER PRIMARY KEY AUTOINCREMENT, vector_id TEXT NOT NULL UNIQUE, paper_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, embedded INTEGER NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS passages_of_paper ON passages (paper_id, ordinal);
CREATE INDEX IF NOT EXISTS passages_pending ON passages (number) WHERE embedded = 0;
CREATE TABLE IF NOT EXISTS lists (name TEXT NOT NULL, paper_id TEXT NOT NULL, PRIMARY KEY (name, paper_id))
    WITHOUT ROWID;
"""
_PAPER = "id, title, abstract, authors, venue, year, track, url, keywords, titled"
_PASSAGE = "SELECT s.number, s.vector_id, s.paper_id, s.ordinal, s.first, s.last, p.abstract"
_OF_PAPER = "JOIN papers p ON p.id = s.paper_id"


@dataclass(frozen=True, slots=True)
class Pending:
    """A passage whose vector is not in the store yet: the vector's id and the text to embed."""

    vector_id: str
    text: str


class PaperTable:
    """Papers in the order of their lists, passages with offsets, lists and meta values.

    One connection behind a lock serves every thread. Raises StorageError when the disk is full or the
    file cannot be written, IndexBroken when it is no paper table.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.RLock()
        with self._mapped():
            self._db = sqlite3.connect(file, timeout=10, check_same_thread=False, isolation_level=None)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.executescript(_SCHEMA)

    def close(self) -> None:
        with self._lock:
            self._db.close()

    # Reading

    def meta(self) -> dict[str, str]:
        return dict(self._rows("SELECT key, value FROM meta"))

    def papers(self) -> tuple[Paper, ...]:
        """All papers in list order."""
        return tuple(_paper(row) for row in self._rows(f"SELECT {_PAPER} FROM papers ORDER BY position"))

    def paper(self, paper_id: str) -> Paper | None:
        rows = self._rows(f"SELECT {_PAPER} FROM papers WHERE id = ?", (paper_id,))
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

    def passages_of(self, paper_id: str) -> tuple[Passage, ...]:
        rows = self._rows(
            f"{_PASSAGE} FROM passages s {_OF_PAPER} WHERE s.paper_id = ? ORDER BY s.ordinal", (paper_id,)
        )
        return tuple(_passage(row) for row in rows)

    def by_vector_id(self, vector_ids: Collection[str]) -> dict[str, Passage]:
        """Passages by the id of their vector; ids of no passage are left out."""
        sql = f"{_PASSAGE} FROM json_each(?) j JOIN passages s ON s.vector_id = j.value {_OF_PAPER}"
        return {row[1]: _passage(row) for row in self._rows(sql, (json.dumps(list(vector_ids)),))}

    def by_number(self, numbers: Collection[int]) -> dict[int, Passage]:
        """Passages by number; numbers of no passage are left out."""
        sql = f"{_PASSAGE} FROM json_each(?) j JOIN passages s ON s.number = j.value {_OF_PAPER}"
        return {row[0]: _passage(row) for row in self._rows(sql, (json.dumps(list(numbers)),))}

    def embedded_ids(self, paper_ids: Collection[str]) -> list[str]:
        """Ids of the vectors of these papers that the store holds."""
        sql = (
            "SELECT s.vector_id FROM json_each(?) j JOIN passages s ON s.paper_id = j.value WHERE s.embedded"
        )
        return [row[0] for row in self._rows(sql, (json.dumps(list(paper_ids)),))]

    def numbers_of(self, paper_ids: Collection[str]) -> list[int]:
        """Numbers of the passages of these papers."""
        sql = "SELECT s.number FROM json_each(?) j JOIN passages s ON s.paper_id = j.value"
        return [row[0] for row in self._rows(sql, (json.dumps(list(paper_ids)),))]

    def texts(self) -> Iterator[tuple[int, str]]:
        """Number and searchable text of every passage, by number."""
        for paper, number, _, passage in self._with_papers("ORDER BY s.number"):
            yield number, searchable(paper, passage)

    def pending(self) -> Iterator[Pending]:
        """Passages without a vector in the store, by number."""
        for paper, _, vector_id, passage in self._with_papers("WHERE s.embedded = 0 ORDER BY s.number"):
            yield Pending(vector_id, searchable(paper, passage))

    def count_pending(self) -> int:
        return int(self._rows("SELECT count(*) FROM passages WHERE embedded = 0")[0][0])

    # Writing

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything written inside is kept together or, when an error is raised, not at all."""
        with self._lock, self._mapped():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def set_meta(self, values: Mapping[str, str]) -> None:
        with self._lock, self._mapped():
            self._db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())

    def add_meta(self, values: Mapping[str, str]) -> None:
        """Set values that are not set yet."""
        with self._lock, self._mapped():
            self._db.executemany("INSERT OR IGNORE INTO meta VALUES (?, ?)", values.items())

    def put(self, papers: Sequence[Paper], passages: Mapping[str, Sequence[Passage]]) -> None:
        """Add papers at the end or replace those with the same id in place.

        A passage whose text stays the same keeps its vector; the others wait for theirs.
        """
        with self._lock, self._mapped():
            for paper in papers:
                self._put_paper(paper)
                self._put_passages(paper, passages[paper.id])

    def join_list(self, name: str, paper_ids: Iterable[str]) -> None:
        with self._lock, self._mapped():
            self._db.executemany("INSERT OR IGNORE INTO lists VALUES (?, ?)", ((name, i) for i in paper_ids))

    def mark_embedded(self, vector_ids: Collection[str]) -> None:
        with self._lock, self._mapped():
            sql = "UPDATE passages SET embedded = 1 WHERE vector_id IN (SELECT value FROM json_each(?))"
            self._db.execute(sql, (json.dumps(list(vector_ids)),))

    def reconcile(self, stored: Collection[str]) -> set[str]:
        """Mark as embedded exactly the passages whose vector id is in `stored`; the ids of no passage are returned."""
        known = {row[0] for row in self._rows("SELECT vector_id FROM passages")}
        with self.transaction():
            self._db.execute("UPDATE passages SET embedded = 0 WHERE embedded = 1")
            self.mark_embedded(known.intersection(stored))
        return set(stored) - known

    def _put_paper(self, paper: Paper) -> None:
        values = (
            paper.title,
            paper.abstract,
            json.dumps(paper.authors, ensure_ascii=False),
            paper.venue,
            paper.year,
            paper.track,
            paper.url,
            json.dumps(paper.keywords, ensure_ascii=False),
            paper.titled,
            record_digest(paper),
            paper.id,
        )
        changed = self._db.execute(
            "UPDATE papers SET title=?, abstract=?, authors=?, venue=?, year=?, track=?, url=?, keywords=?, titled=?,"
            " digest=? WHERE id=?",
            values,
        )
        if changed.rowcount == 0:
            self._db.execute(
                "INSERT INTO papers (title, abstract, authors, venue, year, track, url, keywords, titled, digest, id)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                values,
            )

    def _put_passages(self, paper: Paper, passages: Sequence[Passage]) -> None:
        rows = {_vector_id(paper, p): (p.start, p.end) for p in passages}
        before = [
            row[0] for row in self._db.execute("SELECT vector_id FROM passages WHERE paper_id=?", (paper.id,))
        ]
        gone = [(vector_id,) for vector_id in before if vector_id not in rows]
        self._db.executemany("DELETE FROM passages WHERE vector_id=?", gone)
        self._db.executemany(
            "INSERT INTO passages (vector_id, paper_id, ordinal, first, last) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (vector_id) DO UPDATE SET first = excluded.first, last = excluded.last",
            ((_vector_id(paper, p), paper.id, p.ordinal, p.start, p.end) for p in passages),
        )

    def _with_papers(self, order: str) -> Iterator[tuple[Paper, int, str, Passage]]:
        """Passages with their papers in blocks, so that 100,000 abstracts are never held at once."""
        columns = ", ".join(f"p.{column.strip()}" for column in _PAPER.split(","))
        sql = f"SELECT s.number FROM passages s {order}"
        numbers = [row[0] for row in self._rows(sql)]
        for begin in range(0, len(numbers), 1000):
            block = json.dumps(numbers[begin : begin + 1000])
            for row in self._rows(
                f"SELECT s.number, s.vector_id, s.paper_id, s.ordinal, s.first, s.last, p.abstract, {columns}"
                f" FROM json_each(?) j JOIN passages s ON s.number = j.value {_OF_PAPER} ORDER BY s.number",
                (block,),
            ):
                yield _paper(row[7:]), row[0], row[1], _passage(row)

    def _rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple]:
        with self._lock, self._mapped(), closing(self._db.execute(sql, values)) as cursor:
            return cursor.fetchall()

    @contextmanager
    def _mapped(self) -> Iterator[None]:
        """The one place where sqlite3's errors become ours."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise StorageError(
                f"{self._file} cannot be used ({error}).",
                "Free some disk space, or choose a folder you can write to.",
            ) from None
        except sqlite3.Error as error:
            raise IndexBroken(
                f"{self._file} cannot be read as a paper table ({error}).",
                f"Move {self._file.parent} away and ingest the papers again.",
            ) from None


def record_digest(paper: Paper) -> str:
    """SHA-256 over all fields of a paper's record, in hexadecimal."""
    return hashlib.sha256(json.dumps(astuple(paper), ensure_ascii=True).encode()).hexdigest()


def fingerprint(digests: Iterable[str]) -> str:
    """One short name for a set of records, whatever their order."""
    return hashlib.sha256("".join(sorted(digests)).encode()).hexdigest()[:16]


def _vector_id(paper: Paper, passage: Passage) -> str:
    """A name for the vector that changes with the text, so that a vector found under it is never an old one."""
    digest = hashlib.sha256(searchable(paper, passage).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{passage.id}@{digest[:12]}"


def _paper(row: Sequence) -> Paper:
    paper_id, title, abstract, authors, venue, year, track, url, keywords, titled = row
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


def _passage(row: Sequence) -> Passage:
    _, _, paper_id, ordinal, first, last, abstract = row[:7]
    return Passage(paper_id, ordinal, first, last, abstract[first:last])
