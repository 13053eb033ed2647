//! Reads an op from its word, the types of its results, and the attributes after its operands.
//!
//! The row of an op in `op/forms.rs` says which attributes it has; here is how each kind is read.

use ag_linear_algebra::Decomposition;

use super::{Read, Reader};
use crate::op::attributes::{
    Checked, ElementType, Flag, Integers, Kind, Literal, MaybeNumber, MaybeNumbers, Number, Numbers,
    OperandsAfter, ResultDType, ResultSize, ResultSizes, ResultType, ResultTypes, Sizes, Text,
};
use crate::op::{
    BinaryOp, Call, Callback, Check, CompareOp, Constant, DotAxes, Identity, ListOp, Op, Overflow, ReduceOp,
    Scope, Store, TapePop, UnaryOp, WithShape, op_forms,
};
use crate::random::Draw;
use crate::types::{DType, Shape, TensorType, Type};

/// The parts of a node that come before its attributes.
pub(super) struct Given<'a> {
    /// Where its word starts.
    pub(super) start: usize,
    /// The word, without `.checked`.
    pub(super) word: &'a str,
    /// Whether the word ends in `.checked`.
    pub(super) is_checked: bool,
    /// The types of its results.
    pub(super) results: &'a [Type],
    /// The number of operands.
    pub(super) operands: usize,
}

/// A kind of attributes that can be read.
trait ReadKind: Kind {
    fn read(reader: &mut Reader<'_>, key: &'static str, given: &Given<'_>) -> Read<Self::Value>;
}

/// Reads the op of a row if its word is the given one; for a family, the op of that word.
macro_rules! read_row {
    ($reader:ident, $given:ident, $word:literal, [$($op:tt)*] { $($name:ident: $kind:ty),* }) => {
        if $given.word == $word {
            $(let $name = <$kind as ReadKind>::read($reader, stringify!($name), $given)?;)*
            return Ok(Some($($op)*));
        }
    };
    (
        $reader:ident, $given:ident, ($prefix:literal $family:ident $which:ident), [$($op:tt)*]
        { $($name:ident: $kind:ty),* }
    ) => {
        if let Some($which) = $given.word.strip_prefix($prefix).and_then($family::named) {
            $(let $name = <$kind as ReadKind>::read($reader, stringify!($name), $given)?;)*
            return Ok(Some($($op)*));
        }
    };
}

macro_rules! takes_none {
    ($found:ident, $word:literal, ()) => {
        if $found == $word {
            return true;
        }
    };
    ($found:ident, $word:tt, ($($operands:tt)+)) => {};
}

macro_rules! define_reading {
    ($($word:tt [$($op:tt)*] ($($operands:tt)*) { $($name:ident: $kind:ty),* } [$($region:literal),*];)*) => {
        fn read_form(reader: &mut Reader<'_>, given: &Given<'_>) -> Read<Option<Op>> {
            $(read_row!(reader, given, $word, [$($op)*] { $($name: $kind),* });)*
            Ok(None)
        }

        /// Whether the op with this word takes no operands: then a value that starts the next line is not
        /// one.
        pub(super) fn takes_none(word: &str) -> bool {
            $(takes_none!(word, $word, ($($operands)*));)*
            false
        }
    };
}

op_forms!(define_reading);

impl Reader<'_> {
    /// The op with this word; its operands have been read.
    pub(super) fn op(&mut self, given: &Given<'_>) -> Read<Op> {
        let op = read_form(self, given)?;
        let is_checked = matches!(op, Some(Op::Unary(_, Overflow::Check) | Op::Binary(_, Overflow::Check)));
        match op {
            Some(op) if is_checked == given.is_checked => Ok(op),
            _ => {
                let suffix = if given.is_checked { ".checked" } else { "" };
                Err(self.scan.fault_at(given.start, format!("no op is named {}{suffix}", given.word)))
            }
        }
    }

    fn key(&mut self, key: &str) -> Read<()> {
        self.scan.keyword(key)?;
        self.scan.symbol("=")
    }

