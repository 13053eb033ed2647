//! Kinds of attributes: the type of their value, and their form in the text.
//!
//! A row of `forms.rs` names the kind of each attribute of its op. The writer, the reader and the walker of
//! graphs depend on the kind, not on the op.

use std::marker::PhantomData;
use std::sync::Arc;

use super::{Constant, Overflow};
use crate::types::{DType, Dim, Shape, Type};

/// The value of an attribute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Attribute<'a> {
    /// An optional attribute that is left out.
    Absent,
    /// A boolean.
    Flag(bool),
    /// A number.
    Number(u64),
    /// Numbers that are not negative.
    Numbers(&'a [usize]),
    /// Numbers of any sign.
    Integers(&'a [i64]),
    /// Sizes of an array.
    Sizes(&'a [Dim]),
    /// A text.
    Text(&'a str),
    /// An element type.
    DType(DType),
    /// A literal array.
    Array(&'a Constant),
    /// A type.
    Type(&'a Type),
    /// Types.
    Types(&'a [Type]),
}

/// An attribute of an op.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedAttribute<'a> {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: Attribute<'a>,
    pub(crate) place: Place,
}

/// The place of an attribute in the text form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// After the operands: `axis=1`. Some kinds leave out an absent, empty or false value.
    AfterOperands,
    /// After the op's word: `add.checked`.
    AfterWord,
    /// Nowhere: the operands, or the type of the result, imply it.
    Elsewhere,
}

/// A kind of attributes.
pub(crate) trait Kind {
    /// The type of the field in the op.
    type Value;
    /// Its place in the text.
    const PLACE: Place = Place::AfterOperands;
    /// Its name in `docs/ops.md`.
    #[cfg(test)]
    const WORD: &'static str;

    fn value(value: &Self::Value) -> Attribute<'_>;
}

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $kind:ident of $value:ty, $place:ident, $word:literal, |$of:ident| $attribute:expr;)*) => {$(
        $(#[doc = $doc])*
        pub(crate) struct $kind;

        impl Kind for $kind {
            type Value = $value;
            const PLACE: Place = Place::$place;
            #[cfg(test)]
            const WORD: &'static str = $word;

            fn value($of: &$value) -> Attribute<'_> {
                $attribute
            }
        }
    )*};
}

kinds! {
    /// A literal array: its numbers are written, its type is the result's.
    Literal of Constant, AfterOperands, "array", |array| Attribute::Array(array);
    /// Axes, or similar numbers.
    Numbers of Vec<usize>, AfterOperands, "numbers", |numbers| Attribute::Numbers(numbers);
    /// Axes, left out if there are none.
    MaybeNumbers of Vec<usize>, AfterOperands, "numbers or none", |numbers| match numbers[..] {
        [] => Attribute::Absent,
        [..] => Attribute::Numbers(numbers),
    };
    /// Positions of any sign.
    Integers of Vec<i64>, AfterOperands, "integers", |integers| Attribute::Integers(integers);
    /// Sizes that the type of the result does not imply.
    Sizes of Shape, AfterOperands, "sizes", |sizes| Attribute::Sizes(sizes);
    /// A text in quotes.
    Text of Arc<str>, AfterOperands, "text", |text| Attribute::Text(text);
    /// A word that is present or absent.
    Flag of bool, AfterOperands, "flag", |flag| Attribute::Flag(*flag);
    /// Whether integer arithmetic is checked for overflow.
    Checked of Overflow, AfterWord, "flag", |overflow| Attribute::Flag(*overflow == Overflow::Check);
    /// The element type of the result.
    ResultDType of DType, Elsewhere, "dtype", |dtype| Attribute::DType(*dtype);
    /// The sizes of the result.
    ResultSizes of Shape, Elsewhere, "sizes", |sizes| Attribute::Sizes(sizes);
    /// The size of a one-dimensional result.
    ResultSize of usize, Elsewhere, "number", |size| Attribute::Number(*size as u64);
    /// The type of the result.
    ResultType of Type, Elsewhere, "type", |ty| Attribute::Type(ty);
    /// The element type of the result, a list.
    ElementType of Type, Elsewhere, "type", |ty| Attribute::Type(ty);
    /// The types of the results.
    ResultTypes of Vec<Type>, Elsewhere, "types", |types| Attribute::Types(types);
}

/// A number.
pub(crate) struct Number<T = usize>(PhantomData<T>);

impl<T: Copy + TryInto<u64>> Kind for Number<T> {
    type Value = T;
    #[cfg(test)]
    const WORD: &'static str = "number";

    fn value(number: &T) -> Attribute<'_> {
        (*number).try_into().map_or(Attribute::Absent, Attribute::Number)
    }
}

/// An optional number.
pub(crate) struct MaybeNumber<T = usize>(PhantomData<T>);

impl<T: Copy + TryInto<u64>> Kind for MaybeNumber<T> {
    type Value = Option<T>;
    #[cfg(test)]
    const WORD: &'static str = "number or none";

    fn value(number: &Option<T>) -> Attribute<'_> {
        number.and_then(|number| number.try_into().ok()).map_or(Attribute::Absent, Attribute::Number)
    }
}

/// The number of operands after the first `N`.
pub(crate) struct OperandsAfter<const N: usize>;

impl<const N: usize> Kind for OperandsAfter<N> {
    type Value = usize;
    const PLACE: Place = Place::Elsewhere;
    #[cfg(test)]
    const WORD: &'static str = "number";

    fn value(count: &usize) -> Attribute<'_> {
        Attribute::Number(*count as u64)
    }
}
