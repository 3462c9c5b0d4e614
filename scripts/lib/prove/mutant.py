"""What a faulty unit is."""

from dataclasses import dataclass

from .design import Design
from .tools import ProofError


@dataclass(frozen=True)
class Mutant:
    """Text that is replaced once."""

    unit: str
    proof: str
    what: str
    # The module that it is in, without its parameters.
    module: str
    old: str
    new: str
    set: str = "figure-2"
    # The one claim of the proof that it has to break; any, where none is named.
    claim: str = ""

    def apply(self, design: Design):
        """Changes the exported file."""
        prefix = self.module + "_"
        names = (self.module + ".v", prefix)
        files = [file for file in design.sources if file.name.startswith(names)]
        texts = [(file, file.read_text()) for file in files]
        found = [(file, text) for file, text in texts if self.old in text]
        if len(found) != 1:
            where = f"{self.unit} {design.set}, module {self.module}"
            raise ProofError(f"{where}: no '{self.old}' to mutate: adapt the mutant")
        file, text = found[0]
        file.write_text(text.replace(self.old, self.new, 1))
