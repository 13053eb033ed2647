//! Writing a function as text that people read and [`crate::read()`] reads back.
//!
//! ```text
//! version 1
//! function newton(%0.x: f64[], %1.tol: f64[]) {
//!   %2: i64[] = constant 0
//!   %3.x: f64[], %4.steps: i64[] = while %0.x, %2 test(%5: f64[], %6: i64[]) {
//!     %7: f64[] = abs %5
//!     %8: bool[] = gt %7, %1.tol loc(newton.py:3:10-3:22 in newton)
//!     yield %8
//!   } body(%9: f64[], %10: i64[]) {
//!     …
//!     yield %11, %12
//!   }
//!   return %3.x, %4.steps
//! }
//! ```
//!
//! - One node a line; regions are indented. A type is written only where a value is bound; attributes that
//!   the result's type implies (of `cast`, `broadcast`, `reshape`, `with_shape`, `iota`, `iota_to`, and a
//!   constant's dtype and sizes) are not repeated.
//! - A value is `%number`, with `.name` if the user had a name for it. Numbers are those of
//!   [`ValueId`], so that they can be found in other dumps.
//! - Constants of up to 16 elements are written as (nested lists of) numbers that read back bit by
//!   bit; larger ones, and NaNs that are not the usual one, as their bytes in
//!   hexadecimal, little-endian on every machine.
//! - `//` starts a comment for the reader; none is written.
//! - Of locations only those that nodes use are written, each at its node, with the calls that led there.
//! - The descriptions of what the host does at its sites follow the functions, one site a line:
//!   `site 0 "print({0})"`.
//! - The first line is the version of the form. A change that an older reader would misread or could not read
//!   needs a new version.

use std::fmt;

use crate::function::{Block, Function, LocationId, Node, SourceLocation, ValueId};
use crate::op::attributes::Place;
use crate::op::{Attribute, Constant, ListOp, Op};
use crate::types::DType;

/// The version of the form.
pub const TEXT_VERSION: u32 = 1;

/// The most elements of a constant that are written as numbers.
const MOST_NUMBERS: usize = 16;

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut writer = Writer { function: self, text: format!("version {TEXT_VERSION}\n"), depth: 1 };
        writer.function();
        for callee in &self.functions {
            writer.function = callee;
            writer.function();
        }
        for (number, words) in self.sites.iter().enumerate() {
            writer.push(&format!("site {number} {}\n", quoted(words)));
        }
        f.write_str(&writer.text)
    }
}

/// The line of a node, without its regions and its location: `%2: f64[] = add %0, %1`.
#[must_use]
pub fn node_text(function: &Function, node: &Node) -> String {
    let mut writer = Writer { function, text: String::new(), depth: 0 };
    writer.head(node);
    writer.text
}

/// A value with its type, as the text form binds it: `%3.x: f64[]`.
#[must_use]
pub fn value_text(function: &Function, value: ValueId) -> String {
    let mut writer = Writer { function, text: String::new(), depth: 0 };
    writer.bindings(&[value]);
    writer.text
}

struct Writer<'a> {
    function: &'a Function,
    text: String,
    depth: usize,
}

