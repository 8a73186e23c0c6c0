"""A tiny course of three tasks, so that the classroom's own tests do not depend on any lesson."""

import pytest

LESSON = """# %% [markdown]
# # A lesson

# %%
print(1 + 1)
"""
EXERCISES = '''# %% [markdown]
# # Exercises

# %%
from picolab.classroom import check

# %% [markdown] task="42.1" points=2 level=1 minutes=5
# ## 42.1 Double
#
# <details><summary>Nudge</summary>Add it to itself.</details>
# <details><summary>Method</summary>Multiply.</details>
# <details><summary>Nearly there</summary>`2 * n`</details>

# %% answer="42.1"
def double(n: int) -> int:
    """Twice n."""
    # BEGIN SOLUTION
    return 2 * n
    # END SOLUTION

# %% check="42.1"
await check("42.1", double)

# %% [markdown] task="42.2" points=3 level=2 minutes=5
# ## 42.2 The sum
#
# <details><summary>Nudge</summary>There is a built-in.</details>
# <details><summary>Method</summary>Use it.</details>
# <details><summary>Nearly there</summary>`sum(numbers)`</details>

# %% answer="42.2"
# BEGIN SOLUTION
total = sum
# STUB total = None
# END SOLUTION

# %% check="42.2"
await check("42.2", total)

# %% [markdown] task="42.3" points=1 level=3 minutes=5
# ## 42.3 Wait
#
# <details><summary>Nudge</summary>It is async.</details>
# <details><summary>Method</summary>Await.</details>
# <details><summary>Nearly there</summary>`return await thing()`</details>

# %% answer="42.3"
async def wait_for(thing):
    """What awaiting thing() gives."""
    # BEGIN SOLUTION
    return await thing()
    # END SOLUTION

# %% check="42.3"
await check("42.3", wait_for)
'''
CHECKS = """from picolab.classroom import expect, judges


@judges("42.1")
def doubles_a_number(double, rng):
    n = rng.randint(10, 10_000)
    got = double(n)
    expect(got == 2 * n, f"for n={n} you returned {got}; expected {2 * n}")
    return got


@judges("42.2")
def adds_up(total, rng):
    numbers = [rng.randint(1, 9_999) for _ in range(5)]
    got = total(numbers)
    expect(got == sum(numbers), f"for {numbers} you returned {got}; expected {sum(numbers)}")
    return got


@judges("42.2")
def nothing_adds_up_to_nothing(total, rng):
    rng.random()
    expect(total([]) == 0, f"for [] you returned {total([])}; expected 0")
    return rng.random()


@judges("42.3")
async def gives_what_it_awaited(wait_for, rng):
    value = rng.randint(1, 10**6)

    async def thing():
        return value

    got = await wait_for(thing)
    expect(got == value, f"the thing gave {value} and you returned {got}")
    return got
"""


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """The folder of a checkout with one module, 42, and a learner's state of its own."""
    folder = tmp_path / "checkout" / "course" / "42_tiny"
    folder.mkdir(parents=True)
    (tmp_path / "checkout" / "pyproject.toml").write_text("", encoding="utf-8")
    for name, text in (("lesson.py", LESSON), ("exercises.py", EXERCISES), ("checks.py", CHECKS)):
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.setenv("PICOLAB_ROOT", str(tmp_path / "checkout"))
    monkeypatch.setenv("PICOLAB_HOME", str(tmp_path / "state"))
    return tmp_path / "checkout"
