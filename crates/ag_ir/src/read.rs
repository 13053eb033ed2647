//! Reading the text that [`crate::write`] writes.
//!
//! ```text
//! let function = read("function f(%0.x: f64[]) { %1: f64[] = neg %0.x return %1 }")?;
//! assert_eq!(function.to_string().parse(), Ok(function));
//! ```
//!
//! - Any valid function reads back as it was, except for what the text leaves out: locations that no node
//!   uses, the numbers of locations, and values that no block binds, which passes may leave behind.
//! - The reader checks only the syntax. Scopes and types are checked by [`crate::verify()`]; but every value
//!   that is used has been bound further up in the text, so it is safe to ask for the type of any value of a
//!   function that was read.
//! - A text of another version is refused.
//! - No text makes it panic; an error has its line and column.

mod attributes;
mod literal;
mod scanner;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use self::attributes::{Given, takes_none};
use self::scanner::Scanner;
use crate::function::{Block, Function, LocationId, Node, SourceLocation, Value, ValueId};
use crate::op::Op;
use crate::types::{DType, Dim, Type};
use crate::write::TEXT_VERSION;

/// The deepest nesting of regions in a text.
const DEEPEST: usize = 200;
/// The highest rank of a type in a text; NumPy has the same limit.
const MOST_DIMENSIONS: usize = 64;

/// Where and why a text is not a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong; one line.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ReadError {}

/// Reads a graph: its main function, and then those that it calls.
///
/// # Errors
/// If the text is not in the form that functions are written in.
pub fn read(text: &str) -> Result<Function, ReadError> {
    let mut reader =
        Reader { scan: Scanner::new(text), values: BTreeMap::new(), locations: Vec::new(), depth: 0 };
    reader.version()?;
    let mut main = reader.function()?;
    while reader.scan.at_keyword("function") {
        let callee = reader.function()?;
        main.functions.push(callee);
    }
    main.sites = reader.sites()?;
    reader.scan.end()?;
    for callee in &mut main.functions {
        callee.locations.clone_from(&reader.locations);
    }
    main.locations = reader.locations;
    Ok(main)
}

impl FromStr for Function {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        read(text)
    }
}

type Read<T> = Result<T, ReadError>;

struct Reader<'a> {
    scan: Scanner<'a>,
    values: BTreeMap<u32, Value>,
    locations: Vec<SourceLocation>,
    depth: usize,
}

