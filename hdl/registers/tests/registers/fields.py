"""Fields as PeakRDL's compiler has them, of SystemRDL or IP-XACT: address, name, lowest bit, width,
access and value after reset, one field per line."""

import sys

from peakrdl_ipxact import IPXACTImporter
from systemrdl import RDLCompiler
from systemrdl.node import RegNode

compiler = RDLCompiler()
if sys.argv[1].endswith(".xml"):
    IPXACTImporter(compiler).import_file(sys.argv[1])
else:
    compiler.compile_file(sys.argv[1])
for node in compiler.elaborate().descendants(unroll=True):
    if isinstance(node, RegNode):
        for field in node.fields():
            access = field.get_property("sw").name
            written = field.get_property("onwrite")
            reset = field.get_property("reset")
            print(
                f"{node.absolute_address:#06x} {field.inst_name} {field.lsb} {field.width} {access}"
                f"{'' if written is None else ' ' + written.name}"
                f" {'-' if reset is None else f'{reset:#x}'}"
            )
