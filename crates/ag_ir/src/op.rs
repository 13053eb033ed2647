//! Ops: what a node of the graph does.
//!
//! Element-wise ops take operands of one dtype (the front end inserts `cast`) and broadcast their
//! shapes by NumPy's rule. All ops are functional: an update gives a new value. Semantics are
//! NumPy's unless said otherwise; `interpret.rs` is the specification.

pub(crate) mod attributes;
mod columns;
#[cfg(test)]
mod document;
mod families;
mod forms;
mod lists;
mod properties;
mod results;
mod table;

use std::sync::Arc;

use ag_linear_algebra::Decomposition;

pub use self::attributes::{Attribute, NamedAttribute};
pub use self::columns::{Cost, Derivative, Folds, OperandKind, Rounding, Takes};
pub use self::families::{BinaryOp, CompareOp, ReduceOp, UnaryOp};
pub use self::forms::OperandNames;
pub(crate) use self::forms::op_forms;
pub use self::lists::{ListFailure, ListOp};
pub use self::properties::{Batching, Effect, Fails};
pub use self::results::{Condition, DTypeRule, Indexed, ResultRule, SizeRule, ValueRule};

use crate::random::Draw;
use crate::types::{DType, Shape, Type};

/// An operation. Operands, results and regions are the node's, see [`crate::Node`].
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// `() -> T`: a literal array.
    Constant(Constant),
    /// `() -> dtype[size]`: 0, 1, 2, …
    Iota {
        /// Element type.
        dtype: DType,
        /// The number of elements.
        size: usize,
    },
    /// `(n: i64[]) -> dtype[?]`: 0, 1, 2, … below `n`; nothing if that is negative.
    IotaTo(DType),
    /// `(x) -> i64[]`: the size of an axis.
    Size(usize),
    /// `(x) -> x` with a type that knows more or fewer sizes; fails if the array has other sizes.
    WithShape(WithShape),
    /// Element-wise of one operand.
    Unary(UnaryOp, Overflow),
    /// Element-wise of two operands.
    Binary(BinaryOp, Overflow),
    /// Element-wise comparison; the result is `bool`.
    Compare(CompareOp),
    /// `(bool, T, T) -> T`, element-wise `where`.
    Select,
    /// `(a, b, c, m: i64[]) -> i64[]`: `(a * b + c) % m` as Python's ints have it, which may be of more than 64
    /// bits on the way; 0 if `m` is 0.
    MulAddMod,
    /// Element-wise conversion as `ndarray.astype` does it.
    Cast(DType),
    /// `(x, n: i64[]…) -> T`: `numpy.broadcast_to`, with one `n` for each `?` of the shape.
    Broadcast(Shape),
    /// `(x, n: i64[]…) -> T`: same elements in row-major order, another shape, with one `n` for each
    /// `?` of the shape. One of them may be -1, which stands for what is left, as in NumPy.
    Reshape(Shape),
    /// Result axis `i` is operand axis `permutation[i]`.
    Transpose(Vec<usize>),
    /// Element `k` of axis `a` of the result is element `start[a] + k * step[a]` of the operand.
    /// Steps may be negative; all indices are in range. An axis of unknown size is taken as a whole:
    /// its size is `?`, its start 0 and its step 1.
    Slice {
        /// First index along each axis.
        start: Vec<i64>,
        /// Result size along each axis.
        size: Shape,
        /// Step along each axis.
        step: Vec<i64>,
    },
    /// `(x, start, stop, step: i64[]) -> ` the elements of `axis` at `range(start, stop, step)`, which
    /// are bounds as `slice.indices` gives them; fails if they are not. The axis becomes `?`.
    SliceRange {
        /// The axis.
        axis: usize,
    },
    /// `(x, start: i64[]) -> `the `size` elements of `axis` from `start` on; fails with an index
    /// error unless `0 <= start <= x.shape[axis] - size`.
    DynamicSlice {
        /// The axis.
        axis: usize,
        /// How many elements.
        size: usize,
    },
    /// `(x, v) -> x` with the elements that [`Op::Slice`] would read replaced by `v`, which has
    /// exactly that slice's shape.
    UpdateSlice {
        /// First index along each axis.
        start: Vec<i64>,
        /// Step along each axis.
        step: Vec<i64>,
    },
    /// `(x, v, start: i64[]) -> x` with `v` written at `start` along `axis`; bounds as for
    /// [`Op::DynamicSlice`] with the size of `v`.
    DynamicUpdateSlice {
        /// The axis.
        axis: usize,
    },
    /// `(x, i_0, …, i_{count-1}) -> x[.., i_0, …, i_{count-1}, ..]`: integer arrays, broadcast
    /// together to a shape `S`, index the axes `axis .. axis + count`; the result has
    /// `x.shape[..axis] + S + x.shape[axis + count..]`. Negative indices count from the end;
    /// an index out of range is an index error. A scalar index drops its axis.
    Gather {
        /// First indexed axis.
        axis: usize,
        /// How many axes are indexed.
        count: usize,
    },
    /// `(x, v, i_0, …) -> x` with `v`, which broadcasts to the shape that [`Op::Gather`] would give, written
    /// to the elements that it would read.
    Scatter {
        /// First indexed axis.
        axis: usize,
        /// How many axes are indexed.
        count: usize,
        /// How an element is written.
        store: Store,
    },
    /// Operands joined along an axis.
    Concatenate(usize),
    /// `(bool[…]) -> i64[?]…`: the indices of the true elements in row-major order, one array for each
    /// axis, as `numpy.nonzero` gives them.
    Nonzero,
    /// Reduction over axes (ascending, distinct). The dtype stays, but `any`/`all` take `bool`.
    Reduce {
        /// The operation.
        op: ReduceOp,
        /// The axes reduced.
        axes: Vec<usize>,
        /// Whether the axes stay, with size 1.
        keepdims: bool,
    },
    /// First index of the largest or smallest element along an axis; `i64`. A NaN wins.
    ArgReduce {
        /// `Max` or `Min`.
        op: ReduceOp,
        /// The axis.
        axis: usize,
    },
    /// The positions that sort an axis: stable, ascending, NaN last; `i64`.
    ArgSort(usize),
    /// The elements in the order of [`Op::ArgSort`].
    Sort(usize),
    /// The positions that sort an axis as far as some ranks need it; `i64`. The ranks cut what
    /// [`Op::ArgSort`] gives into runs: what lies before, between and after them, and each of them. The
    /// positions of a run ascend.
    ArgPartition {
        /// The axis.
        axis: usize,
        /// The ranks, in any order; what is no rank of the axis means nothing.
        ranks: Vec<usize>,
    },
    /// The elements in the order of [`Op::ArgPartition`].
    Partition {
        /// The axis.
        axis: usize,
        /// The ranks.
        ranks: Vec<usize>,
    },
    /// `(ordered: T[…, n], x: T[…, m]) -> i64[…, m]`: for each element of a line of `x`, how many elements of
    /// the line of `ordered` sort before it, by bisection; NaN sorts last.
    Search {
        /// Whether equal elements count too, as by `numpy.searchsorted` with `side="right"`.
        counts_equal: bool,
    },
    /// Running reduction along an axis (`Sum`, `Prod`, `Max` or `Min`).
    Cumulative {
        /// The operation.
        op: ReduceOp,
        /// The axis.
        axis: usize,
    },
    /// General product: batch axes pair up, contracted axes are summed over; result axes are the
    /// batch axes, the left's free axes, the right's free axes. Both operands have one dtype, a
    /// float or an integer.
    Dot(DotAxes),
    /// `(x: T[…, n], y: T[…, m]) -> T[…, size]`: element `i` of a line is the sum of `x[i + j - before] *
    /// y[j]` over those `j` for which both are there. Of booleans, whether any of the products is true.
    Correlate {
        /// How far the first element is before that of `x`.
        before: usize,
        /// How many elements.
        size: usize,
    },
    /// The parts of each matrix of a stack, one after the other, in place of the last two axes.
    /// Floats only; a matrix without such parts gives numbers that say so.
    Decompose(Decomposition),
    /// `(lu, b) -> x` with `A x = b` for each `A` of a stack, of which `lu` is what
    /// [`Decomposition::Lu`] gave: shapes `S + (n·n + n,)` and `S + (n, columns)`.
    SolveLu,
    /// `(x: f[…, 2, n]) -> f[…, 2, n]`: the discrete Fourier transform of each pair of rows, which are
    /// the real and the imaginary parts of `n` numbers. Neither direction scales.
    Fourier {
        /// Whether the exponent is positive, as in `numpy.fft.ifft`.
        is_inverse: bool,
    },
    /// `(key: i64[], counter: i64[]) -> dtype[shape]`: numbers that depend on key and counter only.
    /// [`Draw::Integers`] takes two more operands, the smallest and the largest value of each
    /// element, of its shape. The others take a number for each size that is not known.
    Random {
        /// The distribution.
        draw: Draw,
        /// A float, or `i64` for integers.
        dtype: DType,
        /// Dimensions.
        shape: Shape,
    },
    /// `(bool[]) { then } { else }`: the results of the region taken.
    If,
    /// `(carries…) { test(carries) -> bool[] } { body(carries) -> carries }`.
    While,
    /// `(start, stop, step: i64[], carries…) { body(i, carries) -> carries }`, Python's `range`.
    /// A step of 0 is checked before the loop by the front end.
    For,
    /// `(x) -> x`, of any type; `(x, slope) -> x` for [`Identity::WithSlope`]. Only passes for gradients tell
    /// it from its first operand: `ag_optimize` drops it.
    Identity(Identity),
    /// `(v) -> `: puts a value on a tape of this number. An ordered effect.
    TapePush(u32),
    /// `() -> v`: takes the value that was put on a tape last. An ordered effect; a graph pops no more
    /// than it pushed.
    TapePop(TapePop),
    /// `() -> bytes: u8[?]`: empties a tape; [`Op::TapeLoad`] puts the values on a tape again, which may be
    /// in another graph. The bytes are for graphs that run on this machine. An ordered effect.
    TapeSave(u32),
    /// `(bytes: u8[?])`: puts the values that [`Op::TapeSave`] has returned on a tape of this number. An
    /// ordered effect.
    TapeLoad(u32),
    /// `(x…) { primal } …`: runs the primal region in place. The other regions are for gradients;
    /// `ag_optimize` drops them and replaces the node by the nodes of the primal region.
    Scope(Scope),
    /// An op that takes or returns a list.
    List(ListOp),
    /// `(arguments…) -> results…`: runs another function of the graph, or (a recursion) the function that
    /// contains the node.
    Call(Call),
    /// `(values…) -> results…`: passes the values to the host, which returns the results. An ordered effect
    /// that may fail.
    Callback(Callback),
    /// `(ok: bool[], values…)`: fails unless `ok`. An ordered effect, no results.
    Check(Check),
    /// `(values…)`: passes the values to the host. An ordered effect, no results.
    Print {
        /// The host's number for this statement.
        site: u32,
    },
    /// `(x)`: if the run fails from here on, its error reports `x` in the slot of this number: what the
    /// program has written so far. An ordered effect, no results.
    Keep(u32),
    /// `(x)`: ends the range in which the slot of this number reports `x`, and so keeps `x` alive up to here.
    /// An ordered effect, no results.
    KeepEnd(u32),
}

