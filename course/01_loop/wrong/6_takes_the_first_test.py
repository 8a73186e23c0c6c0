# expect: The run that it believes is the last one
@policy
def bluff(task):
    names = yield call("list_tests")
    yield call("run_tests", target=names.content.split()[0])
    yield "All tests pass."
