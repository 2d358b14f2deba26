"""README, Makefile, pyproject.toml, requirements.lock, .env.example and the code agree with each other."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from readme import SESSION, play

from rag.settings import Settings

ROOT = Path(__file__).parents[1]
PACKAGES = ("prompts", "rag", "eval", "ui")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
ENV_EXAMPLE = (ROOT / ".env.example").read_text(encoding="utf-8")

CODE = "\n".join(re.findall(r"^ *```(?:sh|bash|shell)?\n(.*?)^ *```", README, flags=re.M | re.S))
VARIABLES = sorted(str(field.validation_alias) for field in Settings.model_fields.values())


# --- README ---


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


def test_readme_shows_what_the_program_says(data_dir: Path) -> None:
    (session,) = SESSION.findall(README)
    assert play(session, data_dir) == session, "run `make readme` and read what changed"


def keys(value: object, path: str = "") -> set[str]:
    """The paths of all keys in a JSON value, items of an array under the array's."""
    if isinstance(value, list):
        return set().union(*(keys(item, path) for item in value))
    if isinstance(value, dict) and not path.endswith("seconds"):
        return {f"{path}.{key}" for key in value}.union(
            *(keys(item, f"{path}.{key}") for key, item in value.items())
        )
    return set()


def test_readme_shows_the_json_of_an_answer(data_dir: Path) -> None:
    (shown,) = re.findall(r"^```json\n(.*?)^```", README, flags=re.M | re.S)
    ask = ["-m", "rag", "ask", json.loads(shown)["question"], "--json", "--data-dir", str(data_dir)]
    said = subprocess.run([sys.executable, *ask], capture_output=True, text=True, timeout=120, check=True)
    assert keys(json.loads(said.stdout)) == keys(json.loads(shown))


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\bmake ([a-z][a-z-]*)", CODE))))
def test_readme_names_targets_that_exist(target: str) -> None:
    assert re.search(rf"^{target}:", MAKEFILE, flags=re.M)


def readme_commands() -> list[tuple[str, frozenset[str]]]:
    """`rag ask` and the like, with all options the README uses with it."""
    options: dict[str, set[str]] = {}
    for line in CODE.splitlines():
        if found := re.search(r"python -m (rag|ui|eval)\b(.*)", line.split(" #")[0]):
            module, rest = found.groups()
            command = re.match(r" ([a-z][a-z-]*)", rest)
            options.setdefault(module + (command.group() if command else ""), set()).update(
                re.findall(r"--[a-z-]+", rest)
            )
    return sorted((command, frozenset(names)) for command, names in options.items())


@pytest.mark.parametrize(("command", "options"), readme_commands())
def test_readme_shows_commands_and_options_that_exist(command: str, options: frozenset[str]) -> None:
    shown = subprocess.run(
        [sys.executable, "-m", *command.split(), "--help"],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1"},
    )
    assert shown.returncode == 0, shown.stderr
    missing = {option for option in options if option not in shown.stdout}
    assert not missing, f"`python -m {command}` has no {missing}"


def test_readme_shows_the_two_commands() -> None:
    assert {"make chat", "make test"} <= set(CODE.splitlines())
    assert "\nmake test\n" in (ROOT / ".ci/run").read_text()


def test_readme_links_to_files_that_exist() -> None:
    links = re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", README)
    assert links
    assert not [link for link in links if not (ROOT / link).exists()]


def test_readme_explains_messages_that_exist() -> None:
    table = README.partition("| message |")[2].partition("\n\n")[0]
    messages = re.findall(r"^\| ([^-|][^|]*) \|", table, flags=re.M)
    sources = MAKEFILE + "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("[ru][ai]*/**/*.py"))
    said = re.sub(r"\{[^{}]*\}", "…", sources)
    assert len(messages) > 5
    assert not [part for message in messages for part in message.split("…") if part.strip() not in said]


@pytest.mark.parametrize("variable", VARIABLES)
def test_readme_and_env_example_document_every_setting(variable: str) -> None:
    assert f"`{variable}`" in README
    assert re.search(rf"^#{variable}=", ENV_EXAMPLE, flags=re.M)


def test_env_example_shows_the_defaults(tmp_path: Path) -> None:
    every_line = tmp_path / "every.env"
    every_line.write_text(re.sub(r"^#(?=[A-Z_]+=)", "", ENV_EXAMPLE, flags=re.M), encoding="utf-8")
    assert len(re.findall(r"^[A-Z_]+=", every_line.read_text(encoding="utf-8"), flags=re.M)) == len(VARIABLES)
    assert Settings(_env_file=every_line) == Settings(_env_file=None)  # type: ignore[call-arg]


# --- CONTRIBUTING ---