/// How an [`Op::Scatter`] writes an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Store {
    /// The new value replaces it. Where indices repeat, the last one wins.
    Replace,
    /// The new value is added to it, as by `numpy.add.at`: integers wrap. Where indices repeat, all of them
    /// are added, in order.
    Add,
}

/// The purpose of an [`Op::Identity`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Identity {
    /// A distinct value, to differentiate with respect to.
    Plain,
    /// Its derivative is zero.
    StopGradient,
    /// Its derivative is that of another value, which equals it but is computed in another way: `sin(x) / x`
    /// has no derivative at 0, a series of powers has.
    WithSlope,
    /// At the top of an [`Scope::Checkpoint`]: a gradient saves the value, rather than to compute it again.
    Saved,
    /// Its derivative is zero in the derivative of this number, and 1 in all others: what a rule of the user
    /// is given is not differentiated again where the rule is the derivative.
    Held(u32),
}

/// The tape that an [`Op::TapePop`] pops from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TapePop {
    /// The number of the tape.
    pub tape: u32,
    /// The type of all values on it.
    pub ty: Type,
}

/// The regions of an [`Op::Scope`]. `x` are the operands, `y` the results of the primal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// `{ (x…) -> y… }`: a gradient does not save what it computes, but computes it again.
    Checkpoint,
    /// `{ (x…) -> y… }` with a loop: a gradient saves at most this many bytes of it at any time, and computes
    /// the rest again.
    MemoryLimit(u64),
    /// `{ (x…) -> y… } { (x…) -> y…, residuals… } { (residuals…, adjoints of y…) -> adjoints of x… }`.
    /// Only `x` and `y` of floats, or lists of floats, have adjoints.
    CustomVjp,
    /// `{ (x…) -> y… } { (x…, tangents of x…) -> y…, tangents of y… }`. Only `x` and `y` of floats, or
    /// lists of floats, have tangents.
    CustomJvp,
    /// `{ (y…, x…, residuals…) -> y… } { (residuals…, adjoints of y…) -> adjoints of x… }`, where the forward
    /// rule of a [`Scope::CustomVjp`] has computed `y` and the residuals. In the derivative of this number
    /// the backward rule gives the adjoints of `x`, of which there are floats only; in all others, the result
    /// is `y`.
    VjpRule(u32),
    /// `{ (y…, x…) -> y… } { (x…, tangents of x…) -> y…, tangents of y… }`, where the rule of a
    /// [`Scope::CustomJvp`] has computed `y`. In the derivative of this number the rule gives the tangents;
    /// in all others, the result is `y`.
    JvpRule(u32),
}

