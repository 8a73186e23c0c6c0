"""Every answer in right/ passes its checks, and every one in wrong/ fails with the words that name its mistake."""

import asyncio
import functools

import pytest

from picolab.classroom import course
from picolab.classroom.answers import answer_name, run_cells, setup_cells, solutions
from picolab.classroom.checking import judge

SEEDS = ("a", "b", "c")
CASES = [
    (m.number, kind, path)
    for m in course.modules()
    for kind in ("right", "wrong")
    for path in m.answers(kind)
]
TASKS = [(module.number, task.id) for module in course.modules() for task in module.tasks]


@functools.cache
def names_of(number):
    module = course.module(number)
    return run_cells([*setup_cells(module), *solutions(module).values()])


def judged(number, task, source, seed):
    module = course.module(number)
    names = run_cells([source], dict(names_of(number)))
    return asyncio.run(judge(task, eval(answer_name(module, task), names), seed))


def said(judgement):
    return "\n".join(result.message for result in judgement.results)


@pytest.mark.parametrize(("number", "kind", "path"), CASES, ids=[f"{n}-{k}-{p.stem}" for n, k, p in CASES])
def test_checks_tell_right_answers_from_wrong_ones(number, kind, path):
    task = f"{number}.{path.stem.partition('_')[0]}"
    source = path.read_text(encoding="utf-8")
    for seed in SEEDS:
        judgement = judged(number, task, source, seed)
        if kind == "right":
            assert judgement.ok, said(judgement)
        else:
            first = source.splitlines()[0]
            assert first.startswith("# expect: "), (
                f"{path} must begin with `# expect: ` and words of the failure"
            )
            assert not judgement.ok, "the checks take this wrong answer for right"
            assert first.removeprefix("# expect: ") in said(judgement)


@pytest.mark.parametrize(("number", "task"), TASKS)
def test_right_answers_and_the_solution_lead_to_the_same_evidence(number, task):
    module = course.module(number)
    mine = [path for path in module.answers("right") if f"{number}.{path.stem.partition('_')[0]}" == task]
    solution = solutions(module)[task]
    for seed in SEEDS:
        expected = [result.digest for result in judged(number, task, solution, seed).results]
        for path in mine:
            got = [
                result.digest
                for result in judged(number, task, path.read_text(encoding="utf-8"), seed).results
            ]
            assert got == expected, f"{path.name} passes, but its evidence differs from the solution's"


@pytest.mark.parametrize(("number", "task"), TASKS)
def test_a_check_returns_other_evidence_for_another_seed(number, task):
    solution = solutions(course.module(number))[task]
    digests = {
        tuple(r.digest for r in judged(number, task, solution, str(seed)).results) for seed in range(12)
    }
    assert len(digests) > 1, "the evidence is the same for every seed, so it could be copied from an old run"


@pytest.mark.parametrize(("number", "task"), TASKS)
def test_every_task_has_other_right_answers_plausible_wrong_ones_and_three_hints(number, task):
    module = course.module(number)
    for kind, least in (("right", 2), ("wrong", 3)):
        mine = [p for p in module.answers(kind) if f"{number}.{p.stem.partition('_')[0]}" == task]
        assert len(mine) >= least, f"{task} has {len(mine)} answers in {kind}/, and needs {least}"
    hints = next(each for each in module.tasks if each.id == task).hints
    assert [hint.partition(":")[0] for hint in hints] == ["Nudge", "Method", "Nearly there"]


@pytest.mark.parametrize("module", course.modules(), ids=lambda module: module.stem)
def test_a_module_has_four_to_seven_tasks(module):
    assert 4 <= len(module.tasks) <= 7