def test_contributing_shows_the_floors() -> None:
    table = (
        (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("| floor |")[2].partition("\n\n")[0]
    )
    contracts = PYPROJECT["tool"]["importlinter"]["contracts"]
    (layers,) = (contract["layers"] for contract in contracts if contract.get("containers") == ["rag"])
    rooms = [re.findall(r"\w+", layer) for layer in layers]
    shown = [re.findall(r"`rag/(\w+)", row) for row in table.splitlines() if "`rag/" in row]
    for room in {room for floor in rooms for room in floor}:
        assert any(room in floor for floor in shown), f"CONTRIBUTING.md shows no floor for {room}"
    heights = [next(height for height, floor in enumerate(shown) if floors[0] in floor) for floors in rooms]
    assert heights == sorted(heights)


# --- Makefile ---


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`make ARGUMENTS` in a folder that holds the Makefile and what it reads, but no environment yet."""
    for name in ("Makefile", "pyproject.toml", "requirements.lock"):
        shutil.copy(ROOT / name, folder)
    return subprocess.run(["make", *arguments], cwd=folder, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("version", ["Python 3.10.9", None], ids=["old Python", "no Python"])
def test_make_names_the_python_it_needs(version: str | None, tmp_path: Path) -> None:
    python = tmp_path / "python"
    if version:
        python.write_text(f"#!/bin/sh\n[ $1 = --version ] && echo {version}\nexit 1\n")
        python.chmod(0o755)
    made = make(tmp_path, "chat", f"PYTHON={python}")
    assert made.returncode == 2
    (line,) = (line for line in made.stderr.splitlines() if not line.startswith("make"))
    assert line.startswith("Python 3.11 or newer is needed")
    assert version is None or version in line
    assert not (tmp_path / ".venv").exists()


def test_make_lists_its_targets(tmp_path: Path) -> None:
    listed = make(tmp_path).stdout
    assert {"chat", "test", "stress", "lock"} <= {line.split()[1] for line in listed.splitlines()}


# --- packaging ---


def test_the_five_named_parts_are_dependencies() -> None:
    names = {Requirement(line).name for line in PROJECT["dependencies"]}
    assert {"llama-index", "chromadb", "openai", "gradio", "tiktoken"} <= names


def test_lock_is_a_constraints_file_that_names_no_host() -> None:
    pin = re.compile(r"[a-z0-9-]+==[\w.!+]+( ; [^;:]+)?")
    assert not [line for line in LOCK if not pin.fullmatch(line)]


def test_lock_satisfies_every_dependency() -> None:
    pins: dict[str, list[str]] = {}
    for line in LOCK:
        name, version = line.split(" ;")[0].split("==")
        pins.setdefault(name, []).append(version)
    groups = (PROJECT["dependencies"], *PROJECT["optional-dependencies"].values())
    for need in (Requirement(line) for group in groups for line in group):
        assert any(need.specifier.contains(version) for version in pins[canonicalize_name(need.name)]), need


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked wheel, built from a copy so that nothing old lies about."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, source / package, ignore=shutil.ignore_patterns("__pycache__"))
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--wheel-dir", target, source], check=True, timeout=120)
    (packed,) = target.glob("*.whl")
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(target / "unpacked")
    return target / "unpacked"


def test_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    def files(folder: Path) -> set[Path]:
        found = (path.relative_to(folder) for package in PACKAGES for path in (folder / package).rglob("*"))
        return {path for path in found if (folder / path).is_file() and "__pycache__" not in path.parts}

    assert files(wheel) == files(ROOT)


def test_wheel_runs(wheel: Path, tmp_path: Path) -> None:
    show = "import rag, prompts, ui, eval; print(rag.__file__, prompts.__file__, ui.__file__, eval.__file__)"
    environment = {**os.environ, "PYTHONPATH": str(wheel)}
    where = subprocess.run(
        [sys.executable, "-c", show], env=environment, capture_output=True, text=True, check=True
    )
    assert all(path.startswith(str(wheel)) for path in where.stdout.split())

    status = [sys.executable, "-m", "rag", "status", "--json", "--data-dir", str(tmp_path / "data")]
    shown = subprocess.run(status, env=environment, capture_output=True, text=True, check=True, timeout=120)
    assert '"papers": 19' in shown.stdout


# --- nothing of one machine or one person ---


def project_files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [path for line in listed.stdout.splitlines() if (path := ROOT / line).is_file()]


def test_no_file_names_this_machine_a_registry_or_a_key() -> None:
    private = re.compile(
        rf"{re.escape(str(ROOT))}\b"
        r"|(?<![\w./-])/(root|home|Users)/\w"
        r"|--(extra-)?index-url[ =]|--find-links[ =]"
        r"|\bsk-[A-Za-z0-9]{20,}"
    )
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in project_files()
        if path.suffix not in {".png", ".jpg"} and path != Path(__file__)
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if private.search(line)
    ]
    assert not found