    /// `key=[0, 1]`.
    fn list<T>(&mut self, key: &str, mut item: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        self.key(key)?;
        self.scan.symbol("[")?;
        let mut items = Vec::new();
        while !self.scan.take("]") {
            if !items.is_empty() {
                self.scan.symbol(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }
}

impl Given<'_> {
    fn fault<T>(&self, reader: &Reader<'_>, what: &str) -> Read<T> {
        Err(reader.scan.fault_at(self.start, format!("{} {what}", self.word)))
    }

    fn result<'a>(&'a self, reader: &Reader<'_>) -> Read<&'a Type> {
        match self.results.first() {
            Some(ty) => Ok(ty),
            None => self.fault(reader, "needs a result with a type"),
        }
    }

    fn array<'a>(&'a self, reader: &Reader<'_>) -> Read<&'a TensorType> {
        match self.results.first().and_then(Type::tensor) {
            Some(ty) => Ok(ty),
            None => self.fault(reader, "needs a result with an array type"),
        }
    }

    fn sizes(&self, reader: &Reader<'_>) -> Read<Vec<usize>> {
        match self.array(reader)?.sizes() {
            Some(sizes) => Ok(sizes),
            None => self.fault(reader, "of unknown size"),
        }
    }
}

macro_rules! reading {
    ($($kind:ty, $value:ty, |$reader:ident, $key:ident, $given:ident| $read:expr;)*) => {$(
        impl ReadKind for $kind {
            #[allow(unused_variables)]
            fn read($reader: &mut Reader<'_>, $key: &'static str, $given: &Given<'_>) -> Read<$value> {
                $read
            }
        }
    )*};
}

reading! {
    Literal, Constant, |reader, key, given| {
        let (dtype, sizes) = (given.array(reader)?.dtype, given.sizes(reader)?);
        reader.constant(dtype, sizes)
    };
    Numbers, Vec<usize>, |reader, key, given| reader.list(key, |reader| reader.scan.number("a number"));
    MaybeNumbers, Vec<usize>, |reader, key, given| match reader.scan.at_keyword(key) {
        true => Numbers::read(reader, key, given),
        false => Ok(Vec::new()),
    };
    Integers, Vec<i64>, |reader, key, given| reader.list(key, |reader| {
        let start = reader.scan.here();
        let numeral = reader.scan.numeral()?;
        numeral.parse().map_err(|_| reader.scan.fault_at(start, format!("{numeral} is not an integer")))
    });
    Sizes, Shape, |reader, key, given| reader.list(key, Reader::dim);
    Text, std::sync::Arc<str>, |reader, key, given| {
        reader.key(key)?;
        Ok(reader.scan.quoted()?.into())
    };
    Flag, bool, |reader, key, given| {
        let is_there = reader.scan.at_keyword(key);
        if is_there {
            reader.scan.keyword(key)?;
        }
        Ok(is_there)
    };
    Checked, Overflow, |reader, key, given| {
        Ok(if given.is_checked { Overflow::Check } else { Overflow::Wrap })
    };
    ResultDType, DType, |reader, key, given| Ok(given.array(reader)?.dtype);
    ResultSizes, Shape, |reader, key, given| Ok(given.array(reader)?.shape.clone());
    ResultSize, usize, |reader, key, given| match given.sizes(reader)?[..] {
        [size] => Ok(size),
        [] | [_, _, ..] => given.fault(reader, "has a result of one dimension"),
    };
    ResultType, Type, |reader, key, given| given.result(reader).cloned();
    ElementType, Type, |reader, key, given| match given.results.first().and_then(Type::element) {
        Some(element) => Ok(element.clone()),
        None => given.fault(reader, "needs a result with a list type"),
    };
    ResultTypes, Vec<Type>, |reader, key, given| Ok(given.results.to_vec());
}

impl<T: std::str::FromStr + Copy + TryInto<u64>> ReadKind for Number<T> {
    fn read(reader: &mut Reader<'_>, key: &'static str, _: &Given<'_>) -> Read<T> {
        reader.key(key)?;
        reader.scan.number("a number")
    }
}

impl<T: std::str::FromStr + Copy + TryInto<u64>> ReadKind for MaybeNumber<T> {
    fn read(reader: &mut Reader<'_>, key: &'static str, given: &Given<'_>) -> Read<Option<T>> {
        if reader.scan.at_keyword(key) { Number::<T>::read(reader, key, given).map(Some) } else { Ok(None) }
    }
}

impl<const N: usize> ReadKind for OperandsAfter<N> {
    fn read(_: &mut Reader<'_>, _: &'static str, given: &Given<'_>) -> Read<usize> {
        Ok(given.operands.saturating_sub(N))
    }
}
