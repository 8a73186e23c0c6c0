"""Broken repositories, made on the spot: a kind of break, names, a layout, and notes in somebody's words."""

import textwrap
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Break:
    """A dependency's new source, an application written for the old one, and tests of the application."""

    library: dict[str, str]
    """Files of the dependency's package, by path inside it; {lib} is its name."""
    app: str
    tests: str
    note: str
    old: str = ""
    more: dict[str, str] = field(default_factory=dict)


LAYOUTS = {
    "vendored": ("vendor/{lib}", {"pytest.ini": "[pytest]\npythonpath = . vendor\n"}),
    "third party": (
        "third_party/{lib}-2.0/src/{lib}",
        {
            "conftest.py": "import pathlib, sys\nsys.path[:0] = [str(p) for p in pathlib.Path(__file__).parent.glob('third_party/*/src')]\n"
        },
    ),
    "beside": ("{lib}", {}),
}
NOTES = {
    "none": {},
    "changelog": {
        "{home}/CHANGES.rst": "2.0\n===\n\n* Faster parsing.\n* {note}\n\n1.9\n===\n\n* Nothing.\n"
    },
    "upgrading": {"docs/upgrading.md": "# Upgrading\n\nSome names changed. {note}\n"},
    "readme": {
        "{home}/README.md": "# {lib}\n\nA library.\n\n## What is new\n\n| change |\n|---|\n| {note} |\n"
    },
    "docstring": {},
}


def write(folder: Path, broken: Break, lib: str, app: str, layout: str, notes: str) -> Path:
    """Write a repository and return its folder."""
    home, extra = LAYOUTS[layout]
    home = home.format(lib=lib)
    files = {f"{home}/{path}": text for path, text in broken.library.items()}
    files |= {f"{app}/__init__.py": "", f"{app}/core.py": broken.app, "tests/test_core.py": broken.tests}
    files |= extra | broken.more
    files |= {path.replace("{home}", home): text for path, text in NOTES[notes].items()}
    for path, text in files.items():
        path = path.replace("{app}", app)
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        text = (
            textwrap.dedent(text).replace("{note}", broken.note).replace("{lib}", lib).replace("{app}", app)
        )
        if notes == "docstring" and path == f"{home}/__init__.py":
            text = f'"""{lib}, version 2.\n\n{broken.note.replace("{lib}", lib)}\n"""\n' + text
        target.write_text(text.lstrip("\n"), encoding="utf-8")
    return folder


