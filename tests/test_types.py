"""Every function of the package but the kernels is annotated. Kernels take records, which no annotation describes."""

import ast
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent.parent / "src" / "sparring"
KERNELS = {"kernel", "inline_kernel", "fragment", "gpu_kernel", "numba.njit", "cuda.jit", "overload"}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def untyped_functions(text: str) -> list[str]:
    """The functions without complete annotations; those inside a kernel belong to it."""

    def search(node: ast.AST, inside_class: bool) -> list[str]:
        if isinstance(node, Function) and is_kernel(node):
            return []
        found = [node.name] if isinstance(node, Function) and not is_typed(node, inside_class) else []
        for child in ast.iter_child_nodes(node):
            found += search(child, isinstance(node, ast.ClassDef))
        return found

    return search(ast.parse(text), inside_class=False)


def is_kernel(function: Function) -> bool:
    names = {ast.unparse(one.func if isinstance(one, ast.Call) else one) for one in function.decorator_list}
    return bool(names & KERNELS)


def is_typed(function: Function, method: bool) -> bool:
    given = function.args
    names = [*given.posonlyargs, *given.args]
    static = any(ast.unparse(one) == "staticmethod" for one in function.decorator_list)
    names = names[1:] if method and not static else names
    names += [*given.kwonlyargs, *(one for one in (given.vararg, given.kwarg) if one)]
    return function.returns is not None and all(one.annotation for one in names)


def test_every_function_but_kernels_is_annotated() -> None:
    found = {
        path.relative_to(SOURCES).as_posix(): untyped_functions(path.read_text()) for path in SOURCES.rglob("*.py")
    }
    assert {name: functions for name, functions in found.items() if functions} == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("def f(x: int) -> int: ...", []),
        ("def f(x) -> int: ...", ["f"]),
        ("def f(x: int): ...", ["f"]),
        ("def f(*, x) -> int: ...", ["f"]),
        ("def f(*x) -> int: ...", ["f"]),
        ("class A:\n    def f(self, x: int) -> int: ...", []),
        ("class A:\n    @staticmethod\n    def f(x) -> int: ...", ["f"]),
        ("@kernel\ndef f(x): ...", []),
        ("@overload(g, target='generic')\ndef f(x):\n    def inner(x): ...", []),
        ("def factory(g: Any) -> Any:\n    @kernel\n    def f(x): ...", []),
        ("def factory(g: Any) -> Any:\n    def f(x): ...", ["f"]),
    ],
)
def test_untyped_functions_are_found(text: str, found: list[str]) -> None:
    assert untyped_functions(text) == found
