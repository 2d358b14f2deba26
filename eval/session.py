"""A run from start to end: progress with time left, finished cases kept, settings written down."""

import hashlib
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from platformdirs import user_cache_path
from tqdm import tqdm

from eval.cases import Case
from eval.kept import KeptOutcomes
from eval.run import Outcome, Run
from eval.runner import Runner
from rag.errors import WorkError


class Interrupted(WorkError):
    """The run was broken off by its user; finished cases are kept."""

    exit_code = 130


def complete_run(runner: Runner, cases: Sequence[Case], questions: Path, *, resume: bool = False) -> Run:
    """Asks all cases, with a progress bar on stderr.

    Raises:
        Interrupted: on Ctrl-C; says how to go on.
        UsageError: `resume` was asked for and no such run was broken off.
    """
    settings = settings_of(runner, questions.name, questions.read_bytes(), len(cases))
    kept = KeptOutcomes(user_cache_path("abstracts-chat", appauthor=False) / "eval", settings)
    finished = kept.resume() if resume else {}
    kept.start(finished)
    outcomes: list[Outcome] = []
    running = runner.run(cases, finished)
    try:
        for outcome in tqdm(running, total=len(cases), unit="case", file=sys.stderr, disable=None):
            if outcome.case.id not in finished:
                kept.add(outcome)
            outcomes.append(outcome)
    except KeyboardInterrupt:
        raise Interrupted(
            f"Broken off: {len(outcomes)} of {len(cases)} cases are kept.",
            "Go on with the same command and --resume.",
        ) from None
    kept.clear()
    return Run(tuple(outcomes), settings)


def settings_of(runner: Runner, questions: str, content: bytes, cases: int) -> dict[str, object]:
    """What must be the same for two runs to be comparable; `questions` names the file holding `content`."""
    index = runner.engine.describe()
    model = runner.engine.chat_model
    return {
        "questions": questions,
        "questions_sha256": hashlib.sha256(content).hexdigest(),
        "cases": cases,
        "papers": index.papers,
        "passages": index.passages,
        "index": index.fingerprint,
        "embedding": index.model,
        "chunker": index.chunker,
        "model": model.name if model and runner.use_llm else None,
        "perturb": runner.perturb,
        "injected": runner.injected is not None,
        "seed": runner.seed,
        "version": version("abstracts-chat"),
    }
