"""The terminal sessions that the README shows: `make readme` runs them and writes what they say today."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

README = Path(__file__).parents[1] / "README.md"
SESSION = re.compile(r"(?<=^```console\n).*?(?=^```)", flags=re.M | re.S)


def commands(session: str) -> list[str]:
    """What stands behind the prompts of a session."""
    return re.findall(r"^\$ (.*)", session, flags=re.M)


def play(session: str, data_dir: Path) -> str:
    """The session as it would be today, over the default papers."""
    steps = [f"$ {command}\n{_output(command, data_dir)}" for command in commands(session)]
    return "\n\n".join(steps) + "\n"


def _output(command: str, data_dir: Path) -> str:
    python, *arguments = shlex.split(command)
    if python != "python":
        raise ValueError(f"not a Python command: {command}")
    said = subprocess.run(
        [sys.executable, *arguments, "--data-dir", str(data_dir)],
        stdout=subprocess.PIPE,
        text=True,
        timeout=120,
        check=True,
    )
    return said.stdout.strip()


def main() -> None:
    with TemporaryDirectory() as folder:
        text = README.read_text(encoding="utf-8")
        README.write_text(
            SESSION.sub(lambda session: play(session.group(), Path(folder)), text), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