BREAKS = {
    "function renamed, imported by name": Break(
        {
            "__init__.py": "from {lib}.text import slugify\n",
            "text.py": "def slugify(words):\n    return '-'.join(words.lower().split())\n\n\ndef shorten(words, n=3):\n    return words[:n]\n",
        },
        "from {lib} import make_slug\n\n\ndef address(title):\n    return '/' + make_slug(title)\n",
        "from {app}.core import address\n\n\ndef test_address():\n    assert address('Hello New World') == '/hello-new-world'\n",
        "``make_slug`` has been renamed ``slugify``.",
    ),
    "function renamed, used as an attribute": Break(
        {
            "__init__.py": "def to_celsius(f):\n    return (f - 32) * 5 / 9\n\n\ndef to_kelvin(f):\n    return to_celsius(f) + 273.15\n"
        },
        "import {lib}\n\n\ndef report(values):\n    return [round({lib}.f2c(v)) for v in values]\n",
        "from {app}.core import report\n\n\ndef test_report():\n    assert report([32, 212]) == [0, 100]\n",
        "use `to_celsius` instead of `f2c`",
    ),
    "function renamed, imported under another name": Break(
        {
            "__init__.py": "from .ops import merge_all\n",
            "ops.py": "def merge_all(*dicts):\n    out = {}\n    for d in dicts:\n        out.update(d)\n    return out\n",
        },
        "from {lib} import combine as join\n\n\ndef settings(a, b):\n    '''combine two'''\n    return join(a, b)\n",
        "from {app}.core import settings\n\n\ndef test_settings():\n    assert settings({'a': 1}, {'b': 2}) == {'a': 1, 'b': 2}\n",
        "`combine` → `merge_all`",
    ),
    "class renamed": Break(
        {
            "__init__.py": "from .stack import BoundedStack\n",
            "stack.py": "class BoundedStack:\n    def __init__(self, most):\n        self.most, self.items = most, []\n\n    def push(self, x):\n        self.items.append(x)\n        del self.items[:-self.most]\n",
        },
        "from {lib} import Stack\n\n\ndef last(values, n):\n    stack: 'Stack' = Stack(n)\n    for v in values:\n        stack.push(v)\n    return stack.items\n",
        "from {app}.core import last\n\n\ndef test_last():\n    assert last([1, 2, 3], 2) == [2, 3]\n",
        "The class Stack is called BoundedStack now.",
    ),
    "constant renamed": Break(
        {"__init__.py": "DEFAULT_TIMEOUT = 30\nMAX_RETRIES = 5\n"},
        "import {lib} as base\n\n\ndef patience(factor):\n    return base.TIMEOUT * factor\n",
        "from {app}.core import patience\n\n\ndef test_patience():\n    assert patience(2) == 60\n",
        "TIMEOUT was renamed to DEFAULT_TIMEOUT",
    ),
    "method renamed": Break(
        {
            "__init__.py": "class Ledger:\n    def __init__(self):\n        self.rows = []\n\n    def record(self, amount):\n        self.rows.append(amount)\n\n    def balance(self):\n        return sum(self.rows)\n"
        },
        "from {lib} import Ledger\n\n\ndef total(amounts):\n    ledger = Ledger()\n    for a in amounts:\n        ledger.add_entry(a)\n    return ledger.balance()\n",
        "from {app}.core import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
        "`Ledger.add_entry` is now `Ledger.record`",
    ),
    "attribute renamed": Break(
        {
            "__init__.py": "class Point:\n    def __init__(self, lon, lat):\n        self.longitude, self.latitude = lon, lat\n\n\ndef origin():\n    return Point(0, 51)\n"
        },
        "from {lib} import origin\n\n\ndef where():\n    p = origin()\n    return f'{p.lat}/{p.lon}'\n",
        "from {app}.core import where\n\n\ndef test_where():\n    assert where() == '51/0'\n",
        "Points spell their fields out: lat became latitude, lon became longitude.",
    ),
    "module moved": Break(
        {
            "__init__.py": "",
            "readers/__init__.py": "",
            "readers/csv_reader.py": "def rows(text):\n    return [line.split(',') for line in text.splitlines()]\n",
        },
        "from {lib}.csvio import rows\n\n\ndef cells(text):\n    return sum(len(r) for r in rows(text))\n",
        "from {app}.core import cells\n\n\ndef test_cells():\n    assert cells('a,b\\nc,d') == 4\n",
        "Reading moved from {lib}.csvio into {lib}.readers.csv_reader.",
    ),
    "module moved, imported whole": Break(
        {
            "__init__.py": "",
            "core/__init__.py": "",
            "core/clock.py": "def minutes(hhmm):\n    h, m = hhmm.split(':')\n    return int(h) * 60 + int(m)\n",
        },
        "import {lib}.timing as timing\n\n\ndef length(a, b):\n    return timing.minutes(b) - timing.minutes(a)\n",
        "from {app}.core import length\n\n\ndef test_length():\n    assert length('09:10', '10:00') == 50\n",
        "`{lib}.timing` has moved, see `{lib}.core.clock`",
    ),
    "module moved, written out": Break(
        {
            "__init__.py": "",
            "graph/__init__.py": "",
            "graph/walk.py": "def reach(edges, a):\n    seen, todo = set(), [a]\n    while todo:\n        n = todo.pop()\n        if n not in seen:\n            seen.add(n)\n            todo += edges.get(n, [])\n    return seen\n",
        },
        "import {lib}.traverse\n\n\ndef count(edges, a):\n    return len({lib}.traverse.reach(edges, a))\n",
        "from {app}.core import count\n\n\ndef test_count():\n    assert count({1: [2], 2: [3], 9: [1]}, 1) == 3\n",
        "traverse is now graph.walk",
    ),
    "name moved between modules": Break(
        {
            "__init__.py": "",
            "strings.py": "def title(s):\n    return s.title()\n",
            "numbers.py": "def clamp(x, low, high):\n    return max(low, min(high, x))\n",
        },
        "from {lib}.strings import clamp, title\n\n\ndef show(x):\n    return title('value ') + str(clamp(x, 0, 9))\n",
        "from {app}.core import show\n\n\ndef test_show():\n    assert show(12) == 'Value 9'\n",
        "clamp lives in {lib}.numbers",
    ),
    "keyword renamed": Break(
        {
            "__init__.py": "def wrap(text, *, columns=80, indent=0):\n    return [' ' * indent + text[i:i + columns] for i in range(0, len(text), columns)]\n"
        },
        "from {lib} import wrap\n\n\ndef lines(text):\n    return wrap(\n        text,\n        width=4,  # width of a line\n    )\n",
        "from {app}.core import lines\n\n\ndef test_lines():\n    assert lines('abcdefgh') == ['abcd', 'efgh']\n",
        "`wrap(width=)` is now `wrap(columns=)`",
    ),
    "keyword of a class renamed": Break(
        {
            "__init__.py": "from dataclasses import dataclass\n\n\n@dataclass\nclass Retry:\n    max_attempts: int = 3\n    pause: float = 0.0\n\n    def plan(self):\n        return [self.pause] * self.max_attempts\n"
        },
        "import {lib}\n\n\ndef plan():\n    return {lib}.Retry(tries=2, pause=1.5).plan()\n",
        "from {app}.core import plan\n\n\ndef test_plan():\n    assert plan() == [1.5, 1.5]\n",
        "Retry takes max_attempts where it took tries",
    ),
    "keyword renamed, given through partial and a dict": Break(
        {"__init__.py": "def pad(text, size, *, fill=' '):\n    return text.ljust(size, fill)\n"},
        "from functools import partial\n\nfrom {lib} import pad\n\ndotted = partial(pad, char='.')\nOPTIONS = {'char': '-'}\n\n\ndef row(a, b):\n    return dotted(a, 4) + pad(b, 3, **OPTIONS)\n",
        "from {app}.core import row\n\n\ndef test_row():\n    assert row('ab', 'c') == 'ab..c--'\n",
        "pad: the argument char is called fill",
    ),
    "a pair became an object": Break(
        {
            "__init__.py": "from dataclasses import dataclass\n\n\n@dataclass\nclass Bounds:\n    lower: float\n    upper: float\n\n\ndef bounds(values) -> Bounds:\n    return Bounds(min(values), max(values))\n"
        },
        "from {lib} import bounds\n\n\ndef width(values):\n    low, high = bounds(values)\n    return high - low\n\n\ndef middle(values):\n    b = bounds(values)\n    return (b[0] + b[1]) / 2\n",
        "from {app}.core import middle, width\n\n\ndef test_width():\n    assert width([1, 5]) == 4\n\n\ndef test_middle():\n    assert middle([1, 5]) == 3\n",
        "bounds() returns a Bounds with lower and upper",
    ),
    "pairs in a list became objects": Break(
        {
            "__init__.py": "from typing import NamedTuple\n\n\nclass Hit:\n    def __init__(self, name, score):\n        self.name = name\n        self.score = score\n\n\ndef search(words, letter) -> list[Hit]:\n    return [Hit(w, w.count(letter)) for w in words if letter in w]\n"
        },
        "from {lib} import search\n\n\ndef best(words):\n    top = {}\n    for name, score in search(words, 'a'):\n        top[name] = score\n    return top\n\n\ndef names(words):\n    return [n for n, s in search(words, 'a') if s > 1]\n",
        "from {app}.core import best, names\n\n\ndef test_best():\n    assert best(['banana', 'cat', 'dog']) == {'banana': 3, 'cat': 1}\n\n\ndef test_names():\n    assert names(['banana', 'cat']) == ['banana']\n",
        "search gives Hit objects (name, score)",
    ),
    "a dict became an object": Break(
        {
            "__init__.py": "class Config:\n    def __init__(self, host, port):\n        self.host = host\n        self.port = port\n\n\ndef read(text) -> Config:\n    host, port = text.split(':')\n    return Config(host, int(port))\n"
        },
        "from {lib} import read\n\n\ndef url(text):\n    c = read(text)\n    return f\"http://{c['host']}:{c['port']}\"\n",
        "from {app}.core import url\n\n\ndef test_url():\n    assert url('a:80') == 'http://a:80'\n",
        "`read` returns a Config; use its attributes",
    ),
    "an object became a dict": Break(
        {
            "__init__.py": "def stat(text):\n    return {'lines': len(text.splitlines()), 'words': len(text.split())}\n"
        },
        "from {lib} import stat\n\n\ndef summary(text):\n    s = stat(text)\n    return s.lines, s.words\n",
        "from {app}.core import summary\n\n\ndef test_summary():\n    assert summary('a b\\nc') == (2, 3)\n",
        "stat() returns a plain dict",
    ),
    "a list became a generator": Break(
        {"__init__.py": "def tokens(text):\n    for word in text.split():\n        yield word.lower()\n"},
        "from {lib} import tokens\n\n\ndef count(text):\n    return len(tokens(text))\n\n\ndef first(text):\n    return tokens(text)[0]\n",
        "from {app}.core import count, first\n\n\ndef test_count():\n    assert count('A b C') == 3\n\n\ndef test_first():\n    assert first('A b') == 'a'\n",
        "tokens is lazy now",
    ),
    "a list became a generator, seen only in a test": Break(
        {"__init__.py": "def evens(n):\n    return (i for i in range(n) if i % 2 == 0)\n"},
        "import {lib}\n\n\ndef small_evens():\n    return {lib}.evens(5)\n",
        "from {app}.core import small_evens\n\n\ndef test_small():\n    assert small_evens() == [0, 2, 4]\n",
        "evens() returns an iterator",
    ),
    "a number became an object, seen only in a test": Break(
        {
            "__init__.py": "from dataclasses import dataclass\n\n\n@dataclass(frozen=True)\nclass Score:\n    detail: str\n    value: int\n\n\ndef rate(text) -> Score:\n    return Score('vowels', sum(c in 'aeiou' for c in text))\n"
        },
        "from {lib} import rate\n\n\ndef rating(text):\n    return rate(text)\n",
        "from {app}.core import rating\n\n\ndef test_rating():\n    assert rating('banana') == 3\n",
        "rate returns a Score, the number is its value",
    ),
    "a value became a pair": Break(
        {"__init__.py": "def solve(n) -> tuple[int, list[str]]:\n    return n * n, ['ok']\n"},
        "from {lib} import solve\n\n\ndef twice(n):\n    return solve(n) * 2\n\n\ndef plus(n):\n    result = solve(n)\n    return result + 1\n",
        "from {app}.core import plus, twice\n\n\ndef test_twice():\n    assert twice(3) == 18\n\n\ndef test_plus():\n    assert plus(3) == 10\n",
        "solve() returns the answer and a list of remarks",
    ),
    "text became bytes": Break(
        {
            "__init__.py": "def encode(d) -> bytes:\n    return ';'.join(f'{k}={v}' for k, v in d.items()).encode()\n"
        },
        "from {lib} import encode\n\n\ndef line(d):\n    return '> ' + encode(d)\n",
        "from {app}.core import line\n\n\ndef test_line():\n    assert line({'a': 1}) == '> a=1'\n",
        "encode gives bytes",
    ),
    "a method became a property": Break(
        {
            "__init__.py": "class Box:\n    def __init__(self, w, h):\n        self.w, self.h = w, h\n\n    @property\n    def area(self):\n        return self.w * self.h\n"
        },
        "from {lib} import Box\n\n\ndef size(w, h):\n    return Box(w, h).area()\n",
        "from {app}.core import size\n\n\ndef test_size():\n    assert size(2, 3) == 6\n",
        "area is a property",
    ),
    "a key was renamed": Break(
        {
            "__init__.py": "def parse(text):\n    name, _, value = text.partition('=')\n    return {'key': name, 'value': value}\n"
        },
        "from {lib} import parse\n\n\ndef show(text):\n    p = parse(text)\n    return p['name'] + ': ' + p['value']\n",
        "from {app}.core import show\n\n\ndef test_show():\n    assert show('a=1') == 'a: 1'\n",
        "The dict has the entry key; it was name.",
    ),
    "removed with a message that says what to use": Break(
        {
            "__init__.py": "def dump_text(d):\n    return ','.join(sorted(d))\n\n\ndef dump(*args, **kwargs):\n    raise RuntimeError('dump() was removed in 2.0, call dump_text() instead')\n"
        },
        "import {lib}\n\n\ndef text(d):\n    return {lib}.dump(d)\n",
        "from {app}.core import text\n\n\ndef test_text():\n    assert text({'b': 1, 'a': 2}) == 'a,b'\n",
        "see the message",
    ),
}

