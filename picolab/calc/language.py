"""The arithmetic of how an action is written down.

Source: "Module 18. Agents and Tool Use" (Modern LLMs course, edition 2026.10.25), sections 5 and 6.
"""


def checks_per_flop(vocabulary: int, parameters: float) -> float:
    """Token checks of one mask, divided by the floating-point operations of one token, 2·parameters.

    A check is not a floating-point operation, so this is a ratio of counts of different things. It is no share of time.

    Raises:
        ValueError: a negative vocabulary, or no parameters.
    """
    if vocabulary < 0 or not parameters > 0:
        raise ValueError("vocabulary must be 0 or more, and parameters more than 0")
    return vocabulary / (2 * parameters)