impl Reader<'_> {
    /// `version 1`. A text written by hand may leave it out.
    fn version(&mut self) -> Read<()> {
        if !self.scan.at_keyword("version") {
            return Ok(());
        }
        let start = self.scan.here();
        self.scan.keyword("version")?;
        match self.scan.number::<u32>("a version")? {
            TEXT_VERSION => Ok(()),
            other => {
                let message = format!(
                    "this graph is of version {other} of the text form, which is not read here: version \
                     {TEXT_VERSION} is"
                );
                Err(self.scan.fault_at(start, message))
            }
        }
    }

    /// `site 0 "print({0})"`, in order.
    fn sites(&mut self) -> Read<Vec<Arc<str>>> {
        let mut sites = Vec::new();
        while self.scan.at_keyword("site") {
            self.scan.keyword("site")?;
            let start = self.scan.here();
            let number: usize = self.scan.number("the number of a site")?;
            if number != sites.len() {
                return Err(self.scan.fault_at(start, format!("site {} comes first", sites.len())));
            }
            sites.push(self.scan.quoted()?.into());
        }
        Ok(sites)
    }

    fn function(&mut self) -> Read<Function> {
        self.scan.keyword("function")?;
        let name: Arc<str> = self.scan.word("the function's name")?.into();
        self.scan.symbol("(")?;
        let params = if self.scan.at("%") { self.bindings()? } else { Vec::new() };
        self.scan.symbol(")")?;
        let mut body = self.block("return")?;
        body.params = params;
        let values = self.value_table()?;
        Ok(Function { name, values, body, ..Function::default() })
    }

    /// The values by number. Numbers that the text skips stand for values nobody uses.
    fn value_table(&mut self) -> Read<Vec<Value>> {
        let last = self.values.last_key_value().map_or(0, |(number, _)| *number as usize + 1);
        if last > 64 * self.values.len() + 65_536 {
            let message = format!("{} values are numbered up to %{}", self.values.len(), last - 1);
            return Err(self.scan.fault(message));
        }
        let unused = Value::new(Type::scalar(DType::Bool));
        let mut table = vec![unused; last];
        for (number, value) in std::mem::take(&mut self.values) {
            table[number as usize] = value;
        }
        Ok(table)
    }

    /// `{ nodes… end %results }`.
    fn block(&mut self, end: &str) -> Read<Block> {
        self.scan.symbol("{")?;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.scan.fault(format!("regions nest deeper than {DEEPEST}")));
        }
        let mut nodes = Vec::new();
        while !self.scan.at_keyword(end) {
            nodes.push(self.node()?);
        }
        self.scan.keyword(end)?;
        let results = self.uses()?;
        self.scan.symbol("}")?;
        self.depth -= 1;
        Ok(Block { params: Vec::new(), nodes, results })
    }

    fn value_number(&mut self) -> Read<(u32, Option<Arc<str>>)> {
        self.scan.symbol("%")?;
        let number = self.scan.number("a value's number")?;
        let named = self.scan.at_directly(".");
        let name = if named { Some(self.scan.name_after_dot()?.into()) } else { None };
        Ok((number, name))
    }

    /// `%0.x: f64[], %1: i64[3]`.
    fn bindings(&mut self) -> Read<Vec<ValueId>> {
        let mut bound = Vec::new();
        loop {
            let start = self.scan.here();
            let (number, name) = self.value_number()?;
            self.scan.symbol(":")?;
            let ty = self.ty()?;
            if self.values.insert(number, Value { name, ..Value::new(ty) }).is_some() {
                return Err(self.scan.fault_at(start, format!("%{number} is bound a second time")));
            }
            bound.push(ValueId(number));
            if !self.scan.take(",") {
                return Ok(bound);
            }
        }
    }

    /// `%0.x, %1`, or nothing.
    fn uses(&mut self) -> Read<Vec<ValueId>> {
        let mut used = Vec::new();
        if !self.scan.at("%") {
            return Ok(used);
        }
        loop {
            let start = self.scan.here();
            let (number, name) = self.value_number()?;
            let Some(value) = self.values.get(&number) else {
                return Err(self.scan.fault_at(start, format!("%{number} is used before it is bound")));
            };
            if name.is_some() && name != value.name {
                let bound = value.name.as_deref().unwrap_or("no name");
                let message = format!("%{number} was bound with another name: {bound}");
                return Err(self.scan.fault_at(start, message));
            }
            used.push(ValueId(number));
            if !self.scan.take(",") {
                return Ok(used);
            }
        }
    }

    /// `f64[200, ?]`, `list<f64[3]>`.
    fn ty(&mut self) -> Read<Type> {
        self.type_inside(0)
    }

    fn type_inside(&mut self, depth: usize) -> Read<Type> {
        if depth > DEEPEST {
            return Err(self.scan.fault(format!("lists nest deeper than {DEEPEST}")));
        }
        if self.scan.take("list<") {
            let element = self.type_inside(depth + 1)?;
            self.scan.symbol(">")?;
            return Ok(Type::list_of(element));
        }
        let start = self.scan.here();
        let name = self.scan.word("a type")?;
        let Some(dtype) = DType::ALL.into_iter().find(|dtype| dtype.name() == name) else {
            return Err(self.scan.fault_at(start, format!("no element type is named {name}")));
        };
        self.scan.symbol("[")?;
        let mut shape = Vec::new();
        while !self.scan.take("]") {
            if !shape.is_empty() {
                self.scan.symbol(",")?;
            }
            if shape.len() == MOST_DIMENSIONS {
                return Err(self.scan.fault(format!("a type has at most {MOST_DIMENSIONS} dimensions")));
            }
            shape.push(self.dim()?);
        }
        Ok(Type::new(dtype, shape))
    }

    /// `200`, or `?`.
    fn dim(&mut self) -> Read<Dim> {
        if self.scan.take("?") {
            return Ok(Dim::Unknown);
        }
        self.scan.number("a dimension").map(Dim::Known)
    }

    fn node(&mut self) -> Read<Node> {
        let results_at = if self.scan.at("%") { Some(self.scan.here()) } else { None };
        // A node's results are bound after its regions in meaning, but before them in the text;
        // that they are not used inside is for the verifier to see.
        let results = match results_at {
            Some(_) => {
                let bound = self.bindings()?;
                self.scan.symbol("=")?;
                bound
            }
            None => Vec::new(),
        };
        let start = self.scan.here();
        let word = self.scan.word("an op")?;
        let (name, is_checked) = match word.strip_suffix(".checked") {
            Some(name) => (name, true),
            None => (word.as_str(), false),
        };
        let operands = if takes_none(name) || self.is_of_nothing(name)? { Vec::new() } else { self.uses()? };
        let types: Vec<Type> = results.iter().map(|id| self.values[&id.0].ty.clone()).collect();
        let given = Given { start, word: name, is_checked, results: &types, operands: operands.len() };
        let op = self.op(&given)?;
        let regions = self.regions(&op)?;
        let location = self.location()?;
        Ok(Node { op, operands, results, regions, location })
    }

    /// Whether it is a list of no values, which says so.
    fn is_of_nothing(&mut self, word: &str) -> Read<bool> {
        let is_empty = word == "list_make" && self.scan.at_keyword("empty");
        if is_empty {
            self.scan.keyword("empty")?;
        }
        Ok(is_empty)
    }

    fn regions(&mut self, op: &Op) -> Read<Vec<Block>> {
        op.region_names().iter().map(|name| self.region(name)).collect()
    }

    fn region(&mut self, label: &str) -> Read<Block> {
        self.scan.keyword(label)?;
        let mut params = Vec::new();
        if self.scan.take("(") {
            params = self.bindings()?;
            self.scan.symbol(")")?;
        }
        let mut block = self.block("yield")?;
        block.params = params;
        Ok(block)
    }

    /// `loc(file:line:column-line:column in function from …)`, or nothing. The end may be left out; after
    /// `from` stands the call of the function.
    fn location(&mut self) -> Read<Option<LocationId>> {
        if !self.scan.at_keyword("loc") {
            return Ok(None);
        }
        self.scan.keyword("loc")?;
        self.scan.symbol("(")?;
        let mut places = vec![self.place()?];
        while self.scan.at_keyword("from") {
            self.scan.keyword("from")?;
            places.push(self.place()?);
        }
        self.scan.symbol(")")?;
        let mut caller = None;
        for place in places.into_iter().rev() {
            caller = Some(self.number_of(SourceLocation { caller, ..place }));
        }
        Ok(caller)
    }

    /// `file:line:column-line:column in function`.
    fn place(&mut self) -> Read<SourceLocation> {
        let file: Arc<str> = self.scan.word("a file name")?.into();
        self.scan.symbol(":")?;
        let (line, column) = self.line_and_column()?;
        let (end_line, end_column) =
            if self.scan.take("-") { self.line_and_column()? } else { (line, column) };
        let named = self.scan.at_keyword("in");
        if named {
            self.scan.keyword("in")?;
        }
        let function: Arc<str> = if named { self.scan.word("a function's name")?.into() } else { "".into() };
        Ok(SourceLocation { file, function, line, column, end_line, end_column, caller: None })
    }

    /// The number of a place; the same for the same place.
    fn number_of(&mut self, place: SourceLocation) -> LocationId {
        let known = self.locations.iter().rposition(|other| *other == place);
        let number = known.unwrap_or_else(|| {
            self.locations.push(place);
            self.locations.len() - 1
        });
        LocationId(u32::try_from(number).unwrap_or(u32::MAX))
    }

    fn line_and_column(&mut self) -> Read<(u32, u32)> {
        let line = self.scan.number("a line")?;
        self.scan.symbol(":")?;
        Ok((line, self.scan.number("a column")?))
    }
}
