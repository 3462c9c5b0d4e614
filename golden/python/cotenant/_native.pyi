"""The part of the package that is compiled."""

from collections.abc import Mapping, Sequence
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
