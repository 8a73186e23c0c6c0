import pytest


@pytest.fixture
def sheet() -> str:
    return "bed;crop;kilos\nnorth;beans;4.5\nnorth;kale;1.5\n\nsouth;beans;3\nsouth;leek;\n"