HOPELESS = {
    "removed, and nothing like it": Break(
        {"__init__.py": "VERSION = '2.0'\n"},
        "from {lib} import sparkline\n\n\ndef chart(v):\n    return sparkline(v)\n",
        "from {app}.core import chart\n\n\ndef test_chart():\n    assert chart([1, 2]) == '▁█'\n",
        "sparkline was removed; there is no replacement",
    ),
    "wrong in the application itself": Break(
        {"__init__.py": "def double(x):\n    return 2 * x\n"},
        "from {lib} import double\n\n\ndef price(x):\n    return double(x) - 1\n",
        "from {app}.core import price\n\n\ndef test_price():\n    assert price(10) == 20\n",
        "nothing changed",
    ),
    "a package that is not installed": Break(
        {"__init__.py": ""},
        "import surely_not_installed_anywhere\n\n\ndef go():\n    return surely_not_installed_anywhere.go()\n",
        "from {app}.core import go\n\n\ndef test_go():\n    assert go() == 1\n",
        "",
    ),
    "a dependency that is no Python any more": Break(
        {"__init__.py": "def f(:\n"},
        "from {lib} import f\n\n\ndef go():\n    return f()\n",
        "from {app}.core import go\n\n\ndef test_go():\n    assert go() == 1\n",
        "",
    ),
}

