//! A unit behind a bus as a component of IP-XACT, IEEE 1685-2014.

use quick_xml::escape::minimal_escape;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use quick_xml::Writer;

use crate::map::{Access, Field, Map, Register};

/// What a component has beside its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component<'a> {
    /// The module in Verilog, and the component's name.
    pub module: &'a str,
    /// Version of what wrote it.
    pub version: &'a str,
    /// Ports of the module in their order.
    pub ports: Vec<ComponentPort<'a>>,
    /// The bus that reaches the registers.
    pub bus: BusInterface<'a>,
    /// Verilog files as seen from the component's file, children before their parents.
    pub sources: Vec<String>,
}

/// A port of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComponentPort<'a> {
    /// Name in Verilog.
    pub name: &'a str,
    /// It is an input.
    pub input: bool,
    /// Width in bits.
    pub width: usize,
}

/// A bus interface, by the names of Arm's AMBA 4 bus definitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BusInterface<'a> {
    /// Name of the interface: `s_axi`.
    pub name: &'a str,
    /// Name of the bus definition: `APB4`. The abstraction is that with `_rtl` behind it.
    pub definition: &'a str,
    /// The definition's signals, and the component's ports.
    pub signals: Vec<(String, &'a str)>,
}

/// Arm's bus definitions.
const AMBA: [(&str, &str); 2] = [("vendor", "amba.com"), ("library", "AMBA4")];
const AMBA_VERSION: (&str, &str) = ("version", "r0p0_0");

const NAMESPACE: &str = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014";

/// Names within the component.
const MAP: &str = "registers";
const SOURCES: &str = "rtl";

/// The component as XML: ports, the bus interface with the signals of Arm's definition of the bus,
/// and a memory map with the registers as [`system_rdl`](crate::system_rdl) has them.
pub fn ip_xact(map: &Map, component: &Component<'_>) -> String {
    let mut xml = Xml(Writer::new_with_indent(Vec::new(), b' ', 2));
    let declaration = BytesDecl::new("1.0", Some("UTF-8"), None);
    xml.event(Event::Decl(declaration));
    let parameters: Vec<String> = map
        .parameters
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let comment = format!(
        " {} with {}. SPDX-License-Identifier: MIT OR Apache-2.0 ",
        component.module,
        parameters.join(", ")
    );
    xml.event(Event::Comment(BytesText::from_escaped(comment)));
    let location = format!("{NAMESPACE} {NAMESPACE}/index.xsd");
    let attributes = [
        ("xmlns:ipxact", NAMESPACE),
        ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
        ("xsi:schemaLocation", &location),
    ];
    xml.with("component", &attributes, |xml| {
        xml.text("vendor", "cotenant");
        xml.text("library", "rtl");
        xml.text("name", component.module);
        xml.text("version", component.version);
        xml.node("busInterfaces", |xml| interface(xml, &component.bus));
        xml.node("memoryMaps", |xml| memory_map(xml, map));
        xml.node("model", |xml| model(xml, component));
        xml.node("fileSets", |xml| file_set(xml, &component.sources));
        xml.text("description", map.summary);
    });
    xml.finish()
}

fn interface(xml: &mut Xml, bus: &BusInterface<'_>) {
    let rtl = format!("{}_rtl", bus.definition);
    let named = |name| [AMBA[0], AMBA[1], ("name", name), AMBA_VERSION];
    xml.node("busInterface", |xml| {
        xml.text("name", bus.name);
        xml.empty("busType", &named(bus.definition));
        xml.node("abstractionTypes", |xml| {
            xml.node("abstractionType", |xml| {
                xml.empty("abstractionRef", &named(&rtl));
                xml.node("portMaps", |xml| {
                    for (signal, port) in &bus.signals {
                        xml.node("portMap", |xml| {
                            xml.node("logicalPort", |xml| xml.text("name", signal));
                            xml.node("physicalPort", |xml| xml.text("name", port));
                        });
                    }
                });
            });
        });
        xml.node("slave", |xml| {
            xml.empty("memoryMapRef", &[("memoryMapRef", MAP)]);
        });
        xml.text("bitsInLau", "8");
        xml.text("endianness", "little");
    });
}

fn memory_map(xml: &mut Xml, map: &Map) {
    xml.node("memoryMap", |xml| {
        xml.text("name", MAP);
        xml.node("addressBlock", |xml| {
            xml.text("name", map.unit);
            xml.text("description", map.summary);
            xml.text("baseAddress", "0");
            xml.hex("range", 1 << map.width);
            xml.text("width", "32");
            xml.text("usage", "register");
            let there = map.registers.iter().filter(|register| register.rows > 0);
            there.for_each(|register| registers(xml, register));
        });
        xml.text("addressUnitBits", "8");
    });
}

