"""The part of the package that is compiled."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypedDict, Union

import numpy as np
import numpy.typing as npt

class Parameter(TypedDict):
    """A parameter of a unit."""

    name: str
    min: Union[int, str, None]
    """The smallest value; a formula if it depends on others; None if only the model knows."""
    max: Union[int, str, None]
    usual: Union[int, str, None]
    """The value unless given; the name of another parameter if it is that one's."""

def units() -> list[str]:
    """The names of all units."""

def parameters(unit: str) -> list[Parameter]:
    """The parameters of a unit, in the order in which numbers are read.

    :raises ValueError: if there is no such unit.
    """

def profiles(unit: str) -> list[str]:
    """The profiles of stimulus that mean something to a unit; ``cotenant list UNIT`` says what for.

    :raises ValueError: if there is no such unit.
    """

class Port:
    """A port of a model."""

    @property
    def name(self) -> str:
        """Its name, which is that of the Verilog module's port."""

    @property
    def width(self) -> int:
        """Its width in bits."""

    @property
    def elements(self) -> int:
        """Number of values packed in it, element 0 in the low bits; 1 if it is not packed."""

class Model:
    """A golden model in its reset state.

    Inputs are dictionaries by port; ports that are missing are 0. A value is a number, or for a
    packed port a sequence of its elements. Outputs are dictionaries of numbers.
    """

    def __init__(self, unit: str, parameters: str) -> None:
        """Makes a model of a unit.

        :param unit: its name.
        :param parameters: as on the command line: ``4x4x21``, ``WAYS=4,KERNELS=4,CNT_W=21``.
        :raises ValueError: if there is none.
        """

    @property
    def unit(self) -> str:
        """The unit's name."""

    @property
    def parameters(self) -> dict[str, int]:
        """All parameters."""

    @property
    def inputs(self) -> list[Port]:
        """Input ports; the clock is none of them."""

    @property
    def outputs(self) -> list[Port]:
        """Output ports."""

    @property
    def clocked(self) -> bool:
        """Whether there is a reset, and so a clock."""

    def step(self, inputs: Mapping[str, Union[int, Sequence[int]]]) -> dict[str, int]:
        """One clock cycle: gives the outputs seen during the cycle, then passes the clock edge.

        Inputs that fit their ports but are not legal are taken; what they do is unspecified.

        :raises ValueError: if there is no such port, or a value does not fit; nothing has happened.
        """

    def legal(self, inputs: Mapping[str, Union[int, Sequence[int]]]) -> Union[str, None]:
        """Why the unit may not be driven with these inputs in its present state; None if it may.

        :raises ValueError: if there is no such port.
        """

    def reset(self) -> None:
        """Puts every register back to its reset value."""

    @property
    def state(self) -> dict[str, Any]:
        """The registers before the next clock edge, by name. Masks are numbers."""

    def register(self, name: str) -> int:
        """The value of one register: ``sequence_number``, ``count[2][1]``.

        :raises KeyError: if there is none of this name.
        """

    def save(self) -> "Model":
        """A copy, which goes on from this state on its own; `restore` takes it."""

    def restore(self, saved: "Model") -> None:
        """Goes on from the state of another model of the same unit with the same parameters.

        :raises ValueError: if it is none.
        """

class Stimulus(Iterator[dict[str, int]]):
    """Legal inputs for a model, cycle by cycle, without an end.

    Each is what the unit may be driven with in the model's present state, so the model must go through
    the cycle (`Model.step`) before the next one is asked for. They begin with the reset and are the same
    for the same arguments on every machine: the cycles of ``cotenant vectors``. A model in a state that
    they did not lead to is taken as it is.
    """

    def __init__(
        self, model: Model, profile: str = "mix", seed: int = 0x9E37, directed: int = 0
    ) -> None:
        """Stimulus for a model.

        :param profile: ``mix`` for all of the unit's by turns, one of `profiles`, or several with plus
            signs between them.
        :param seed: 0 to ``2**64 - 1``.
        :param directed: the most cycles of the directed part, the shortest way found from reset to each
            bin of the unit's functional coverage; 0 for none. Finding it takes seconds for large units.
        :raises ValueError: if the unit has no such profile.
        """

    @property
    def model(self) -> Model:
        """The model in whose state inputs are legal."""

    @property
    def directed(self) -> int:
        """Cycles of the directed part, which follow the reset."""

    def __next__(self) -> dict[str, int]:
        """The inputs of the next cycle, by port."""

def replay(
    kernels: npt.NDArray[np.uint8],
    addresses: npt.NDArray[np.uint64],
    writes: npt.NDArray[np.bool_],
    geometry: tuple[int, int, int, int, int],
) -> dict[str, Any]:
    """See `cotenant.replay`; geometry is sets, ways, line, kernels and banks."""

def attribute(
    kernels: npt.NDArray[np.uint8],
    addresses: npt.NDArray[np.uint64],
    geometry: tuple[int, int, int, int],
) -> dict[str, Any]:
    """See `cotenant.attribute`; geometry is sets, ways, line and kernels."""
