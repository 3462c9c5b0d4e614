//! Unpacks port words to a golden model's inputs.
//!
//! The model's `In` has the ports as fields, by name, and says itself of what type each is (a
//! number, a mask, a sequence of elements), so its serde implementation is all that is needed.

use std::fmt;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{forward_to_deserialize_any, Deserialize};

use super::{InOf, Interface, Port};
use crate::error::{Error, Result};

/// The inputs in a row of words, in which each of `ports`, the unit's inputs, starts a new word:
/// the inverse of [`pack_in`](Interface::pack_in).
///
/// # Errors
/// [`Error::Interface`] if ports and the model's fields do not fit.
pub fn unpack_in<U: Interface>(ports: &[Port], words: &[u64]) -> Result<InOf<U>> {
    InOf::<U>::deserialize(Row::new(ports, words)).map_err(|error| Error::Interface {
        unit: U::NAME,
        kind: "input",
        name: error.port.into(),
        problem: error.problem,
    })
}

/// What does not fit, and in which port.
#[derive(Debug)]
struct Misfit {
    port: &'static str,
    problem: String,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.port, self.problem)
    }
}

impl std::error::Error for Misfit {}

impl serde::de::Error for Misfit {
    fn custom<T: fmt::Display>(problem: T) -> Self {
        Self {
            port: "",
            problem: problem.to_string(),
        }
    }
}

/// Ports as the fields of a struct. A field that is no port is a struct of its own, which has the
/// ports that are no fields: those of the bus beside those of the unit behind it.
struct Row<'a> {
    ports: Vec<Value<'a>>,
    next: usize,
    inner: Option<(&'static str, Vec<Value<'a>>)>,
}

impl<'a> Row<'a> {
    fn new(ports: &'a [Port], mut words: &'a [u64]) -> Self {
        let mut take = |port: &'a Port| {
            let (value, behind) = words.split_at(port.words().min(words.len()));
            words = behind;
            Value { port, words: value }
        };
        let ports = ports.iter().map(&mut take).collect();
        Self::of(ports)
    }

    fn of(ports: Vec<Value<'a>>) -> Self {
        Self {
            ports,
            next: 0,
            inner: None,
        }
    }
}

impl<'de> Deserializer<'de> for Row<'_> {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Misfit> {
        visitor.visit_map(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> std::result::Result<V::Value, Misfit> {
        let is_port = |field: &str| self.ports.iter().any(|value| value.port.name == field);
        let Some(&inner) = fields.iter().find(|field| !is_port(field)) else {
            return visitor.visit_map(self);
        };
        let is_field = |value: &Value<'_>| fields.contains(&value.port.name);
        let (ports, others) = self.ports.into_iter().partition(is_field);
        visitor.visit_map(Row {
            inner: Some((inner, others)),
            ..Row::of(ports)
        })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

impl<'de> MapAccess<'de> for Row<'_> {
    type Error = Misfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> std::result::Result<Option<K::Value>, Misfit> {
        let name = match (self.ports.get(self.next), &self.inner) {
            (Some(value), _) => value.port.name,
            (None, Some((inner, _))) => inner,
            (None, None) => return Ok(None),
        };
        seed.deserialize(BorrowedStrDeserializer::new(name))
            .map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> std::result::Result<V::Value, Misfit> {
        let Some(&value) = self.ports.get(self.next) else {
            let inner = self.inner.take();
            let (name, ports) = inner.ok_or_else(|| Misfit::custom("no port is left"))?;
            let value = seed.deserialize(Row::of(ports));
            return value.map_err(|misfit| match misfit.port {
                "" => Misfit {
                    port: name,
                    ..misfit
                },
                _ => misfit,
            });
        };
        self.next += 1;
        let port = value.port.name;
        let value = seed.deserialize(value);
        value.map_err(|misfit| Misfit { port, ..misfit })
    }
}

/// A port as a number, a mask or a sequence, whichever is asked for.
#[derive(Clone, Copy)]
struct Value<'a> {
    port: &'a Port,
    words: &'a [u64],
}

impl Value<'_> {
    fn whole(&self) -> std::result::Result<u64, Misfit> {
        match self.words {
            [word] => Ok(*word),
            words => Err(Misfit::custom(format!(
                "{} words for a field of one",
                words.len()
            ))),
        }
    }
}

