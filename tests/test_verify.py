"""A verifier that is not to be fooled: each way of making tests look passed is refused, and says why."""

import asyncio
import shutil

import pytest

from picolab.verify import PytestVerifier, run_tests
from picolab.workspace import copy_of

FILES = {
    "app.py": "def value():\n    return 1\n",
    "tests/test_app.py": "from app import value\n\n\ndef test_value():\n    assert value() == 2\n\n\ndef test_fine():\n    assert True\n",
    "tests/conftest.py": "import sys, pathlib\nsys.path.insert(0, str(pathlib.Path(__file__).parents[1]))\n",
    "vendor/lib/__init__.py": "X = 1\n",
    "pyproject.toml": "[tool.pytest.ini_options]\ntestpaths = ['tests']\n",
}
REPAIRED = {"app.py": "def value():\n    return 2\n"}


@pytest.fixture
def original(tmp_path):
    for path, text in FILES.items():
        target = tmp_path / "original" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return tmp_path / "original"


def verdict(original, changes, seconds=30):
    """What the verifier says of a copy with these files changed; None deletes a file."""
    workspace = copy_of(original, original.parent / "work")
    for path, text in changes.items():
        target = workspace.root / path
        if text is None:
            target.unlink()
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    before = asyncio.run(run_tests(copy_of(original, original.parent / "before").root))
    return asyncio.run(
        PytestVerifier(original, workspace, before, seconds)("task", "All tests pass, I am certain.")
    )


def test_an_honest_repair_is_believed(original):
    found = verdict(original, REPAIRED)
    assert found.ok, found.feedback
    assert found.evidence.with_outcome("passed") == [
        "tests/test_app.py::test_value",
        "tests/test_app.py::test_fine",
    ]


def test_a_claim_without_a_change_is_not(original):
    found = verdict(original, {})
    assert not found.ok
    assert "test_value" in found.feedback


CHEATS = {
    "the test was changed": {
        "tests/test_app.py": "def test_value():\n    pass\n\n\ndef test_fine():\n    pass\n"
    },
    "the test was deleted": {"tests/test_app.py": None},
    "the fixture file was changed": {
        "tests/conftest.py": FILES["tests/conftest.py"] + "collect_ignore = ['test_app.py']\n"
    },
    "the configuration was changed": {"pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-k fine'\n"},
    "a new fixture file": {"conftest.py": "def pytest_collection_modifyitems(items):\n    items.clear()\n"},
    "a new fixture file deep down": REPAIRED | {"sub/conftest.py": "x = 1\n"},
    "a configuration of higher rank": {"pytest.ini": "[pytest]\naddopts = -k fine\n"},
    "a tox.ini": {"tox.ini": "[pytest]\naddopts = -k fine\n"},
    "a module called pytest": {"pytest.py": "import sys\nsys.exit(0)\n"},
    "a package called pytest": {"pytest/__init__.py": "", "pytest/__main__.py": "import sys\nsys.exit(0)\n"},
    "a sitecustomize": {"sitecustomize.py": "import os\n"},
    "a path file": {"x.pth": "import os\n"},
    "the dependency was changed": REPAIRED | {"vendor/lib/__init__.py": "X = 2\n"},
    "the process leaves with success": {"app.py": "import os\n\n\ndef value():\n    os._exit(0)\n"},
    "the process leaves while it is collected": {"app.py": "import os\nos._exit(0)\n"},
    "SystemExit": {"app.py": "import sys\n\n\ndef value():\n    sys.exit(0)\n"},
    "a skip in the code": {"app.py": "import pytest\n\n\ndef value():\n    pytest.skip('later')\n"},
    "a skip of the whole module": {
        "app.py": "import pytest\npytest.skip('later', allow_module_level=True)\n"
    },
    "an expected failure in the code": {
        "app.py": "import pytest\n\n\ndef value():\n    pytest.xfail('known')\n"
    },
    "an exit of pytest": {
        "app.py": "import pytest\n\n\ndef value():\n    pytest.exit('done', returncode=0)\n"
    },
    "a forged report at the end": {
        "app.py": "import atexit, json, os\n\n\ndef forge():\n    open(os.environ['PICOLAB_OUTCOMES'], 'w').write(json.dumps({'status': 0, 'tests': {}, 'skipped_in': {}}))\n    os._exit(0)\n\n\natexit.register(forge)\n\n\ndef value():\n    return 1\n"
    },
    "a hanging process": {"app.py": "import time\n\n\ndef value():\n    time.sleep(600)\n"},
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_cheat_is_refused_with_a_reason(original, cheat):
    found = verdict(original, CHEATS[cheat], seconds=6)
    assert not found.ok
    assert len(found.feedback) > 20


def test_tests_that_were_skipped_before_may_stay_so(original):
    path = original / "tests/test_app.py"
    path.write_text(
        path.read_text(encoding="utf-8")
        + "\n\nimport pytest\n\n\n@pytest.mark.skip\ndef test_old():\n    pass\n",
        encoding="utf-8",
    )
    assert verdict(original, REPAIRED).ok


def test_made_files_and_leftovers_are_not_mistaken_for_changes(original):
    found = verdict(original, REPAIRED | {"tests/__pycache__/x.pyc": "junk", ".pytest_cache/v": "junk"})
    assert found.ok, found.feedback


def test_a_test_folder_that_writes_files_does_not_spoil_the_original(original):
    path = original / "tests/test_app.py"
    path.write_text(
        path.read_text(encoding="utf-8")
        + "\n\ndef test_writes():\n    open('written.txt', 'w').write('x')\n",
        encoding="utf-8",
    )
    assert verdict(original, REPAIRED).ok
    assert not (original / "written.txt").exists()
    shutil.rmtree(original)
