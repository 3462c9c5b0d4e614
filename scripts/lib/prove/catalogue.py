"""Which proofs there are, and which faults they must find: those in the files of `units`, by name,
then those of the units behind a bus."""

import importlib
import pkgutil

from . import buses, units

_NAMES = sorted(module.name for module in pkgutil.iter_modules(units.__path__))
_UNITS = [importlib.import_module(f"{units.__name__}.{name}") for name in _NAMES]

UNIT_PROOFS = tuple(proof for unit in _UNITS for proof in unit.PROOFS)
PROOFS = (*UNIT_PROOFS, *buses.BUS_PROOFS)
# Outputs, as unit and port, of which no proof has to find a fault, and why.
UNSHOWN = {}
FAULTS = tuple(fault for unit in (*_UNITS, buses) for fault in unit.FAULTS)
