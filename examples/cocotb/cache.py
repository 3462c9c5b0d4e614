"""A cache as `llc_monitor` sees it: who demotes and evicts whose lines. In the words of the GDC paper,
section III: a hit demotes the lines above it in the LRU stack, a miss all of them."""


class Cache:
    """Sets of lines by recency; a line is its tag and its owner."""

    def __init__(self, parameters):
        self.parameters = parameters
        self.kernels = parameters["KERNELS"]
        self.flush()
        self.start_period()

    def flush(self):
        """All lines invalid."""
        banks, sets = self.parameters["BANKS"], self.parameters["SETS"]
        self.lines = [[[] for _ in range(sets)] for _ in range(banks)]

    def start_period(self):
        """All counters 0."""
        square = [[0] * self.kernels for _ in range(self.kernels)]
        self.counts = {
            "GDC": square,
            "IKE": [row[:] for row in square],
            "HITS": [0] * self.kernels,
            "MISSES": [0] * self.kernels,
        }

    def count(self, name, row, column):
        """A counter of the running period; of accesses the row is the kernel."""
        found = self.counts[name][row]
        return found[column] if isinstance(found, list) else found

    def access(self, bank, index, tag, kernel):
        """Read or write of a line."""
        stack = self.lines[bank][index]
        tags = [line[0] for line in stack]
        hit = tag in tags
        at = tags.index(tag) if hit else len(stack)
        self.counts["HITS" if hit else "MISSES"][kernel] += 1
        for _, owner in stack[:at]:
            self.counts["GDC"][owner][kernel] += 1
        if hit:
            del stack[at]
        elif len(stack) == self.parameters["WAYS"]:
            self.counts["IKE"][stack.pop()[1]][kernel] += 1
        stack.insert(0, (tag, kernel))
