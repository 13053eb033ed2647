"""The straight line holds: dependencies point to the right only, and each room keeps to itself."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import FunctionType

import pytest

ROOT = Path(__file__).parent.parent
LINE = [
    "unicode_names2",
    "ag_errors",
    "ag_syntax",
    "ag_analysis",
    "ag_convert",
    "ag_tangent",
    "ag_linear_algebra",
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


def test_what_runs_for_each_element_is_made_for_time() -> None:
    """Decompositions took four times as long, and no test saw it, when their crate was made small."""
    profile = tomllib.loads((ROOT / "Cargo.toml").read_text())["profile"]["release"]
    assert "opt-level" not in profile
    for name in ("ag_linear_algebra", "ag_engine", "pulp", "gemm", "rustfft", "libm"):
        assert "opt-level" not in profile["package"].get(name, {}), name


def test_only_one_crate_knows_the_parser_and_one_knows_pyo3(packages: dict[str, list[str]]) -> None:
    knows_parser = {name for name, deps in packages.items() if any(d.startswith("ruff_") for d in deps)}
    knows_python = {name for name, deps in packages.items() if "pyo3" in deps}
    assert knows_parser == {"ag_syntax"}
    assert knows_python == {"ag_python"}


def test_the_front_end_knows_no_tensors(packages: dict[str, list[str]]) -> None:
    for name in LINE[: LINE.index("ag_linear_algebra")]:
        assert not {"ag_ir", "ag_engine"} & set(packages[name])


def test_rust_is_reached_through_one_module() -> None:
    for path in (ROOT / "python").rglob("*.py"):
        for match in re.finditer(r"^\s*(?:from|import) .*_core.*$", path.read_text(), re.M):
            assert match[0].strip() in (
                "from autograph import _core",
                "from autograph import _core, operators",
            ), path


def test_unsafe_stands_where_it_may() -> None:
    buffers = ("crates/ag_python/src/run.rs", "crates/ag_python/src/aligned_arrays.rs")
    allowed = ("crates/ag_engine/src/", *buffers)
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


ROOMS = [
    *("trace", "tensors", "complex", "narrow", "wide", "kinds", "lists", "objects", "control"),
    *("numpy", "operators", "builtins", "keyed", "calls"),
]
"""The rooms of `staging`, and NumPy's functions: each may import those before it."""


def room_of(module: str) -> str | None:
    """The room of a module of the package; ``None`` of one that is in none of them."""
    parts = module.split(".")
    if parts[2:3] == ["numpy"]:
        return "numpy"
    return parts[3] if parts[2:3] == ["staging"] and len(parts) > 3 else None


def imports_of(path: Path) -> list[str]:
    """What a file imports when it runs, wherever the statement stands, but for types only."""
    found = []
    for_types = set()
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for_types.update(id(inner) for inner in ast.walk(node))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and id(node) not in for_types:
            found += [node.module, *(f"{node.module}.{name.name}" for name in node.names)]
        elif isinstance(node, ast.Import):
            found += [name.name for name in node.names]
    return found


def test_a_room_imports_those_before_it() -> None:
    for path in (ROOT / "python" / "autograph").rglob("*.py"):
        module = ".".join(path.relative_to(ROOT / "python").with_suffix("").parts)
        room = room_of(module)
        if room is None:
            continue
        for imported in imports_of(path):
            other = room_of(imported)
            assert other is None or ROOMS.index(other) <= ROOMS.index(room), f"{module} imports {imported}"


def circles(edges: dict[str, set[str]]) -> list[set[str]]:
    """The largest sets of modules of which each leads to each other."""
    reached: dict[str, set[str]] = {}
    for start in edges:
        found, open_ends = set(), [start]
        while open_ends:
            new = edges[open_ends.pop()] - found
            found |= new
            open_ends += new
        reached[start] = found
    found_circles = []
    for module in edges:
        circle = {other for other in reached[module] if module in reached[other]}
        if circle and circle not in found_circles:
            found_circles.append(circle)
    return found_circles


def test_modules_do_not_lead_to_each_other_in_a_circle() -> None:
    package = ROOT / "python" / "autograph" / "_src"
    files = {
        ".".join(path.relative_to(ROOT / "python").with_suffix("").parts).removesuffix(".__init__"): path
        for path in package.rglob("*.py")
    }
    edges = {}
    for module, path in files.items():
        imported = set(imports_of(path))
        # `from package import module` needs the module, and not what else is in the package.
        whole = {
            name for name in imported if any(one.startswith(f"{name}.") for one in imported & set(files))
        }
        edges[module] = (imported - whole) & set(files) - {module, "autograph", "autograph._src"}
    assert sum(map(len, edges.values())) > 2 * len(edges), "imports are not found"
    assert circles(edges) == []


def test_what_has_no_underscore_is_public() -> None:
    import autograph.transformations  # it is imported where it is used

    package = ROOT / "python" / "autograph"
    assert {path.name for path in package.rglob("*.py") if "_src" not in path.parts} == {
        "__init__.py",
        "errors.py",
    }
    for module in (autograph, autograph.backends, autograph.transformations):
        made = [getattr(module, name) for name in module.__all__]
        named = {one.__module__ for one in made if isinstance(one, type | FunctionType)}
        assert named <= {module.__name__, "autograph.errors"}


