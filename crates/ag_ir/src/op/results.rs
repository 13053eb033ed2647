//! The table of results: the types that each op returns.
//!
//! Type inference, the sizes in a run, the names of sizes and the sizes that gradients know are made from it.
//! A new op does not compile until it has a row.
//!
//! | column | says |
//! | --- | --- |
//! | op | the op, with a name for each of its attributes |
//! | results | see [`ResultRule`]; for an array [`DTypeRule`] and [`SizeRule`] |

use std::slice::from_ref;

use ag_linear_algebra::Decomposition;

use super::{DotAxes, ListOp, Op, ReduceOp, TapePop, WithShape};
use crate::random::Draw;
use crate::types::{DType, Shape, Type};

/// The rule for the results of an op.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ResultRule<'a> {
    /// One array.
    Array(DTypeRule, SizeRule<'a>),
    /// An `i64[]`: the size of this axis of the first operand.
    Size(usize),
    /// An `i64[]`: the length of the first operand, a list.
    Length,
    /// An `i64[?]` for each axis of the first operand: the indices of some of its elements.
    Positions,
    /// These values, which are of the types of operands, or of values in them.
    Values(&'static [ValueRule]),
    /// Values of these types, which are attributes of the op.
    Types(&'a [Type]),
    /// A list of values of this type.
    ListOf(&'a Type),
    /// A list of the rows of the first operand, an array.
    ListOfRows,
    /// An array with a row for each value of the first operand, a list; of this length if there is one.
    Stack(Option<usize>),
    /// Those of both regions.
    If,
    /// Those of the body, which are of the types of the carries.
    While,
    /// Those of the body, which are of the types of the carries.
    For,
    /// Those of the first region.
    Scope,
}

/// The rule for a result that is of the type of an operand, or of a value in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueRule {
    /// The type of the first operand.
    First,
    /// The type of the values in the first operand, a list.
    Element,
    /// The type of the values in the lists in the first operand.
    InnerElement,
    /// An `i64[]`.
    Integer,
    /// A `u8[?]`.
    Bytes,
}

/// The rule for the element type of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DTypeRule {
    /// This one.
    Is(DType),
    /// That of the operand of this number.
    Same(usize),
    /// This one, if the draw has numbers of it.
    Drawn(Draw, DType),
}

/// The rule for the sizes of an array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SizeRule<'a> {
    /// These.
    Known(&'a [usize]),
    /// Those of the operand of this number, if the operands fit.
    Operand(usize, Condition<'a>),
    /// Those of the first operand, which may be these; the type says which are known.
    Declared(&'a WithShape),
    /// Those to which the operands broadcast.
    Broadcast,
    /// A shape, with the integer operands from this number on for its unknown sizes.
    Given(&'a Shape, usize),
    /// This shape, to which the first operand broadcasts, with the other operands for unknown sizes.
    BroadcastTo(&'a Shape),
    /// This shape, with the other operands for unknown sizes, of which one may be -1.
    Reshape(&'a Shape),
    /// One axis, as long as the first operand says.
    Count,
    /// Axis `i` is axis `permutation[i]` of the first operand.
    Transpose(&'a [usize]),
    /// The elements that an [`Op::Slice`] reads.
    Slice {
        /// First index along each axis.
        start: &'a [i64],
        /// Result size along each axis.
        size: &'a Shape,
        /// Step along each axis.
        step: &'a [i64],
    },
    /// Those of the first operand, but of this axis a range.
    Range(usize),
    /// Those of the first operand, but of this axis so many elements.
    Block(usize, usize),
    /// The indices, operands from this number on, replace so many axes from an axis on.
    Gather(Indexed),
    /// Those of the operands, joined along this axis.
    Concatenate(usize),
    /// Those of the first operand without these axes, or with size 1 there.
    Reduce {
        /// The operation.
        op: ReduceOp,
        /// The axes.
        axes: &'a [usize],
        /// Whether they stay, with size 1.
        keepdims: bool,
    },
    /// Those of the first operand without the axis.
    ArgReduce {
        /// `Max` or `Min`.
        op: ReduceOp,
        /// The axis.
        axis: usize,
    },
    /// Those of a product.
    Dot(&'a DotAxes),
    /// Those of the first operand, but of the last axis so many elements; the second is a stack of as many
    /// lines.
    Lines(usize),
    /// The parts of each matrix of a stack in a row.
    Decompose(Decomposition),
}

/// What the operands of an op fulfil whose result has the sizes of one of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Condition<'a> {
    /// Nothing.
    Nothing,
    /// The first has this axis.
    HasAxis(usize),
    /// It is rows in pairs.
    IsPairs,
    /// The second has the sizes of a slice of the first.
    FitsSlice(&'a [i64], &'a [i64]),
    /// The second is not longer than the first along this axis, and as long along all others.
    FitsBlock(usize),
    /// The second broadcasts to what the indices, from the third on, read of the first.
    FitsPlaces(Indexed),
    /// The first has the triangular factors for the matrices of the second.
    FitsFactors,
    /// Both are stacks of lines, one as large as the other.
    FitsLines,
    /// The third and the fourth have this shape.
    HasBounds(&'a Shape),
}

/// The axes that arrays of integers index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indexed {
    /// The first axis.
    pub axis: usize,
    /// How many axes.
    pub count: usize,
    /// The number of the operand that is the first index.
    pub first: usize,
}

const fn indexed(axis: usize, count: usize, first: usize) -> Indexed {
    Indexed { axis, count, first }
}

impl<'a> ResultRule<'a> {
    /// The rule for the sizes of the array that an op returns; none if it returns no array, or others.
    #[must_use]
    pub const fn sizes(self) -> Option<SizeRule<'a>> {
        match self {
            Self::Array(_, rule) => Some(rule),
            Self::Size(_)
            | Self::Length
            | Self::Positions
            | Self::Values(_)
            | Self::Types(_)
            | Self::ListOf(_)
            | Self::ListOfRows
            | Self::Stack(_)
            | Self::If
            | Self::While
            | Self::For
            | Self::Scope => None,
        }
    }
}

impl SizeRule<'_> {
    /// The number of the first operand that is an integer for a size, if there are such.
    #[must_use]
    pub const fn numbers(self) -> Option<usize> {
        match self {
            Self::Count => Some(0),
            Self::Given(_, first) => Some(first),
            Self::BroadcastTo(_) | Self::Reshape(_) | Self::Range(_) => Some(1),
            Self::Known(_)
            | Self::Operand(..)
            | Self::Declared(_)
            | Self::Broadcast
            | Self::Transpose(_)
            | Self::Slice { .. }
            | Self::Block(..)
            | Self::Gather(_)
            | Self::Concatenate(_)
            | Self::Reduce { .. }
            | Self::ArgReduce { .. }
            | Self::Dot(_)
            | Self::Lines(_)
            | Self::Decompose(_) => None,
        }
    }
}

/// Generates the method of [`Op`], and the rows as the document shows them.
macro_rules! results {
    ($($op:pat => $results:expr;)*) => {
        // Most rows ignore some attributes.
        #[allow(unused_variables, clippy::match_same_arms)]
        impl Op {
            /// The rule for its results.
            #[must_use]
            pub const fn results(&self) -> ResultRule<'_> {
                use Condition::*;
                use DTypeRule::*;
                use ResultRule::*;
                use SizeRule::*;
                use ValueRule::*;
                match self {
                    $($op => $results),*
                }
            }
        }

        /// The rows as the document shows them.
        #[cfg(test)]
        pub(super) const RESULTS: &[(&str, &str)] = &[$((stringify!($op), stringify!($results))),*];
    };
}

results! {
    Op::Constant(value) => Array(Is(value.dtype), Known(value.sizes.as_slice()));
    Op::Iota { dtype, size } => Array(Is(*dtype), Known(from_ref(size)));
    Op::IotaTo(dtype) => Array(Is(*dtype), Count);
    Op::Size(axis) => Size(*axis);
    Op::WithShape(wanted) => Array(Same(0), Declared(wanted));
    Op::Unary(op, _) => Array(op.gives(), Operand(0, Nothing));
    Op::Binary(..) => Array(Same(0), Broadcast);
    Op::Compare(_) => Array(Is(DType::Bool), Broadcast);
    Op::Select => Array(Same(1), Broadcast);
    Op::MulAddMod => Array(Same(0), Broadcast);
    Op::Cast(dtype) => Array(Is(*dtype), Operand(0, Nothing));
    Op::Broadcast(shape) => Array(Same(0), BroadcastTo(shape));
    Op::Reshape(shape) => Array(Same(0), Reshape(shape));
    Op::Transpose(axes) => Array(Same(0), Transpose(axes.as_slice()));
    Op::Slice { start, size, step } =>
        Array(Same(0), Slice { start: start.as_slice(), size, step: step.as_slice() });
    Op::SliceRange { axis } => Array(Same(0), Range(*axis));
    Op::DynamicSlice { axis, size } => Array(Same(0), Block(*axis, *size));
    Op::UpdateSlice { start, step } =>
        Array(Same(0), Operand(0, FitsSlice(start.as_slice(), step.as_slice())));
    Op::DynamicUpdateSlice { axis } => Array(Same(0), Operand(0, FitsBlock(*axis)));
    Op::Gather { axis, count } => Array(Same(0), Gather(indexed(*axis, *count, 1)));
    Op::Scatter { axis, count, .. } => Array(Same(0), Operand(0, FitsPlaces(indexed(*axis, *count, 2))));
    Op::Concatenate(axis) => Array(Same(0), Concatenate(*axis));
    Op::Nonzero => Positions;
    Op::Reduce { op, axes, keepdims } =>
        Array(Same(0), Reduce { op: *op, axes: axes.as_slice(), keepdims: *keepdims });
    Op::ArgReduce { op, axis } => Array(Is(DType::I64), ArgReduce { op: *op, axis: *axis });
    Op::ArgSort(axis) => Array(Is(DType::I64), Operand(0, HasAxis(*axis)));
    Op::Sort(axis) => Array(Same(0), Operand(0, HasAxis(*axis)));
    Op::ArgPartition { axis, .. } => Array(Is(DType::I64), Operand(0, HasAxis(*axis)));
    Op::Partition { axis, .. } => Array(Same(0), Operand(0, HasAxis(*axis)));
    Op::Search { .. } => Array(Is(DType::I64), Operand(1, FitsLines));
    Op::Cumulative { axis, .. } => Array(Same(0), Operand(0, HasAxis(*axis)));
    Op::Dot(axes) => Array(Same(0), Dot(axes));
    Op::Correlate { size, .. } => Array(Same(0), Lines(*size));
    Op::Decompose(kind) => Array(Same(0), Decompose(*kind));
    Op::SolveLu => Array(Same(1), Operand(1, FitsFactors));
    Op::Fourier { .. } => Array(Same(0), Operand(0, IsPairs));
    Op::Random { draw, dtype, shape } => Array(Drawn(*draw, *dtype), of_draw(*draw, shape));
    Op::If => If;
    Op::While => While;
    Op::For => For;
    Op::Identity(_) => Values(&[First]);
    Op::TapePush(_) => Values(&[]);
    Op::TapePop(TapePop { ty, .. }) => Types(from_ref(ty));
    Op::TapeSave(_) => Values(&[Bytes]);
    Op::TapeLoad(_) => Values(&[]);
    Op::Scope(_) => Scope;
    Op::List(ListOp::Make(element)) => ListOf(element);
    Op::List(ListOp::Append) => Values(&[First]);
    Op::List(ListOp::Pop) => Values(&[First, Element]);
    Op::List(ListOp::Get) => Values(&[Element]);
    Op::List(ListOp::Set) => Values(&[First]);
    Op::List(ListOp::Insert) => Values(&[First]);
    Op::List(ListOp::Delete) => Values(&[First]);
    Op::List(ListOp::Concatenate) => Values(&[First]);
    Op::List(ListOp::Slice) => Values(&[First]);
    Op::List(ListOp::Reverse) => Values(&[First]);
    Op::List(ListOp::Length) => Length;
    Op::List(ListOp::Stack { size }) => Stack(*size);
    Op::List(ListOp::Unstack) => ListOfRows;
    Op::List(ListOp::GetIn) => Values(&[InnerElement]);
    Op::List(ListOp::SetIn) => Values(&[First]);
    Op::List(ListOp::AppendIn) => Values(&[First]);
    Op::List(ListOp::PopIn) => Values(&[First, InnerElement]);
    Op::List(ListOp::LengthIn) => Values(&[Integer]);
    Op::List(ListOp::Flatten) => Values(&[Element]);
    Op::List(ListOp::Zeros) => Values(&[First]);
    Op::Call(call) => Types(call.results.as_slice());
    Op::Callback(callback) => Types(callback.results.as_slice());
    Op::Check(_) => Values(&[]);
    Op::Print { .. } => Values(&[]);
    Op::Keep(_) => Values(&[]);
    Op::KeepEnd(_) => Values(&[]);
}

/// Random integers have the sizes of their bounds; other draws take an integer operand for each unknown size.
const fn of_draw(draw: Draw, shape: &Shape) -> SizeRule<'_> {
    match draw {
        Draw::Integers => SizeRule::Operand(2, Condition::HasBounds(shape)),
        Draw::Uniform | Draw::Normal | Draw::Exponential => SizeRule::Given(shape, 2),
    }
}
