# expect: you choose what that runs
@policy
def bluff(task):
    yield call("run_tests", target="")
    yield "All tests pass."
