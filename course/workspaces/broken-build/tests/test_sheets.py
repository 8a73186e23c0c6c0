from harvest.sheets import deliveries, kilos_of


def test_a_sheet_gives_one_row_a_delivery(sheet):
    assert [row["crop"] for row in deliveries(sheet)] == ["beans", "kale", "beans"]


def test_a_line_without_a_weight_is_no_delivery(sheet):
    assert all(row["crop"] != "leek" for row in deliveries(sheet))


def test_columns_are_separated_by_semicolons(sheet):
    assert deliveries(sheet)[0] == {"bed": "north", "crop": "beans", "kilos": "4.5"}


def test_an_empty_sheet_has_no_deliveries():
    assert deliveries("") == []


def test_kilos_are_added_up_by_crop(sheet):
    assert kilos_of(sheet, "beans") == 7.5
    assert kilos_of(sheet, "kale") == 1.5


def test_a_crop_that_was_not_delivered_weighs_nothing(sheet):
    assert kilos_of(sheet, "leek") == 0
