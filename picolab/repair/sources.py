"""What the files of a repository define and import, as far as they have been read."""

import ast
import contextlib
import io
import re
import tokenize
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath

from picolab.repair.editing import Positions
from picolab.repair.fstrings import placed

TEST_NAME = re.compile(r"(^|/)(tests?|testing)/|(^|/)(test_[^/]*|[^/]*_test|conftest)\.py$")


def is_test(path: str) -> bool:
    """Whether a file belongs to the tests, which are never changed."""
    return bool(TEST_NAME.search(path))


@dataclass(frozen=True)
class Import:
    """One name that an import statement binds."""

    node: ast.Import | ast.ImportFrom
    alias: ast.alias
    module: str
    """Absolute dotted name of the module named in the statement, as well as it can be told."""
    local: str
    """The name bound in the importing file."""

    @property
    def name(self) -> str | None:
        """The name taken out of the module; None for `import module`."""
        return self.alias.name if isinstance(self.node, ast.ImportFrom) else None


@dataclass
class Source:
    """One file that was read."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        try:
            return placed(ast.parse(self.text.removeprefix("\ufeff")), self.positions)
        except (SyntaxError, ValueError, RecursionError):
            return ast.Module([], [])

    @cached_property
    def positions(self) -> Positions:
        return Positions(self.text)

    @cached_property
    def words(self) -> str:
        """What the file says to people: its comments and strings, without its code."""
        kept = []
        with contextlib.suppress(tokenize.TokenError, SyntaxError):
            for token in tokenize.generate_tokens(io.StringIO(self.text.removeprefix("\ufeff")).readline):
                formatted = re.match(r"[rR]?[fF]", token.string)  # code stands in it, before Python 3.12
                if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and not formatted):
                    kept.append(token.string)
        return "\n\n".join(kept)

    @cached_property
    def package(self) -> str:
        """Dotted name of the folder that holds the file."""
        return ".".join(PurePosixPath(self.path).parts[:-1])

    @cached_property
    def imports(self) -> list[Import]:
        found = []
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom):
                module = self._absolute(node)
                found += [Import(node, alias, module, alias.asname or alias.name) for alias in node.names]
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    found.append(
                        Import(node, alias, alias.name, alias.asname or alias.name.partition(".")[0])
                    )
        return found

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self.package.split(".")
        base = parts[: len(parts) - node.level + 1]
        return ".".join([*base, *([node.module] if node.module else [])])

    @cached_property
    def definitions(self) -> dict[str, ast.AST]:
        """Functions, classes and assigned names at the top level, also those under `if` and `try`."""
        found: dict[str, ast.AST] = {}
        for node in _top_level(self.tree.body):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found[node.name] = node
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    if isinstance(target, ast.Name):
                        found[target.id] = node
        return found

    @cached_property
    def offered(self) -> list[str]:
        """Public names that can be imported from this file: defined there, or imported there for others."""
        names = [*self.definitions, *(each.local for each in self.imports)]
        return [name for name in dict.fromkeys(names) if not name.startswith("_") and name != "*"]


def _top_level(body: list[ast.stmt]):
    for node in body:
        yield node
        for part in ("body", "orelse", "finalbody", "handlers"):
            if isinstance(node, ast.If | ast.Try | ast.With | ast.ExceptHandler):
                for inner in getattr(node, part, []):
                    yield from _top_level([inner])


@dataclass
class Repository:
    """The paths that were listed, and the files that were read."""

    paths: list[str]
    files: dict[str, Source] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)

    def put(self, path: str, text: str) -> None:
        self.files[path] = Source(path, text)

    @cached_property
    def _by_dotted(self) -> dict[str, list[str]]:
        """Every dotted name that a Python file might be imported by, and the files it might mean."""
        found: dict[str, list[str]] = {}
        for path in self.paths:
            if path.endswith(".py"):
                parts = list(PurePosixPath(path.removesuffix(".py")).parts)
                if parts[-1] == "__init__":
                    parts.pop()
                for start in range(len(parts)):
                    found.setdefault(".".join(parts[start:]), []).append(path)
        return {
            name: sorted(paths, key=lambda p: (is_test(p), p.count("/"))) for name, paths in found.items()
        }

    def file_of(self, dotted: str) -> str | None:
        """The file that a dotted name most likely means."""
        found = self._by_dotted.get(dotted)
        return found[0] if found else None

    def package_of(self, path: str, apart_from: str = "") -> str:
        """The outermost package that holds a file, or the file itself outside any package.

        Args:
            apart_from: a file that must not be in it, as where a dependency lies inside the program that uses it.
        """
        folder, top = PurePosixPath(path).parent, path
        while f"{folder}/__init__.py" in self._path_set and not apart_from.startswith(f"{folder}/"):
            top, folder = str(folder), folder.parent
        return top

    @cached_property
    def _path_set(self) -> set[str]:
        return set(self.paths)

    def inside(self, package: str) -> list[str]:
        """The Python files of a package, outermost first."""
        found = [p for p in self.paths if p == package or p.startswith(package + "/")]
        return sorted((p for p in found if p.endswith(".py")), key=lambda p: (p.count("/"), p))

    def dotted(self, path: str) -> str:
        """The name that a file is imported by, counted from its outermost package."""
        top = PurePosixPath(self.package_of(path))
        parts = list(PurePosixPath(path.removesuffix(".py")).parts[len(top.parts) - 1 :])
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def class_named(self, name: str) -> tuple[Source, ast.ClassDef] | None:
        """A class of that name among the files that were read."""
        for source in self.files.values():
            node = _as_class(name, source.definitions.get(name))
            if node is not None:
                return source, node
        return None

    def functions_named(self, name: str) -> list[tuple[Source, ast.FunctionDef | ast.AsyncFunctionDef]]:
        """Functions and methods of that name among the files that were read, tests left out."""
        return [
            (source, node)
            for source in self.files.values()
            if not is_test(source.path)
            for node in ast.walk(source.tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name
        ]


def members(repository: Repository, node: ast.ClassDef) -> list[str]:
    """Public fields, methods and properties of a class, its bases included, fields first and in order."""
    return [
        name
        for name in dict.fromkeys([*fields(repository, node), *methods(repository, node)])
        if name[0] != "_"
    ]


def _bases(repository: Repository, node: ast.ClassDef) -> list[ast.ClassDef]:
    names = [base.id if isinstance(base, ast.Name) else getattr(base, "attr", "") for base in node.bases]
    found = [repository.class_named(name) for name in names if name != node.name]
    return [pair[1] for pair in found if pair]


def fields(repository: Repository, node: ast.ClassDef, depth: int = 4) -> list[str]:
    """Names that hold a value on an instance, in the order they are declared."""
    found = [
        name for base in _bases(repository, node) if depth for name in fields(repository, base, depth - 1)
    ]
    for each in node.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            found.append(each.target.id)
        elif isinstance(each, ast.Assign):
            found += [t.id for t in each.targets if isinstance(t, ast.Name) and not t.id.startswith("_")]
        elif isinstance(each, ast.FunctionDef) and each.name in ("__init__", "__post_init__"):
            found += _assigned_to_self(each)
        elif isinstance(each, ast.FunctionDef) and _is_property(each):
            found.append(each.name)
    return list(dict.fromkeys(found))


def methods(repository: Repository, node: ast.ClassDef, depth: int = 4) -> list[str]:
    """Names of the methods of a class, its bases included."""
    own = [
        n.name
        for n in node.body
        if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef) and not _is_property(n)
    ]
    return own + [
        name for base in _bases(repository, node) if depth for name in methods(repository, base, depth - 1)
    ]


def _is_property(node: ast.FunctionDef) -> bool:
    return any("property" in ast.unparse(decorator) for decorator in node.decorator_list)


def _assigned_to_self(node: ast.FunctionDef) -> list[str]:
    me = node.args.args[0].arg if node.args.args else "self"
    return [
        part.attr
        for each in ast.walk(node)
        if isinstance(each, ast.Assign | ast.AnnAssign)
        for target in (each.targets if isinstance(each, ast.Assign) else [each.target])
        for part in (target.elts if isinstance(target, ast.Tuple | ast.List) else [target])
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == me
    ]


def _as_class(name: str, node: ast.AST | None) -> ast.ClassDef | None:
    """The class that a definition makes: its own, or the one that a call of namedtuple makes."""
    if isinstance(node, ast.ClassDef):
        return node
    value = node.value if isinstance(node, ast.Assign) else None
    if not (
        isinstance(value, ast.Call)
        and ast.unparse(value.func).endswith(("namedtuple", "NamedTuple", "make_dataclass"))
    ):
        return None
    try:
        given = ast.literal_eval(value.args[1])
    except (ValueError, IndexError):
        return None
    words = given.replace(",", " ").split() if isinstance(given, str) else given
    names = [each[0] if isinstance(each, tuple) else each for each in words]
    lines = "".join(
        f"    {each}: object\n" for each in names if isinstance(each, str) and each.isidentifier()
    )
    return ast.parse(f"class {name}:\n{lines or '    pass'}").body[0]