BREAKS |= {
    "renamed and moved at once": Break(
        {
            "__init__.py": "",
            "math2.py": "def average(v):\n    return sum(v) / len(v)\n\n\ndef spread(v):\n    return max(v) - min(v)\n",
        },
        "from {lib}.stats import mean_of\n\n\ndef grade(v):\n    return mean_of(v) + 1\n",
        "from {app}.core import grade\n\n\ndef test_grade():\n    assert grade([1, 3]) == 3\n",
        "stats.mean_of became math2.average",
    ),
    "handed on to others under the old name": Break(
        {"__init__.py": "def normalise(s):\n    return ' '.join(s.split())\n"},
        "from {app}.compat import clean\n\n\ndef tidy(s):\n    return clean(s).lower()\n",
        "import {app}.compat\nfrom {app}.core import tidy\n\n\ndef test_tidy():\n    assert tidy(' A  b') == 'a b'\n\n\ndef test_public_name():\n    assert {app}.compat.clean(' x ') == 'x'\n",
        "clean is now called normalise",
        more={"{app}/compat.py": "from {lib} import clean\n\n__all__ = ['clean']\n"},
    ),
    "replaced by name in a test": Break(
        {"__init__.py": "def now_iso():\n    return '2026-01-01'\n"},
        "from {lib} import today\n\n\ndef stamp():\n    return 'on ' + today()\n",
        "from {app} import core\n\n\ndef test_stamp(monkeypatch):\n    monkeypatch.setattr(core, 'today', lambda: 'a day')\n    assert core.stamp() == 'on a day'\n",
        "today() is now_iso()",
    ),
    "imported with a star": Break(
        {"__init__.py": "def upper_first(s):\n    return s[:1].upper() + s[1:]\n"},
        "from {lib} import *\n\n\ndef name(s):\n    return capitalise(s)\n",
        "from {app}.core import name\n\n\ndef test_name():\n    assert name('ann') == 'Ann'\n",
        "capitalise → upper_first",
    ),
    "a member of an enumeration": Break(
        {
            "__init__.py": "import enum\n\n\nclass Level(enum.Enum):\n    LOW = 1\n    ELEVATED = 2\n    HIGH = 3\n"
        },
        "from {lib} import Level\n\n\ndef alarm(x):\n    return Level.MEDIUM if x > 5 else Level.LOW\n",
        "from {app}.core import alarm\n\n\ndef test_alarm():\n    assert alarm(9).value == 2\n",
        "Level.MEDIUM has been renamed to Level.ELEVATED",
    ),
    "a dict became a namedtuple": Break(
        {
            "__init__.py": "from collections import namedtuple\n\nSize = namedtuple('Size', 'width height')\n\n\ndef measure(rows):\n    return Size(max(map(len, rows)), len(rows))\n"
        },
        "from {lib} import measure\n\n\ndef area(rows):\n    m = measure(rows)\n    return m['width'] * m['height']\n",
        "from {app}.core import area\n\n\ndef test_area():\n    assert area(['ab', 'c']) == 4\n",
        "measure() returns a namedtuple Size(width, height)",
    ),
    "a pair became a dict": Break(
        {
            "__init__.py": "def split_name(s):\n    first, _, last = s.partition(' ')\n    return {'first': first, 'last': last}\n"
        },
        "import {lib}\n\n\ndef initials(s):\n    first, last = {lib}.split_name(s)\n    return first[0] + last[0]\n",
        "from {app}.core import initials\n\n\ndef test_initials():\n    assert initials('Ada Lovelace') == 'AL'\n",
        "split_name returns a dict with first and last",
    ),
    "keyword of a method": Break(
        {
            "__init__.py": "class Table:\n    def __init__(self, rows):\n        self.rows = rows\n\n    def sorted_by(self, column, *, descending=False):\n        return sorted(self.rows, key=lambda r: r[column], reverse=descending)\n"
        },
        "from {lib} import Table\n\n\ndef top(rows):\n    return Table(rows).sorted_by('n', reverse=True)[0]\n\n\ndef bottom(rows):\n    return Table(rows).sorted_by('n', reverse=False)[0]\n",
        "from {app}.core import top, bottom\n\n\ndef test_top():\n    assert top([{'n': 1}, {'n': 2}]) == {'n': 2}\n\n\ndef test_bottom():\n    assert bottom([{'n': 1}, {'n': 2}]) == {'n': 1}\n",
        "sorted_by: reverse= is spelled descending=",
    ),
    "an async function whose result changed": Break(
        {
            "__init__.py": "class Answer:\n    def __init__(self, status, body):\n        self.status = status\n        self.body = body\n\n\nasync def fetch(url) -> Answer:\n    return Answer(200, 'hello ' + url)\n"
        },
        "import asyncio\n\nfrom {lib} import fetch\n\n\nasync def page(url):\n    body = await fetch(url)\n    return body.upper()\n\n\ndef get(url):\n    return asyncio.run(page(url))\n",
        "from {app}.core import get\n\n\ndef test_get():\n    assert get('x') == 'HELLO X'\n",
        "fetch returns an Answer; the text is its body",
    ),
    "refused with a hint": Break(
        {
            "__init__.py": "def crop(text, **options):\n    if 'size' in options:\n        raise TypeError(\"crop() takes 'length' instead of 'size' since 2.0\")\n    return text[: options.get('length', 3)]\n"
        },
        "from {lib} import crop\n\n\ndef short(s):\n    return crop(s, size=2)\n",
        "from {app}.core import short\n\n\ndef test_short():\n    assert short('abc') == 'ab'\n",
        "",
    ),
    "vendored inside the application": Break(
        {"__init__.py": "VERSION = 2\n"},
        "from ._vendor.mini import squeeze\nfrom ._vendor import mini\n\n\ndef tight(s):\n    return squeeze(s) + str(mini.LEVEL)\n",
        "from {app}.core import tight\n\n\ndef test_tight():\n    assert tight('a b') == 'ab9'\n",
        "squeeze was renamed to compact; LEVEL to DEFAULT_LEVEL",
        more={
            "{app}/_vendor/__init__.py": "",
            "{app}/_vendor/mini/__init__.py": "from .text import compact\n\nDEFAULT_LEVEL = 9\n",
            "{app}/_vendor/mini/text.py": "def compact(s):\n    return s.replace(' ', '')\n",
        },
    ),
    "used in several files, one of them untested": Break(
        {"__init__.py": "def join_path(*parts):\n    return '/'.join(parts)\n"},
        "from {lib} import path_join\nfrom {app}.other import deep\n\n\ndef home(u):\n    return path_join('home', u)\n\n\ndef all_of(u):\n    return [home(u), deep(u)]\n",
        "from {app}.core import all_of\n\n\ndef test_all():\n    assert all_of('x') == ['home/x', 'a/b/x']\n",
        "path_join → join_path",
        more={
            "{app}/other.py": "import {lib}\n\n\ndef deep(u):\n    return {lib}.path_join('a', 'b', u)\n",
            "{app}/untested.py": "from {lib} import path_join  # path_join stays in this comment\n\nNAME = 'path_join'\n\n\ndef never(u):\n    return path_join(u)\n",
        },
    ),
    "a package renamed": Break(
        {
            "__init__.py": "from .shapes import square\n",
            "shapes.py": "def square(n):\n    return ['#' * n] * n\n",
        },
        "from oldshapes.shapes import square\nimport oldshapes\n\n\ndef draw(n):\n    return '\\n'.join(square(n)) + oldshapes.square(1)[0]\n",
        "from {app}.core import draw\n\n\ndef test_draw():\n    assert draw(2) == '##\\n###'\n",
        "oldshapes is called {lib} from now on",
    ),
}
