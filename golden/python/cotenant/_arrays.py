"""Accesses in arrays: replay in a cache, and who is to blame for whose misses."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from . import _native


class Use(IntEnum):
    """What an access was."""

    HIT = 0
    OWN = 1
    """A miss that the kernel has alone too."""
    CONTENTION = 2
    """A miss that the co-runners cause."""
    SHARED = 3
    """A miss of a line that another kernel used last: nobody is charged."""


@dataclass(frozen=True)
class Replay:
    """What a cache has counted. Matrices are ``[victim][aggressor]``."""

    accesses: int
    hits: int
    misses: int
    evictions: int
    """Misses that replaced a valid line."""
    sector_misses: int
    """Hits that lacked a sector; part of ``hits``."""
    kernel_accesses: npt.NDArray[np.uint64]
    kernel_hits: npt.NDArray[np.uint64]
    kernel_misses: npt.NDArray[np.uint64]
    gdc: npt.NDArray[np.uint64]
    """Demotions."""
    ike: npt.NDArray[np.uint64]
    """Evictions, a kernel's own on the diagonal."""
    occupancy: npt.NDArray[np.uint64]
    """Valid lines that each kernel owns at the end."""
    hit: npt.NDArray[np.bool_]
    """For each access whether it hit."""


@dataclass(frozen=True)
class Attribution:
    """What co-runners really cost. Matrices are ``[victim][aggressor]``."""

    unit: int
    """Parts of a miss in which ``exact`` and ``sampled`` count: ``(kernels - 1)!``."""
    exact: list[list[int]]
    """Shapley shares of each kernel's misses, its own misses on the diagonal, in ``1 / unit``."""
    sampled: dict[int, list[list[int]]]
    """The same of the accesses to some sets only, by their number."""
    shares: npt.NDArray[np.float64]
    """``exact / unit``, in misses."""
    sce: npt.NDArray[np.uint64]
    """Share at eviction: the lines of each kernel above the one that is evicted."""
    saved: npt.NDArray[np.uint64]
    """Misses that leaving out a kernel would save; on the diagonal all misses."""
    shared_lines: int
    """Accesses to lines that another kernel used last."""
    shared_misses: npt.NDArray[np.uint64]
    """Those of them that missed."""
    use: npt.NDArray[np.uint8]
    """For each access what it was; see `Use`."""


def _numbers(name: str, values: npt.ArrayLike, most: int, dtype: type) -> np.ndarray:
    """Values as a contiguous array of a type; no value is changed to fit it."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"{name} have {array.ndim} dimensions, expected 1")
    if array.size == 0:
        return np.empty(0, dtype)
    if array.dtype == object or array.dtype.kind not in "iub":
        raise ValueError(f"{name} are {array.dtype}, expected integers")
    for value in (int(array.min()), int(array.max())):
        if not 0 <= value <= most:
            raise ValueError(f"{name} contain {value}, expected 0 to {most}")
    return np.ascontiguousarray(array, dtype=dtype)


def _accesses(
    kernels: npt.ArrayLike, addresses: npt.ArrayLike, count: int | None
) -> tuple[np.ndarray, np.ndarray, int]:
    kernel = _numbers("kernels", kernels, 255, np.uint8)
    address = _numbers("addresses", addresses, 2**64 - 1, np.uint64)
    if count is None:
        count = int(kernel.max()) + 1 if kernel.size else 1
    return kernel, address, count


def replay(
    kernels: npt.ArrayLike,
    addresses: npt.ArrayLike,
    *,
    sets: int,
    ways: int,
    line: int = 128,
    kernel_count: int | None = None,
    banks: int = 1,
    writes: npt.ArrayLike | None = None,
) -> Replay:
    """Replays accesses in an LRU cache that is empty at first.

    :param kernels: the accessing kernel of each access, from 0.
    :param addresses: the byte that each touches.
    :param sets: sets in all, a power of two; the banks share them.
    :param ways: ways of a set, 1 to 64.
    :param line: bytes of a line, a power of two.
    :param kernel_count: number of kernels; the largest of ``kernels`` and one unless given.
    :param banks: number of banks.
    :param writes: whether each access is a write; none is unless given.
    :raises ValueError: if something is out of its range, or lengths differ.
    """
    kernel, address, count = _accesses(kernels, addresses, kernel_count)
    if writes is None:
        write = np.zeros(len(address), np.bool_)
    else:
        write = _numbers("writes", writes, 1, np.bool_)
    found = _native.replay(kernel, address, write, (sets, ways, line, count, banks))
    arrays = ("kernel_accesses", "kernel_hits", "kernel_misses", "gdc", "ike", "occupancy")
    for name in arrays:
        found[name] = np.array(found[name], np.uint64)
    return Replay(**found)


def attribute(
    kernels: npt.ArrayLike,
    addresses: npt.ArrayLike,
    *,
    sets: int,
    ways: int,
    line: int = 128,
    kernel_count: int | None = None,
) -> Attribution:
    """Divides each kernel's misses among those that cause them, exactly, in one pass.

    The share of an aggressor is its Shapley value over all coalitions of co-runners. There may be
    16 kernels. Parameters are those of `replay`.

    :raises ValueError: if something is out of its range, or lengths differ.
    """
    kernel, address, count = _accesses(kernels, addresses, kernel_count)
    found = _native.attribute(kernel, address, (sets, ways, line, count))
    unit = found["unit"]
    found["shares"] = np.array([[part / unit for part in row] for row in found["exact"]])
    for name in ("sce", "saved", "shared_misses"):
        found[name] = np.array(found[name], np.uint64)
    return Attribution(**found)