/// One register, or rows of it: an array, unless rows differ; an array of arrays is one of register
/// files.
fn registers(xml: &mut Xml, all: &Register) {
    let rows = (!all.row.is_empty()).then_some(all.rows);
    if all.rows_differ() {
        for row in 0..all.rows {
            register(
                xml,
                all,
                row,
                &all.name_of_row(row),
                None,
                all.address(row, 0),
            );
        }
        return;
    }
    if all.column.is_empty() {
        register(xml, all, 0, all.name, rows, all.offset);
        return;
    }
    xml.node("registerFile", |xml| {
        xml.text("name", all.name);
        xml.text("displayName", &format!("{}, by {}", all.name, all.row));
        xml.text("dim", &all.rows.to_string());
        xml.hex("addressOffset", all.offset);
        xml.hex("range", all.row_stride);
        let column = all.column.to_uppercase();
        register(xml, all, 0, &column, Some(all.columns), 0);
    });
}

fn register(
    xml: &mut Xml,
    of: &Register,
    row: usize,
    name: &str,
    count: Option<usize>,
    offset: u32,
) {
    xml.node("register", |xml| {
        xml.text("name", name);
        if name != of.name {
            xml.text("displayName", of.name);
        }
        xml.text("description", of.doc);
        if let Some(count) = count {
            xml.text("dim", &count.to_string());
        }
        xml.hex("addressOffset", offset);
        xml.text("size", "32");
        let there = of.fields.iter().filter(|field| field.width > 0);
        there.for_each(|one| field(xml, one, row));
    });
}

fn field(xml: &mut Xml, field: &Field, row: usize) {
    xml.node("field", |xml| {
        xml.text("name", field.name);
        xml.text("description", field.doc);
        xml.text("bitOffset", &field.lsb.to_string());
        if let Some(value) = field.settled(row) {
            xml.node("resets", |xml| {
                xml.node("reset", |xml| xml.hex("value", value));
            });
        }
        xml.text("bitWidth", &field.width.to_string());
        let (access, driven) = match field.access {
            Access::Constant | Access::Parameter => ("read-only", false),
            Access::ReadOnly => ("read-only", true),
            Access::ReadWrite => ("read-write", false),
            Access::Pulse => ("write-only", false),
            Access::ClearByOne => ("read-write", true),
        };
        xml.text("volatile", if driven { "true" } else { "false" });
        xml.text("access", access);
        if field.access == Access::ClearByOne {
            xml.text("modifiedWriteValue", "oneToClear");
        }
    });
}

fn model(xml: &mut Xml, component: &Component<'_>) {
    xml.node("views", |xml| {
        xml.node("view", |xml| {
            xml.text("name", "verilog");
            xml.text("componentInstantiationRef", "verilog");
        });
    });
    xml.node("instantiations", |xml| {
        xml.node("componentInstantiation", |xml| {
            xml.text("name", "verilog");
            xml.text("language", "verilog");
            xml.text("moduleName", component.module);
            xml.node("fileSetRef", |xml| xml.text("localName", SOURCES));
        });
    });
    xml.node("ports", |xml| {
        for port in &component.ports {
            xml.node("port", |xml| {
                xml.text("name", port.name);
                xml.node("wire", |xml| {
                    xml.text("direction", if port.input { "in" } else { "out" });
                    if port.width > 1 {
                        xml.node("vectors", |xml| {
                            xml.node("vector", |xml| {
                                xml.text("left", &(port.width - 1).to_string());
                                xml.text("right", "0");
                            });
                        });
                    }
                });
            });
        }
    });
}

fn file_set(xml: &mut Xml, sources: &[String]) {
    xml.node("fileSet", |xml| {
        xml.text("name", SOURCES);
        for source in sources {
            xml.node("file", |xml| {
                xml.text("name", source);
                // It knows none after Verilog-2001.
                xml.text("fileType", "verilogSource");
            });
        }
    });
}

/// Elements one after the other; writing to memory does not fail.
struct Xml(Writer<Vec<u8>>);

impl Xml {
    fn event(&mut self, event: Event<'_>) {
        self.0.write_event(event).expect("written to memory");
    }

    fn with(&mut self, name: &str, attributes: &[(&str, &str)], inner: impl FnOnce(&mut Self)) {
        let name = format!("ipxact:{name}");
        let mut start = BytesStart::new(&name);
        start.extend_attributes(attributes.iter().copied());
        self.event(Event::Start(start));
        inner(self);
        self.event(Event::End(BytesEnd::new(&name)));
    }

    fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) {
        let start = BytesStart::new(format!("ipxact:{name}"));
        self.event(Event::Empty(
            start.with_attributes(attributes.iter().copied()),
        ));
    }

    fn node(&mut self, name: &str, inner: impl FnOnce(&mut Self)) {
        self.with(name, &[], inner);
    }

    fn text(&mut self, name: &str, text: &str) {
        self.node(name, |xml| {
            xml.event(Event::Text(BytesText::from_escaped(minimal_escape(text))))
        });
    }

    /// A number as SystemVerilog writes it, which is how expressions of IP-XACT are.
    fn hex(&mut self, name: &str, value: u32) {
        self.text(name, &format!("'h{value:x}"));
    }

    fn finish(self) -> String {
        String::from_utf8(self.0.into_inner()).expect("made of strings") + "\n"
    }
}
