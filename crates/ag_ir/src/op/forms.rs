//! The table of forms: what a node of each op looks like.
//!
//! The words of the text form, its writer and its reader, the walker of graphs, the operands that inference
//! accepts, and `docs/ops.md` are generated from it. An op without a row does not compile.
//!
//! | column | says |
//! | --- | --- |
//! | word | the op's word in the text form; for a family, the part before the word of its row |
//! | op | the op, with a name for each of its attributes |
//! | operands | their names and kinds, see [`OperandKind`]; after `;` those of any number of further operands. Without a kind, any array |
//! | attributes | their names and kinds, see `attributes.rs`, in the order of the text |
//! | regions | the words before them |
//!
//! The macro passes its rows to another macro, which generates the code.

use super::attributes::{
    Checked, ElementType, Flag, Integers, Kind, Literal, MaybeNumber, MaybeNumbers, NamedAttribute, Number,
    Numbers, OperandsAfter, ResultDType, ResultSize, ResultSizes, ResultType, ResultTypes, Sizes, Text,
};
use super::columns::{OperandKind, arithmetic, bound};
use super::{Call, Callback, Check, DotAxes, Identity, ListOp, Op, Scope, Store, TapePop, WithShape};

macro_rules! op_forms {
    ($with:ident) => {
        $with! {
            "constant" [Op::Constant(value)] () { value: Literal } [];
            "iota" [Op::Iota { dtype, size }] () { dtype: ResultDType, size: ResultSize } [];
            "iota_to" [Op::IotaTo(dtype)] (n: Integer) { dtype: ResultDType } [];
            "size" [Op::Size(axis)] (x) { axis: Number } [];
            "with_shape" [Op::WithShape(WithShape { shape, message })] (x)
                { shape: ResultSizes, message: Text } [];
            ("" UnaryOp op) [Op::Unary(op, checked)] (x: arithmetic(op.takes(), *checked))
                { checked: Checked } [];
            ("" BinaryOp op) [Op::Binary(op, checked)] (x: arithmetic(op.takes(), *checked), y: Same(0))
                { checked: Checked } [];
            ("" CompareOp op) [Op::Compare(op)] (x, y: Same(0)) {} [];
            "select" [Op::Select] (test: Of(Bool), x, y: Same(1)) {} [];
            "mul_add_mod" [Op::MulAddMod] (a: Integer, b: Integer, c: Integer, m: Integer) {} [];
            "cast" [Op::Cast(dtype)] (x) { dtype: ResultDType } [];
            "broadcast" [Op::Broadcast(shape)] (x; sizes: Integer) { shape: ResultSizes } [];
            "reshape" [Op::Reshape(shape)] (x; sizes: Integer) { shape: ResultSizes } [];
            "transpose" [Op::Transpose(axes)] (x) { axes: Numbers } [];
            "slice" [Op::Slice { start, size, step }] (x)
                { start: Integers, size: Sizes, step: Integers } [];
            "slice_range" [Op::SliceRange { axis }] (x, start: Integer, stop: Integer, step: Integer)
                { axis: Number } [];
            "dynamic_slice" [Op::DynamicSlice { axis, size }] (x, start: Integer)
                { axis: Number, size: Number } [];
            "update_slice" [Op::UpdateSlice { start, step }] (x, v: Same(0))
                { start: Integers, step: Integers } [];
            "dynamic_update_slice" [Op::DynamicUpdateSlice { axis }] (x, v: Same(0), start: Integer)
                { axis: Number } [];
            "gather" [Op::Gather { axis, count }] (x; indices: Of(Integers))
                { axis: Number, count: OperandsAfter<1> } [];
            "scatter" [Op::Scatter { axis, count, store: Store::Replace }]
                (x, v: Same(0); indices: Of(Integers))
                { axis: Number, count: OperandsAfter<2> } [];
            "scatter_add" [Op::Scatter { axis, count, store: Store::Add }]
                (x: Of(Numbers), v: Same(0); indices: Of(Integers))
                { axis: Number, count: OperandsAfter<2> } [];
            "concatenate" [Op::Concatenate(axis)] (; arrays: Same(0)) { axis: Number } [];
            "nonzero" [Op::Nonzero] (x: Of(Bool)) {} [];
            ("" ReduceOp op) [Op::Reduce { op, axes, keepdims }] (x: Of(op.takes()))
                { axes: Numbers, keepdims: Flag } [];
            ("arg" ReduceOp op) [Op::ArgReduce { op, axis }] (x: Of(op.takes_arg())) { axis: Number } [];
            ("cum" ReduceOp op) [Op::Cumulative { op, axis }] (x: Of(op.takes_cumulative()))
                { axis: Number } [];
            "argsort" [Op::ArgSort(axis)] (x) { axis: Number } [];
            "sort" [Op::Sort(axis)] (x) { axis: Number } [];
            "argpartition" [Op::ArgPartition { axis, ranks }] (x) { axis: Number, ranks: Numbers } [];
            "partition" [Op::Partition { axis, ranks }] (x) { axis: Number, ranks: Numbers } [];
            "search" [Op::Search { counts_equal }] (ordered, x: Same(0)) { counts_equal: Flag } [];
            "dot" [Op::Dot(DotAxes { left_batch, right_batch, left_contract, right_contract })]
                (x: Of(Numbers), y: Same(0)) {
                left_batch: MaybeNumbers, right_batch: MaybeNumbers, left_contract: Numbers,
                right_contract: Numbers
            } [];
            "correlate" [Op::Correlate { before, size }] (x, y: Same(0)) { before: Number, size: Number } [];
            ("" Decomposition kind) [Op::Decompose(kind)] (x: Of(Floats)) {} [];
            "solve_lu" [Op::SolveLu] (lu: Of(Floats), b: Same(0)) {} [];
            "fft" [Op::Fourier { is_inverse: false }] (x: Of(Floats)) {} [];
            "inverse_fft" [Op::Fourier { is_inverse: true }] (x: Of(Floats)) {} [];
            ("" Draw draw) [Op::Random { draw, dtype, shape }]
                (key: Integer, counter: Integer; bounds: bound(*draw))
                { dtype: ResultDType, shape: ResultSizes } [];
            "if" [Op::If] (test: Truth) {} ["then", "else"];
            "while" [Op::While] (; carries: Any) {} ["test", "body"];
            "for" [Op::For] (start: Integer, stop: Integer, step: Integer; carries: Any) {} ["body"];
            "identity" [Op::Identity(Identity::Plain)] (x: Any) {} [];
            "stop_gradient" [Op::Identity(Identity::StopGradient)] (x: Any) {} [];
            "with_slope" [Op::Identity(Identity::WithSlope)] (x: Any, slope: First) {} [];
            "saved" [Op::Identity(Identity::Saved)] (x: Any) {} [];
            "held" [Op::Identity(Identity::Held(derivative))] (x: Any) { derivative: Number<u32> } [];
            "tape_push" [Op::TapePush(tape)] (x: Any) { tape: Number<u32> } [];
            "tape_pop" [Op::TapePop(TapePop { tape, ty: value })] ()
                { tape: Number<u32>, value: ResultType } [];
            "tape_save" [Op::TapeSave(tape)] () { tape: Number<u32> } [];
            "tape_load" [Op::TapeLoad(tape)] (bytes: Bytes) { tape: Number<u32> } [];
            "checkpoint" [Op::Scope(Scope::Checkpoint)] (; x: Any) {} ["primal"];
            "memory_limit" [Op::Scope(Scope::MemoryLimit(bytes))] (; x: Any)
                { bytes: Number<u64> } ["primal"];
            "custom_vjp" [Op::Scope(Scope::CustomVjp)] (; x: Any) {} ["primal", "forward", "backward"];
            "custom_jvp" [Op::Scope(Scope::CustomJvp)] (; x: Any) {} ["primal", "tangent"];
            "vjp_rule" [Op::Scope(Scope::VjpRule(derivative))] (; y: Any)
                { derivative: Number<u32> } ["primal", "backward"];
            "jvp_rule" [Op::Scope(Scope::JvpRule(derivative))] (; y: Any)
                { derivative: Number<u32> } ["primal", "tangent"];
            "list_make" [Op::List(ListOp::Make(element))] (; values: Any) { element: ElementType } [];
            "list_append" [Op::List(ListOp::Append)] (list: List, value: Element) {} [];
            "list_pop" [Op::List(ListOp::Pop)] (list: List) {} [];
            "list_get" [Op::List(ListOp::Get)] (list: List, index: Integer) {} [];
            "list_set" [Op::List(ListOp::Set)] (list: List, index: Integer, value: Element) {} [];
            "list_insert" [Op::List(ListOp::Insert)] (list: List, index: Integer, value: Element) {} [];
            "list_delete" [Op::List(ListOp::Delete)] (list: List, index: Integer) {} [];
            "list_concatenate" [Op::List(ListOp::Concatenate)] (left: List, right: First) {} [];
            "list_slice" [Op::List(ListOp::Slice)] (list: List, start: Integer, stop: Integer, step: Integer)
                {} [];
            "list_reverse" [Op::List(ListOp::Reverse)] (list: List) {} [];
            "list_length" [Op::List(ListOp::Length)] (list: List) {} [];
            "list_stack" [Op::List(ListOp::Stack { size })] (list: List) { size: MaybeNumber } [];
            "list_unstack" [Op::List(ListOp::Unstack)] (array) {} [];
            "list_get_in" [Op::List(ListOp::GetIn)] (list: ListOfLists, index: Integer, place: Integer) {} [];
            "list_set_in" [Op::List(ListOp::SetIn)]
                (list: ListOfLists, index: Integer, place: Integer, value: InnerElement) {} [];
            "list_append_in" [Op::List(ListOp::AppendIn)]
                (list: ListOfLists, index: Integer, value: InnerElement) {} [];
            "list_pop_in" [Op::List(ListOp::PopIn)] (list: ListOfLists, index: Integer) {} [];
            "list_length_in" [Op::List(ListOp::LengthIn)] (list: ListOfLists, index: Integer) {} [];
            "list_flatten" [Op::List(ListOp::Flatten)] (list: ListOfLists) {} [];
            "list_zeros" [Op::List(ListOp::Zeros)] (list: List) {} [];
            "call" [Op::Call(Call { callee, results })] (; arguments: Any)
                { callee: Number, results: ResultTypes } [];
            "callback" [Op::Callback(Callback { site, results })] (; values: Shown)
                { site: Number<u32>, results: ResultTypes } [];
            "check" [Op::Check(Check { error, message, site })] (ok: Truth; values: Shown)
                { error: Text, message: Text, site: MaybeNumber<u32> } [];
            "print" [Op::Print { site }] (; values: Shown) { site: Number<u32> } [];
            "keep" [Op::Keep(slot)] (x: Any) { slot: Number<u32> } [];
            "keep_end" [Op::KeepEnd(slot)] (x: Any) { slot: Number<u32> } [];
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

macro_rules! operand_kind {
    () => {
        OperandKind::Array
    };
    ($kind:expr) => {
        $kind
    };
}

/// The kind of an operand: one of those that are always there, or that of the further ones.
const fn nth(fixed: &[OperandKind], rest: OperandKind, number: usize) -> OperandKind {
    if number < fixed.len() { fixed[number] } else { rest }
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
        $word:tt [$($op:tt)*]
        ($($operand:ident $(: $is:expr)?),* $(; $rest:ident $(: $are:expr)?)?) { $($name:ident: $kind:ty),* }
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

            /// The kind of an operand. What it does not say, for example that a size is in range, the rules
            /// for results check.
            #[must_use]
            pub const fn operand_kind(&self, number: usize) -> OperandKind {
                use super::Takes::{Bool, Floats, Integers, Numbers};
                use OperandKind::*;
                match self {
                    $($($op)* => nth(
                        &[$(operand_kind!($($is)?)),*],
                        operand_kind!($($($are)?)?),
                        number,
                    ),)*
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
            &[$((stringify!($operand), stringify!($($is)?))),*],
            &[$((stringify!($rest), stringify!($($are)?)))?],
            &[$((stringify!($name), <$kind as Kind>::WORD)),*],
            &[$($region),*],
        )),*];
    };
}

/// Names with their kinds.
#[cfg(test)]
type Named = &'static [(&'static str, &'static str)];

/// A row: word, operands, further operands, attributes, regions.
#[cfg(test)]
pub(super) type Form = (&'static str, Named, Named, Named, &'static [&'static str]);

op_forms!(define_forms);
