"""The package as a whole: its stubs and words, and the example."""

import ast
import inspect
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

import blazon_rules
from blazon_rules import _native

from conftest import HERE

ROOT = HERE.parent.parent
STUBS = Path(blazon_rules.__file__).with_name("_native.pyi")


def members(node):
    return {item.name for item in node.body if isinstance(item, ast.FunctionDef)}


def public(names):
    return {name for name in names if not name.startswith("_")}


def test_stubs_have_what_there_is():
    assert STUBS.with_name("py.typed").exists()
    tree = ast.parse(STUBS.read_text())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    functions = members(tree)
    for name in public(dir(_native)):
        made = getattr(_native, name)
        if inspect.isclass(made):
            assert public(members(classes.pop(name))) == public(vars(made)), name
        else:
            functions.remove(name)
    assert not classes and not functions
    for name, node in ((node.name, node) for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        for function in node.body:
            made = getattr(getattr(_native, name), function.name, None)
            if isinstance(function, ast.FunctionDef) and inspect.ismethoddescriptor(made) and not function.name.startswith("_"):
                wanted = [arg.arg for arg in function.args.posonlyargs + function.args.args + function.args.kwonlyargs]
                given = [p.name for p in inspect.signature(made).parameters.values() if p.kind != p.VAR_KEYWORD]
                assert wanted == given, (name, function.name)


def test_everything_has_words():
    for name in blazon_rules.__all__:
        made = getattr(blazon_rules, name)
        assert made.__doc__, name
        if inspect.isclass(made) and made.__module__ == "blazon_rules":
            for member in public(vars(made)):
                assert inspect.getdoc(vars(made)[member]), (name, member)


def test_the_readme_plays():
    page = ROOT / "interpreter" / "python" / "README.md"
    if not page.exists():
        pytest.skip("the wheel is tested without its sources")
    (first, *_) = page.read_text().split("```python\n")[1:]
    run = subprocess.run([sys.executable, "-c", first.split("```")[0]], capture_output=True, text=True, check=True)
    assert run.stdout.rstrip().endswith("has won")


def test_the_example_learns(tmp_path):
    pytest.importorskip("numpy")
    script = ROOT / "interpreter" / "python" / "examples" / "train_salt_road.py"
    if not script.exists():
        pytest.skip("the wheel is tested without its sources")
    curve = tmp_path / "curve.svg"
    run = subprocess.run(
        [sys.executable, script, "--games", "4000", "--held-out", "200", "--curve", curve],
        capture_output=True,
        text=True,
        check=True,
    )
    last = run.stdout.rstrip().splitlines()[-1]
    least = float(last.split("(")[1].split("%")[0])
    assert least > 60, last
    assert xml.parse(curve).getroot().tag.endswith("svg")