impl Writer<'_> {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn indent(&mut self) {
        for _ in 0..self.depth {
            self.push("  ");
        }
    }

    fn function(&mut self) {
        self.push(&format!("function {}(", word(&self.function.name)));
        self.bindings(&self.function.body.params);
        self.push(") {\n");
        self.lines(&self.function.body, "return");
        self.push("}\n");
    }

    fn lines(&mut self, block: &Block, end: &str) {
        for node in &block.nodes {
            self.indent();
            self.node(node);
            self.push("\n");
        }
        self.indent();
        self.push(end);
        self.uses(&block.results);
        self.push("\n");
    }

    fn value(&mut self, id: ValueId) {
        self.push(&format!("%{}", id.0));
        let value = self.function.values.get(id.0 as usize);
        if let Some(name) = value.and_then(|value| value.name.as_deref()) {
            self.push(&format!(".{}", word(name)));
        }
    }

    /// ` %0, %1`, with the space that separates it from the word before.
    fn uses(&mut self, ids: &[ValueId]) {
        for (position, id) in ids.iter().enumerate() {
            self.push(if position == 0 { " " } else { ", " });
            self.value(*id);
        }
    }

    /// `%0: f64[], %1: i64[3]`.
    fn bindings(&mut self, ids: &[ValueId]) {
        for (position, id) in ids.iter().enumerate() {
            if position > 0 {
                self.push(", ");
            }
            self.value(*id);
            match self.function.values.get(id.0 as usize) {
                Some(value) => self.push(&format!(": {}", value.ty)),
                None => self.push(": ?"),
            }
        }
    }

    /// Writes a node without its regions and its location.
    fn head(&mut self, node: &Node) {
        if !node.results.is_empty() {
            self.bindings(&node.results);
            self.push(" = ");
        }
        self.push(&node.op.name());
        let attributes = node.op.attributes();
        for attribute in attributes.iter().filter(|one| one.place == Place::AfterWord) {
            if attribute.value == Attribute::Flag(true) {
                self.push(&format!(".{}", attribute.name));
            }
        }
        self.uses(&node.operands);
        if matches!(node.op, Op::List(ListOp::Make(_))) && node.operands.is_empty() {
            // The next line may start with a value, which must not be read as an element of the list.
            self.push(" empty");
        }
        for attribute in attributes.iter().filter(|one| one.place == Place::AfterOperands) {
            self.push(&attribute_text(attribute.name, &attribute.value));
        }
    }

    fn node(&mut self, node: &Node) {
        self.head(node);
        let names = node.op.region_names().iter().chain(std::iter::repeat(&"region"));
        for (name, region) in names.zip(&node.regions) {
            self.region(name, region);
        }
        if let Some(location) = node.location {
            self.location(location);
        }
    }

    fn region(&mut self, label: &str, region: &Block) {
        self.push(&format!(" {label}"));
        if !region.params.is_empty() {
            self.push("(");
            self.bindings(&region.params);
            self.push(")");
        }
        self.push(" {\n");
        self.depth += 1;
        self.lines(region, "yield");
        self.depth -= 1;
        self.indent();
        self.push("}");
    }

    fn location(&mut self, id: LocationId) {
        let Some(place) = self.function.locations.get(id.0 as usize) else {
            // The function is not valid; the number helps to find out why.
            self.push(&format!(" loc(?{})", id.0));
            return;
        };
        self.push(" loc(");
        self.place(place);
        // A place is called from one with a lower number; others would go round in circles.
        let (mut inner, mut caller) = (id, place.caller);
        while let Some((number, place)) = caller
            .filter(|outer| outer.0 < inner.0)
            .and_then(|outer| Some((outer, self.function.locations.get(outer.0 as usize)?)))
        {
            self.push(" from ");
            self.place(place);
            (inner, caller) = (number, place.caller);
        }
        self.push(")");
    }

    fn place(&mut self, place: &SourceLocation) {
        let file = word(&place.file);
        let (line, column) = (place.line, place.column);
        self.push(&format!("{file}:{line}:{column}-{}:{}", place.end_line, place.end_column));
        if !place.function.is_empty() {
            self.push(&format!(" in {}", word(&place.function)));
        }
    }
}

/// Characters of a name that needs no quotes.
pub(crate) fn is_plain(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '.' | '/' | '<' | '>' | '$')
}

/// A name as it stands, or quoted if a reader could not tell where it ends.
fn word(name: &str) -> String {
    if !name.is_empty() && name.chars().all(is_plain) { name.to_owned() } else { quoted(name) }
}

fn quoted(text: &str) -> String {
    let mut result = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => result.push_str("\\\""),
            '\\' => result.push_str("\\\\"),
            '\n' => result.push_str("\\n"),
            other if other.is_control() => result.push_str(&format!("\\u{{{:x}}}", u32::from(other))),
            other => result.push(other),
        }
    }
    result.push('"');
    result
}

