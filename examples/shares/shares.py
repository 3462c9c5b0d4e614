"""From a trace to who costs whom how many misses, and a picture of it.

The cells (`# %%`) run one by one in an editor or in Jupyter, and as a whole with
`python shares.py [TRACE.csv [PICTURE.svg]]`. It needs cotenant, numpy and matplotlib.
"""

# %% The accesses: one line per access, with kernel, R or W, and address.
import csv
import sys
from pathlib import Path

import cotenant
import matplotlib
import numpy as np

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

TRACE = Path(__file__).resolve().parent.parent / "traces" / "four_kernels.csv"
trace = Path(sys.argv[1]) if len(sys.argv) > 1 else TRACE
picture = Path(sys.argv[2]) if len(sys.argv) > 2 else Path("shares.svg")
with trace.open(encoding="utf-8", newline="") as lines:
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
kernels = np.array([int(row["kernel"]) for row in rows])
addresses = np.array([int(row["address"], 0) for row in rows], dtype=np.uint64)
writes = np.array([row["op"] == "W" for row in rows])

# %% What the counters see: hits, misses, and who pushed out whose lines.
cache = {"sets": 16, "ways": 16, "line": 128}
seen = cotenant.replay(kernels, addresses, writes=writes, **cache)
print("evictions, victim by aggressor:")
print(seen.ike)

# %% What it costs: each kernel's misses, divided among those that cause them (Shapley's value).
cost = cotenant.attribute(kernels, addresses, **cache)
print("misses, victim by aggressor:")
print(np.round(cost.shares, 1))
# Nothing is lost: each row adds up to the kernel's misses.
assert np.allclose(cost.shares.sum(axis=1), seen.kernel_misses)

# %% The picture.
figure, axes = pyplot.subplots(figsize=(5, 4), layout="constrained")
image = axes.imshow(cost.shares, cmap="Blues")
for (victim, aggressor), misses in np.ndenumerate(cost.shares):
    dark = misses > cost.shares.max() / 2
    axes.text(aggressor, victim, f"{misses:.0f}", ha="center", va="center", color="w" if dark else "k")
count = len(cost.shares)
axes.set(xlabel="caused by kernel", ylabel="misses of kernel", xticks=range(count), yticks=range(count))
figure.colorbar(image, label="misses")
figure.savefig(picture)
print(f"picture: {picture}")