impl<'de> Deserializer<'de> for Value<'_> {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Misfit> {
        visitor.visit_u64(self.whole()?)
    }

    fn deserialize_bool<V: Visitor<'de>>(
        self,
        visitor: V,
    ) -> std::result::Result<V::Value, Misfit> {
        visitor.visit_bool(self.whole()? != 0)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Misfit> {
        visitor.visit_seq(Elements {
            value: self,
            next: 0,
        })
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct tuple tuple_struct map struct enum identifier ignored_any
    }
}

struct Elements<'a> {
    value: Value<'a>,
    next: usize,
}

impl<'de> SeqAccess<'de> for Elements<'_> {
    type Error = Misfit;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> std::result::Result<Option<T::Value>, Misfit> {
        let Value { port, words } = &self.value;
        if self.next == port.elements {
            return Ok(None);
        }
        let element = port.element(words, self.next);
        self.next += 1;
        // A port of one element again, which may be a number or a flag.
        let port = &Port::value(port.name, port.element_width);
        let words = &[element];
        seed.deserialize(Value { port, words }).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.value.port.elements - self.next)
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: what is replayed must be what was recorded. Each unit's inputs, drawn by all its
    //! profiles, come back as they went, in sets whose packed ports straddle words and in the
    //! smallest; a field that no port fills and a value that does not fit are errors, no zeros.
    use super::*;

    #[cfg(feature = "lockstep")] // Their sets are the hardware's.
    mod every_unit {
        use super::*;
        use crate::registry::{visit, Unit, Visitor, UNITS};
        use crate::verify::interface::Packer;
        use crate::verify::stimulus::{stream, Mix, Source};
        use cotenant_golden::Model;
        use cotenant_units::table;

        struct RoundTrip(&'static str);

        impl Visitor for RoundTrip {
            type Output = ();

            fn visit<U: Unit>(self) {
                let params = U::params(&table::set(U::NAME, self.0).unwrap()).unwrap();
                let ports = U::inputs(&params);
                let mut words = vec![0; ports.iter().map(Port::words).sum()];
                let mut golden = U::model(&params).unwrap();
                let mut input = U::idle(&params);
                let mut stimulus = stream::<U>(&params, Mix::default(), 1);
                for _ in 0..2000 {
                    stimulus.input(&params, &golden, &mut input);
                    U::pack_in(&params, &input, &mut Packer::new(&mut words));
                    let back = unpack_in::<U>(&ports, &words).unwrap();
                    assert_eq!(back, input, "{} {}", U::NAME, self.0);
                    golden.step(&input);
                }
            }
        }

        #[test]
        fn inputs_of_every_unit_come_back() {
            for unit in UNITS {
                for set in table::test_sets(unit.name()).unwrap() {
                    visit(unit.name(), RoundTrip(set.name)).unwrap();
                }
            }
        }
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct In {
        flag: bool,
        narrow: u8,
        list: Vec<bool>,
        wide: Vec<u64>,
    }

    fn unpack(ports: &[Port], words: &[u64]) -> std::result::Result<In, String> {
        In::deserialize(Row::new(ports, words)).map_err(|misfit| misfit.to_string())
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let ports = [
            Port::value("flag", 1),
            Port::value("narrow", 9),
            Port::packed("list", 2, 1),
            Port::packed("wide", 2, 64),
        ];
        let input = In {
            flag: true,
            narrow: 7,
            list: vec![false, true],
            wide: vec![3, u64::MAX],
        };
        assert_eq!(unpack(&ports, &[1, 7, 2, 3, u64::MAX]), Ok(input));
        let error = unpack(&ports, &[1, 256, 2, 3, 4]).unwrap_err();
        assert!(error.starts_with("narrow: "), "{error}");
        let error = unpack(&ports[1..], &[7, 2, 3, 4]).unwrap_err();
        assert!(error.contains("flag"), "{error}");
        let wide = [Port::value("flag", 1), Port::packed("narrow", 2, 64)];
        let error = unpack(&wide, &[1, 7, 2]).unwrap_err();
        assert!(error.starts_with("narrow: 2 words"), "{error}");
    }
}
