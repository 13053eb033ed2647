"""The straight line holds: dependencies point to the right only, and each room keeps to itself."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LINE = [
    "ag_errors",
    "ag_syntax",
    "ag_analysis",
    "ag_convert",
    "ag_ir",
    "ag_grad",
    "ag_optimize",
    "ag_engine",
    "ag_python",
]
EXEMPT: dict[str, str] = {}
"""Files over 800 lines, with the reason."""


@pytest.fixture(scope="module")
def packages() -> dict[str, list[str]]:
    command = ["cargo", "metadata", "--format-version=1", "--no-deps", "--offline", "--locked"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)["packages"]
    return {
        package["name"]: [d["name"] for d in package["dependencies"] if d["kind"] is None]
        for package in found
    }


def test_dependencies_point_to_the_right(packages: dict[str, list[str]]) -> None:
    assert sorted(packages) == sorted(LINE)
    for name, dependencies in packages.items():
        for dependency in dependencies:
            if dependency in LINE:
                assert LINE.index(dependency) < LINE.index(name), f"{name} depends on {dependency}"


def test_only_one_crate_knows_the_parser_and_one_knows_pyo3(packages: dict[str, list[str]]) -> None:
    knows_parser = {name for name, deps in packages.items() if any(d.startswith("ruff_") for d in deps)}
    knows_python = {name for name, deps in packages.items() if "pyo3" in deps}
    assert knows_parser == {"ag_syntax"}
    assert knows_python == {"ag_python"}


def test_the_front_end_knows_no_tensors(packages: dict[str, list[str]]) -> None:
    for name in LINE[: LINE.index("ag_ir")]:
        assert not {"ag_ir", "ag_engine"} & set(packages[name])


def test_rust_is_reached_through_one_module() -> None:
    for path in (ROOT / "python").rglob("*.py"):
        for match in re.finditer(r"^\s*(?:from|import) .*_core.*$", path.read_text(), re.M):
            assert match[0].strip() in (
                "from autograph import _core",
                "from autograph import _core, operators",
            ), path


def test_unsafe_stands_where_it_may() -> None:
    allowed = ("crates/ag_engine/src/", "crates/ag_python/src/run.rs")
    for path in (ROOT / "crates").rglob("src/**/*.rs"):
        if re.search(r"\bunsafe\b(?!_)", re.sub(r"//.*", "", path.read_text())):
            assert str(path.relative_to(ROOT)).startswith(allowed), path


def test_files_hold_one_idea() -> None:
    for folder, pattern in (("crates", "src/**/*.rs"), ("python", "**/*.py"), ("tests", "*.py")):
        for path in (ROOT / folder).rglob(pattern):
            if str(path.relative_to(ROOT)) not in EXEMPT:
                assert len(path.read_text().splitlines()) <= 800, path


def test_every_code_in_the_package_is_in_the_catalogue() -> None:
    from autograph import _core

    known = {code for code, _, _ in _core.error_catalogue()}
    for path in (ROOT / "python").rglob("*.py"):
        for code in re.findall(r'"(AG\d{3})"', path.read_text()):
            assert code in known, f"{code} in {path}"