/// The sizes that an [`Op::WithShape`] declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithShape {
    /// The dimensions, as many as the array has.
    pub shape: Shape,
    /// Message of the `ValueError` that is raised if the array has others.
    pub message: Arc<str>,
}

/// The callee of an [`Op::Call`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Number of the function among [`crate::Function::functions`] of the graph.
    pub callee: usize,
    /// The types of its results.
    pub results: Vec<Type>,
}

/// The request of an [`Op::Callback`] to the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callback {
    /// The host's number for the code that it runs.
    pub site: u32,
    /// The types of its results.
    pub results: Vec<Type>,
}

/// The exception that a failing [`Op::Check`] raises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Name of the exception class, such as `AssertionError`.
    pub error: Arc<str>,
    /// Its message.
    pub message: Arc<str>,
    /// The host's number for this statement. With it the host may build a richer exception from the values;
    /// none if class and message suffice.
    pub site: Option<u32>,
}

/// The axes of a [`Op::Dot`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DotAxes {
    /// Batch axes of the left operand, paired with `right_batch`.
    pub left_batch: Vec<usize>,
    /// Batch axes of the right operand.
    pub right_batch: Vec<usize>,
    /// Contracted axes of the left operand, paired with `right_contract`.
    pub left_contract: Vec<usize>,
    /// Contracted axes of the right operand.
    pub right_contract: Vec<usize>,
}

/// A literal array, C order, native byte order.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Element type.
    pub dtype: DType,
    /// Dimensions.
    pub sizes: Vec<usize>,
    /// The elements.
    pub bytes: Arc<[u8]>,
}

impl Constant {
    /// The elements as another machine reads them: C order, little-endian.
    #[must_use]
    pub fn little_endian(&self) -> Vec<u8> {
        let mut bytes = self.bytes.to_vec();
        swap_unless_little_endian(self.dtype, &mut bytes);
        bytes
    }
}

/// Turns elements of this machine into little-endian ones, and back.
pub(crate) fn swap_unless_little_endian(dtype: DType, bytes: &mut [u8]) {
    if cfg!(target_endian = "big") {
        bytes.chunks_mut(dtype.size()).for_each(<[u8]>::reverse);
    }
}

/// What integer arithmetic does when a result leaves the range of the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overflow {
    /// Wraps, as NumPy's integers do. Floating-point arithmetic always uses this variant.
    Wrap,
    /// Fails with an overflow error: the value stems from a Python `int`. Only for `i64`.
    Check,
}
