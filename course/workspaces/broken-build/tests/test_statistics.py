from harvest.statistics import lightest_and_heaviest, unevenness


def test_the_ends_of_the_range(sheet):
    assert lightest_and_heaviest(sheet) == (1.5, 4.5)


def test_one_delivery_is_both_ends():
    assert lightest_and_heaviest("bed;crop;kilos\nnorth;kale;2\n") == (2, 2)


def test_unevenness_compares_the_ends(sheet):
    assert unevenness(sheet) == 3.0


def test_equal_deliveries_are_even():
    assert unevenness("bed;crop;kilos\nnorth;kale;2\nsouth;kale;2\n") == 1.0
