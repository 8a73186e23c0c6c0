from harvest.report import report


def test_the_report_lists_every_delivery(sheet):
    lines = report(sheet).splitlines()
    assert lines[0].split() == ["bed", "crop", "kilos"]
    assert lines[1].split() == ["north", "beans", "4.5"]
    assert len([line for line in lines if line.startswith(("north", "south"))]) == 3


def test_the_report_ends_with_the_range(sheet):
    assert report(sheet).endswith("from 1.5 to 4.5 kilos")


def test_columns_are_aligned(sheet):
    lines = report(sheet).splitlines()
    assert lines[0].index("kilos") == lines[1].index("4.5")


def test_a_week_without_deliveries_says_so():
    assert report("bed;crop;kilos\n") == "Nothing was delivered this week."
