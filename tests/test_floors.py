"""The floors of the house: who may import whom, and what an import may do."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("prompts", "rag", "eval", "ui")
MODULES = sorted(path.relative_to(ROOT) for package in PACKAGES for path in ROOT.glob(f"{package}/**/*.py"))


def test_every_import_contract_is_kept() -> None:
    lint = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert lint.returncode == 0, lint.stdout + lint.stderr
    assert "0 broken" in lint.stdout


READERS = {"environ", "getenv"}


def reads_environment(tree: ast.AST) -> list[int]:
    """Lines that look a variable up. `os.environ.setdefault` only gives one, to the libraries below."""
    nodes = list(ast.walk(tree))
    attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
    giving = {id(node.value) for node in attributes if node.attr == "setdefault"}
    looked_up = [node for node in attributes if node.attr in READERS and id(node) not in giving]
    imported = [
        node
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        and node.module == "os"
        and any(a.name in READERS for a in node.names)
    ]
    return [node.lineno for node in (*looked_up, *imported)]


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_only_settings_and_main_read_the_environment(module: Path) -> None:
    if module == Path("rag/settings.py") or module.name == "__main__.py":
        return
    lines = reads_environment(ast.parse((ROOT / module).read_text(encoding="utf-8")))
    assert not lines, f"{module} reads the environment in line {lines}"


# Imports every module under an audit hook. A file counts when one of ours opens it: when, going up the stack,
# the project's own frame comes before the import system's, which also opens files on behalf of others.
PROBE = """
import sys
from importlib import import_module

folders, modules, seen = sys.argv[1].split("|"), sys.argv[2].split("|"), []

def watch(event, arguments):
    if event in {"socket.connect", "socket.getaddrinfo", "subprocess.Popen"}:
        seen.append(f"{event} {arguments!r}")
    if event == "open":
        frame = sys._getframe(1)
        while frame and "importlib._bootstrap" not in (file := frame.f_code.co_filename):
            if file.startswith(tuple(folders)):
                seen.append(f"{file} opens {arguments[0]}")
                break
            frame = frame.f_back

sys.addaudithook(watch)
for module in modules:
    import_module(module)
if seen:
    sys.exit("\\n".join(seen))
"""


def test_an_import_opens_no_file_no_socket_and_no_process(tmp_path: Path) -> None:
    folders = "|".join(f"{ROOT / package}/" for package in PACKAGES)
    modules = "|".join(".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in MODULES)
    probe = subprocess.run(
        [sys.executable, "-c", PROBE, folders, modules],
        cwd=ROOT,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert probe.returncode == 0, probe.stderr
    assert not list(tmp_path.iterdir()), "an import wrote into the home folder"


@pytest.mark.parametrize("module", [module for module in MODULES if module.parts[0] == "rag"], ids=str)
def test_an_import_compiles_no_regular_expression(module: Path) -> None:
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    within = {id(node) for function in functions for node in ast.walk(function)}
    compiled = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile" and id(node) not in within
    ]
    assert not compiled, (
        f"{module} compiles a pattern in line {compiled}; rag.patterns.lazy_pattern does it on use"
    )
