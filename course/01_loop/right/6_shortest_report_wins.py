@policy
def bluff(task):
    listed = (yield call("list_tests")).content.splitlines()
    runs = yield [call("run_tests", target=name) for name in listed]
    good = [name for name, run in zip(listed, runs) if run.content.endswith(" 0 failed")]
    yield call("run_tests", target=good[0])
    yield "Done: no failures."
