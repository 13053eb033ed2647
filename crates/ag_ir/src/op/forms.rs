//! The table of forms: what a node of each op looks like.
//!
//! The words of the text form, its writer and its reader, the walker of graphs, the number of operands that
//! inference accepts, and `docs/ops.md` are generated from it. An op without a row does not compile.
//!
//! | column | says |
//! | --- | --- |
//! | word | the op's word in the text form; for a family, the part before the word of its row |
//! | op | the op, with a name for each of its attributes |
//! | operands | their names; after `;` the name of any number of further operands |
//! | attributes | their names and kinds, see `attributes.rs`, in the order of the text |
//! | regions | the words before them |
//!
//! The macro passes its rows to another macro, which generates the code.

use super::attributes::{
    Checked, ElementType, Flag, Integers, Kind, Literal, MaybeNumber, MaybeNumbers, NamedAttribute, Number,
    Numbers, OperandsAfter, ResultDType, ResultSize, ResultSizes, ResultType, ResultTypes, Sizes, Text,
};
use super::{Call, Callback, Check, DotAxes, Identity, ListOp, Op, Scope, TapePop, WithShape};

macro_rules! op_forms {
    ($with:ident) => {
        $with! {
            "constant" [Op::Constant(value)] () { value: Literal } [];
            "iota" [Op::Iota { dtype, size }] () { dtype: ResultDType, size: ResultSize } [];
            "iota_to" [Op::IotaTo(dtype)] (n) { dtype: ResultDType } [];
            "size" [Op::Size(axis)] (x) { axis: Number } [];
            "with_shape" [Op::WithShape(WithShape { shape, message })] (x)
                { shape: ResultSizes, message: Text } [];
            ("" UnaryOp op) [Op::Unary(op, checked)] (x) { checked: Checked } [];
            ("" BinaryOp op) [Op::Binary(op, checked)] (x, y) { checked: Checked } [];
            ("" CompareOp op) [Op::Compare(op)] (x, y) {} [];
            "select" [Op::Select] (test, x, y) {} [];
            "cast" [Op::Cast(dtype)] (x) { dtype: ResultDType } [];
            "broadcast" [Op::Broadcast(shape)] (x; sizes) { shape: ResultSizes } [];
            "reshape" [Op::Reshape(shape)] (x; sizes) { shape: ResultSizes } [];
            "transpose" [Op::Transpose(axes)] (x) { axes: Numbers } [];
            "slice" [Op::Slice { start, size, step }] (x)
                { start: Integers, size: Sizes, step: Integers } [];
            "slice_range" [Op::SliceRange { axis }] (x, start, stop, step) { axis: Number } [];
            "dynamic_slice" [Op::DynamicSlice { axis, size }] (x, start) { axis: Number, size: Number } [];
            "update_slice" [Op::UpdateSlice { start, step }] (x, v) { start: Integers, step: Integers } [];
            "dynamic_update_slice" [Op::DynamicUpdateSlice { axis }] (x, v, start) { axis: Number } [];
            "gather" [Op::Gather { axis, count }] (x; indices)
                { axis: Number, count: OperandsAfter<1> } [];
            "scatter" [Op::Scatter { axis, count }] (x, v; indices)
                { axis: Number, count: OperandsAfter<2> } [];
            "scatter_add" [Op::ScatterAdd { axis, count }] (x, v; indices)
                { axis: Number, count: OperandsAfter<2> } [];
            "concatenate" [Op::Concatenate(axis)] (; arrays) { axis: Number } [];
            "nonzero" [Op::Nonzero] (x) {} [];
            ("" ReduceOp op) [Op::Reduce { op, axes, keepdims }] (x) { axes: Numbers, keepdims: Flag } [];
            ("arg" ReduceOp op) [Op::ArgReduce { op, axis }] (x) { axis: Number } [];
            ("cum" ReduceOp op) [Op::Cumulative { op, axis }] (x) { axis: Number } [];
            "argsort" [Op::ArgSort(axis)] (x) { axis: Number } [];
            "dot" [Op::Dot(DotAxes { left_batch, right_batch, left_contract, right_contract })] (x, y) {
                left_batch: MaybeNumbers, right_batch: MaybeNumbers, left_contract: Numbers,
                right_contract: Numbers
            } [];
            ("" Decomposition kind) [Op::Decompose(kind)] (x) {} [];
            "solve_lu" [Op::SolveLu] (lu, b) {} [];
            "fft" [Op::Fourier { is_inverse: false }] (x) {} [];
            "inverse_fft" [Op::Fourier { is_inverse: true }] (x) {} [];
            ("" Draw draw) [Op::Random { draw, dtype, shape }] (key, counter; bounds)
                { dtype: ResultDType, shape: ResultSizes } [];
            "if" [Op::If] (test) {} ["then", "else"];
            "while" [Op::While] (; carries) {} ["test", "body"];
            "for" [Op::For] (start, stop, step; carries) {} ["body"];
            "identity" [Op::Identity(Identity::Plain)] (x) {} [];
            "stop_gradient" [Op::Identity(Identity::StopGradient)] (x) {} [];
            "tape_push" [Op::TapePush(tape)] (x) { tape: Number<u32> } [];
            "tape_pop" [Op::TapePop(TapePop { tape, ty: value })] ()
                { tape: Number<u32>, value: ResultType } [];
            "checkpoint" [Op::Scope(Scope::Checkpoint)] (; x) {} ["primal"];
            "memory_limit" [Op::Scope(Scope::MemoryLimit(bytes))] (; x) { bytes: Number<u64> } ["primal"];
            "custom_vjp" [Op::Scope(Scope::CustomVjp)] (; x) {} ["primal", "forward", "backward"];
            "custom_jvp" [Op::Scope(Scope::CustomJvp)] (; x) {} ["primal", "tangent"];
            "list_make" [Op::List(ListOp::Make(element))] (; values) { element: ElementType } [];
            "list_append" [Op::List(ListOp::Append)] (list, value) {} [];
            "list_pop" [Op::List(ListOp::Pop)] (list) {} [];
            "list_get" [Op::List(ListOp::Get)] (list, index) {} [];
            "list_set" [Op::List(ListOp::Set)] (list, index, value) {} [];
            "list_insert" [Op::List(ListOp::Insert)] (list, index, value) {} [];
            "list_delete" [Op::List(ListOp::Delete)] (list, index) {} [];
            "list_concatenate" [Op::List(ListOp::Concatenate)] (left, right) {} [];
            "list_slice" [Op::List(ListOp::Slice)] (list, start, stop, step) {} [];
            "list_reverse" [Op::List(ListOp::Reverse)] (list) {} [];
            "list_length" [Op::List(ListOp::Length)] (list) {} [];
            "list_stack" [Op::List(ListOp::Stack { size })] (list) { size: MaybeNumber } [];
            "list_unstack" [Op::List(ListOp::Unstack)] (array) {} [];
            "list_get_in" [Op::List(ListOp::GetIn)] (list, index, place) {} [];
            "list_set_in" [Op::List(ListOp::SetIn)] (list, index, place, value) {} [];
            "list_append_in" [Op::List(ListOp::AppendIn)] (list, index, value) {} [];
            "list_pop_in" [Op::List(ListOp::PopIn)] (list, index) {} [];
            "list_length_in" [Op::List(ListOp::LengthIn)] (list, index) {} [];
            "list_flatten" [Op::List(ListOp::Flatten)] (list) {} [];
            "list_zeros" [Op::List(ListOp::Zeros)] (list) {} [];
            "call" [Op::Call(Call { callee, results })] (; arguments)
                { callee: Number, results: ResultTypes } [];
            "callback" [Op::Callback(Callback { site, results })] (; values)
                { site: Number<u32>, results: ResultTypes } [];
            "check" [Op::Check(Check { error, message, site })] (ok; values)
                { error: Text, message: Text, site: MaybeNumber<u32> } [];
            "print" [Op::Print { site }] (; values) { site: Number<u32> } [];
            "keep" [Op::Keep(slot)] (x) { slot: Number<u32> } [];
            "keep_end" [Op::KeepEnd(slot)] (x) { slot: Number<u32> } [];
        }
    };
}

