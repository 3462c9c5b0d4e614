"""Golden models of GPU shared-cache interference hardware, trace replay, exact attribution.

>>> from cotenant import Model
>>> model = Model("lru_stack", "2x2")
>>> miss = {"access_valid": 1, "access_kid": 1}
>>> model.legal(miss) is None
True
>>> model.step(miss)["hit_pos"]        # 2 ways: a miss
2
>>> model.state["owner"]
[1, 0]

>>> from cotenant import attribute, replay
>>> kernels, addresses = [0, 1, 1, 0], [0x000, 0x080, 0x100, 0x000]
>>> found = replay(kernels, addresses, sets=1, ways=2)
>>> found.misses, found.ike.tolist()   # [victim][aggressor]
(4, [[0, 1], [1, 0]])
>>> attribute(kernels, addresses, sets=1, ways=2).shares.tolist()
[[1.0, 1.0], [0.0, 2.0]]

>>> from cotenant import Stimulus
>>> model = Model("lru_stack", "4x2")
>>> for _, inputs in zip(range(1000), Stimulus(model, seed=1)):
...     expected = model.step(inputs)  # `inputs` are legal; drive your design with them
>>> sorted(inputs) == sorted(port.name for port in model.inputs)
True

`cotenant.strategies` has runs of them for Hypothesis. Models may be used by several threads; a call waits for another one that uses the same model.
"""

from ._arrays import Attribution, Replay, Use, attribute, replay
from ._native import Model, Port, Stimulus, parameters, profiles, units

__all__ = [
    "Attribution",
    "Model",
    "Port",
    "Replay",
    "Stimulus",
    "Use",
    "attribute",
    "parameters",
    "profiles",
    "replay",
    "units",
]
