"""Strategies for Hypothesis, which has to be installed: runs of legal inputs that shrink.

>>> from cotenant import Model, strategies
>>> from hypothesis import given
>>> @given(strategies.runs("lru_stack", "4x2", max_size=50))
... def my_stack_is_the_golden_model(run):
...     model = Model("lru_stack", "4x2")  # reset your design here
...     for inputs in run:
...         expected = model.step(inputs)  # drive your design, compare its outputs with these
>>> my_stack_is_the_golden_model()
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Optional

from hypothesis import strategies as st

from ._native import Model, Stimulus, profiles

__all__ = ["Cycle", "cycles", "runs"]


class Cycle(dict[str, int]):
    """The inputs of a cycle by port, and what the golden model answers: `outputs`."""

    outputs: dict[str, int]

    def __init__(self, inputs: Mapping[str, int], outputs: dict[str, int]) -> None:
        super().__init__(inputs)
        self.outputs = outputs


def cycles(
    unit: str, parameters: str, profile: str = "mix", seed: int = 0x9E37, directed: int = 0
) -> Iterator[Cycle]:
    """The cycles of a unit from its reset on, without an end: inputs, and `outputs` of a golden model.

    :raises ValueError: if there is no such unit or profile.
    """
    model = Model(unit, parameters)
    return _cycles(model, Stimulus(model, profile, seed, directed))


def _cycles(model: Model, stimulus: Stimulus) -> Iterator[Cycle]:
    for inputs in stimulus:
        yield Cycle(inputs, model.step(inputs))


def runs(
    unit: str,
    parameters: str,
    profile: Optional[str] = None,
    min_size: int = 1,
    max_size: int = 200,
) -> st.SearchStrategy[list[Cycle]]:
    """Runs from reset, as lists of cycles: of `profile`, or of any profile of the unit.

    A run that fails becomes shorter. What is in it does not change, since later inputs are legal after
    the ones before them only. The first two cycles reset a unit that has a reset.

    :raises ValueError: if there is no such unit or profile, or of sizes that are none.
    """
    if not 0 <= min_size <= max_size:
        raise ValueError(f"sizes are {min_size} to {max_size}, expected at least 0 and the larger last")
    # Now, and not when the first run is drawn.
    Stimulus(Model(unit, parameters), profile or "mix")
    chosen = st.just(profile) if profile else st.sampled_from(["mix", *profiles(unit)])
    seeds = st.integers(0, 2**64 - 1)
    return st.builds(
        lambda size, profile, seed: list(islice(cycles(unit, parameters, profile, seed), size)),
        st.integers(min_size, max_size),
        chosen,
        seeds,
    )