pub(crate) use op_forms;

/// The names of an op's operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandNames {
    /// The names of the operands that are always there.
    pub fixed: &'static [&'static str],
    /// The name of any number of further operands, if the op takes them.
    pub rest: Option<&'static str>,
}

impl OperandNames {
    /// Whether an op may have this many operands.
    #[must_use]
    pub const fn fit(self, count: usize) -> bool {
        count == self.fixed.len() || (count > self.fixed.len() && self.rest.is_some())
    }

    /// The name of an operand.
    #[must_use]
    pub fn name(self, number: usize) -> Option<&'static str> {
        self.fixed.get(number).copied().or(self.rest)
    }
}

macro_rules! word {
    ($word:literal) => {
        $word.to_owned()
    };
    (("" $family:ident $which:ident)) => {
        $which.name().to_owned()
    };
    (($prefix:literal $family:ident $which:ident)) => {
        format!("{}{}", $prefix, $which.name())
    };
}

macro_rules! maybe {
    () => {
        None
    };
    ($name:ident) => {
        Some(stringify!($name))
    };
}

macro_rules! define_forms {
    ($(
        $word:tt [$($op:tt)*] ($($operand:ident),* $(; $rest:ident)?) { $($name:ident: $kind:ty),* }
        [$($region:literal),*];
    )*) => {
        // Most rows of a column ignore the op.
        #[allow(unused_variables, clippy::match_same_arms)]
        impl Op {
            /// The word of the op in the text form. Whether arithmetic is checked is not part of it.
            #[must_use]
            pub fn name(&self) -> String {
                match self {
                    $($($op)* => word!($word),)*
                }
            }

            /// Its attributes: everything that distinguishes it from another op of the same name.
            #[must_use]
            pub fn attributes(&self) -> Vec<NamedAttribute<'_>> {
                match self {
                    $($($op)* => vec![$(NamedAttribute {
                        name: stringify!($name),
                        value: <$kind as Kind>::value($name),
                        place: <$kind as Kind>::PLACE,
                    }),*],)*
                }
            }

            /// The names of its operands.
            #[must_use]
            pub const fn operand_names(&self) -> OperandNames {
                match self {
                    $($($op)* => OperandNames {
                        fixed: &[$(stringify!($operand)),*],
                        rest: maybe!($($rest)?),
                    },)*
                }
            }

            /// The words of its regions.
            #[must_use]
            pub const fn region_names(&self) -> &'static [&'static str] {
                match self {
                    $($($op)* => &[$($region),*],)*
                }
            }

            /// How many regions it has.
            #[must_use]
            pub const fn region_count(&self) -> usize {
                self.region_names().len()
            }
        }

        /// The rows as the document shows them: word, operands, attributes, regions.
        #[cfg(test)]
        pub(super) const FORMS: &[Form] = &[$((
            stringify!($word),
            OperandNames { fixed: &[$(stringify!($operand)),*], rest: maybe!($($rest)?) },
            &[$((stringify!($name), <$kind as Kind>::WORD)),*],
            &[$($region),*],
        )),*];
    };
}

/// A row: word, operands, attributes with their kinds, regions.
#[cfg(test)]
pub(super) type Form =
    (&'static str, OperandNames, &'static [(&'static str, &'static str)], &'static [&'static str]);

op_forms!(define_forms);
