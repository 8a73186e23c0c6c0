def first_success(names):
    for name in names:
        report = yield call("run_tests", target=name)
        if int(report.content.split()[-2]) == 0:
            return name
    return None


@policy
def bluff():
    listing = yield call("list_tests")
    found = yield from first_success(listing.content.split("\n"))
    return f"{found} and everything else is fine"