/// An attribute after the operands, with a space before it.
fn attribute_text(name: &str, value: &Attribute<'_>) -> String {
    match value {
        Attribute::Absent | Attribute::Flag(false) => String::new(),
        Attribute::Flag(true) => format!(" {name}"),
        Attribute::Number(number) => format!(" {name}={number}"),
        Attribute::Numbers(numbers) => format!(" {name}={numbers:?}"),
        Attribute::Integers(integers) => format!(" {name}={integers:?}"),
        Attribute::Sizes(sizes) => {
            let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
            format!(" {name}=[{}]", sizes.join(", "))
        }
        Attribute::Text(text) => format!(" {name}={}", quoted(text)),
        Attribute::Array(constant) => format!(" {}", constant_text(constant)),
        Attribute::DType(dtype) => format!(" {name}={dtype}"),
        Attribute::Type(ty) => format!(" {name}={ty}"),
        Attribute::Types(types) => {
            let types: Vec<String> = types.iter().map(ToString::to_string).collect();
            format!(" {name}=[{}]", types.join(", "))
        }
    }
}

fn constant_text(constant: &Constant) -> String {
    let count = constant.sizes.iter().try_fold(1_usize, |count, size| count.checked_mul(*size));
    let size = constant.dtype.size();
    let fits = count.and_then(|count| count.checked_mul(size)) == Some(constant.bytes.len());
    if count == Some(0) && fits {
        return "[]".to_owned();
    }
    let numbers: Option<Vec<String>> = match count {
        Some(count) if fits && count <= MOST_NUMBERS => {
            constant.bytes.chunks(size).map(|bytes| number_text(constant.dtype, bytes)).collect()
        }
        _ => None,
    };
    match numbers {
        Some(numbers) => nested(&constant.sizes, &numbers),
        None => {
            let bytes = constant.little_endian();
            bytes.iter().fold("0x".to_owned(), |text, byte| text + &format!("{byte:02x}"))
        }
    }
}

/// Numbers in the lists of their shape: `[[1, 2], [3, 4]]`.
fn nested(sizes: &[usize], numbers: &[String]) -> String {
    let Some((outer, inner)) = sizes.split_first() else { return numbers.concat() };
    let rows: Vec<String> = numbers.chunks(numbers.len() / outer).map(|row| nested(inner, row)).collect();
    format!("[{}]", rows.join(", "))
}

/// The element as a number that reads back to the same bits, if there is one.
fn number_text(dtype: DType, bytes: &[u8]) -> Option<String> {
    let text = match (dtype, bytes) {
        (DType::Bool, [0]) => "false".to_owned(),
        (DType::Bool, [1]) => "true".to_owned(),
        (DType::U8, [byte]) => byte.to_string(),
        (DType::I32, bytes) => i32::from_ne_bytes(bytes.try_into().ok()?).to_string(),
        (DType::I64, bytes) => i64::from_ne_bytes(bytes.try_into().ok()?).to_string(),
        (DType::F32, bytes) => {
            let value = f32::from_ne_bytes(bytes.try_into().ok()?);
            float_text(value.is_nan(), value.to_bits() == f32::NAN.to_bits(), &format!("{value:?}"))?
        }
        (DType::F64, bytes) => {
            let value = f64::from_ne_bytes(bytes.try_into().ok()?);
            float_text(value.is_nan(), value.to_bits() == f64::NAN.to_bits(), &format!("{value:?}"))?
        }
        _ => return None,
    };
    Some(text)
}

fn float_text(is_nan: bool, is_usual_nan: bool, digits: &str) -> Option<String> {
    match (is_nan, is_usual_nan) {
        (true, true) => Some("nan".to_owned()),
        (true, false) => None,
        _ => Some(digits.to_owned()),
    }
}