def test_every_module_of_staging_is_in_a_room() -> None:
    folder = ROOT / "python" / "autograph" / "_src" / "staging"
    assert [path.name for path in folder.glob("*.py")] == ["__init__.py"]
    rooms = {path.name for path in folder.iterdir() if (path / "__init__.py").exists()}
    assert rooms == set(ROOMS) - {"numpy"}


def test_the_way_to_machine_code_is_short() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    listed = text.partition("## From a call to machine code")[2].partition("\n## ")[0]
    files = re.findall(r"^\d+\. (?:\[.*\]\((.*)\)|`(.*?)`):", listed, re.M)
    assert 10 <= len(files) <= 15
    assert all((ROOT / (page or file)).is_file() for page, file in files)


def test_every_room_says_where_to_start() -> None:
    for path in (ROOT / "python" / "autograph" / "_src" / "staging").rglob("__init__.py"):
        assert re.search(r"Start with ``[\w/]+\.py``", path.read_text()), path


def test_every_module_of_a_room_is_imported() -> None:
    """Tables and recorders are filled by modules: one that nobody imports would leave theirs out."""
    program = "import sys, autograph; print(*(name for name in sys.modules if name.startswith('autograph.')))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    package = ROOT / "python" / "autograph" / "_src"
    modules = {
        ".".join(path.relative_to(ROOT / "python").with_suffix("").parts).removesuffix(".__init__")
        for room in ("staging", "numpy", "operators", "backends")
        for path in (package / room).rglob("*.py")
    }
    at_use = {name for path in package.rglob("*.py") for name in imports_of(path)}
    assert modules - set(done.stdout.split()) - at_use == set()


ENGINE = [
    *("error", "isa", "memory", "values", "lists", "arena", "stack", "tapes", "operands"),
    *("kernels", "dense", "plan", "profile", "runtime", "lower", "code", "executable", "profiled"),
]
"""The rooms of `ag_engine`, which are files and folders: each uses those before it."""


def rust_modules(crate: str) -> dict[str, Path]:
    """The modules of a crate but its tests, each named by its path: ``plan::fuse``."""
    source = ROOT / "crates" / crate / "src"
    paths = [
        path for path in source.rglob("*.rs") if path.relative_to(source).parts[0] not in ("tests", "lib.rs")
    ]
    return {
        "::".join(path.relative_to(source).with_suffix("").parts).removesuffix("::mod"): path
        for path in paths
    }


def use_tree(text: str, before: list[str]) -> list[list[str]]:
    """The paths of a ``use``: two of ``a::{b, c::d}``."""
    head, brace, inside = text.strip().partition("{")
    start = [*before, *filter(None, head.split("::"))]
    if not brace:
        return [start]
    parts, depth = [""], 0
    for letter in inside.rpartition("}")[0]:
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [path for part in parts if part.strip() for path in use_tree(part, start)]


def rust_uses(module: str, modules: dict[str, Path]) -> set[str]:
    """The other modules of its crate that a module names, in a ``use`` or by a path."""
    text = re.sub(r"//.*", "", modules[module].read_text()).partition("#[cfg(test)]\nmod ")[0]
    statement = re.compile(r"^(?:pub(?:\(\w+\))? )?use ([^;]+);", re.M)
    named = [path for found in statement.finditer(text) for path in use_tree(found[1], [])]
    # What a module inside of the file uses, which is indented, is counted where it is not its file's.
    inline = re.finditer(
        r"\b(?:crate|self|super)(?:::\w+)+",
        re.sub(r"^ +use super::[^;]+;", "", statement.sub("", text), flags=re.M),
    )
    named += [found[0].split("::") for found in inline]
    found = set()
    for first, *rest in named:
        own = module.split("::")
        while first in ("self", "super"):
            own = own[:-1] if first == "super" else own
            first, *rest = rest or ["*"]
        path = rest if first == "crate" else [*own, first, *rest]
        prefixes = ["::".join(path[:length]) for length in range(len(path), 0, -1)]
        found.update([name for name in prefixes if name in modules][:1])
    return found - {module}


def test_modules_of_the_engine_do_not_circle() -> None:
    modules = rust_modules("ag_engine")
    edges = {module: rust_uses(module, modules) for module in modules}
    assert sum(map(len, edges.values())) > 2 * len(edges), "names are not found"
    assert circles(edges) == []


def test_a_room_of_the_engine_uses_those_before_it() -> None:
    modules = rust_modules("ag_engine")
    assert {module.split("::")[0] for module in modules} == set(ENGINE)
    for module in modules:
        for used in rust_uses(module, modules):
            room, other = module.split("::")[0], used.split("::")[0]
            assert ENGINE.index(other) <= ENGINE.index(room), f"{module} uses {used}"


def annotations_of(tree: ast.Module) -> list[str]:
    """The types that a file gives to parameters, results and variables."""
    found: list[ast.expr | None] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            given = node.args
            every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
            found += [one.annotation for one in every if one is not None]
            found.append(node.returns)
        elif isinstance(node, ast.AnnAssign):
            found.append(node.annotation)
    return [ast.unparse(one) for one in found if one is not None]


def test_types_are_said() -> None:
    """A bare ``Any`` stands where only a run knows the type: in one place of ten at most."""
    paths = (ROOT / "python" / "autograph").rglob("*.py")
    given = [one for path in paths for one in annotations_of(ast.parse(path.read_text()))]
    assert given.count("Any") <= len(given) / 10
