//! The names of ops in the text form, for writing and for reading.
//!
//! Every op has one lower-case word: `add`, `floor_div`, `argmax`, `cumsum`, `dynamic_slice`. The
//! words of all element-wise ops, comparisons and reductions are distinct, so a word alone says
//! which op is meant. Those of the regular families are in `op/table.rs`.

use crate::linear_algebra::Decomposition;
use crate::op::{Identity, Op, Scope};
use crate::random::Draw;

/// Gives an enum of plain variants its list and its words.
macro_rules! named {
    ($type:ident { $($variant:ident = $name:literal),* $(,)? }) => {
        impl $type {
            /// All of them, in order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The word in the text form.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),*
                }
            }

            /// The op with this word.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|op| op.name() == name)
            }
        }
    };
}

named!(Decomposition {
    Lu = "lu",
    Cholesky = "cholesky",
    Qr = "qr",
    CompleteQr = "complete_qr",
    Svd = "svd",
    FullSvd = "full_svd",
    SingularValues = "singular_values",
    Eigh = "eigh",
    Eigenvalues = "eigenvalues",
});

named!(Draw {
    Uniform = "random_uniform",
    Normal = "random_normal",
    Exponential = "random_exponential",
    Integers = "random_integers",
});

impl Op {
    /// The word of the op in the text form. Whether arithmetic is checked is not part of it.
    #[must_use]
    pub fn name(&self) -> String {
        let word = match self {
            Self::Constant(_) => "constant",
            Self::Iota { .. } => "iota",
            Self::IotaTo(_) => "iota_to",
            Self::Size(_) => "size",
            Self::WithShape(_) => "with_shape",
            Self::Unary(op, _) => op.name(),
            Self::Binary(op, _) => op.name(),
            Self::Compare(op) => op.name(),
            Self::Select => "select",
            Self::Cast(_) => "cast",
            Self::Broadcast(_) => "broadcast",
            Self::Reshape(_) => "reshape",
            Self::Transpose(_) => "transpose",
            Self::Slice { .. } => "slice",
            Self::DynamicSlice { .. } => "dynamic_slice",
            Self::SliceRange { .. } => "slice_range",
            Self::UpdateSlice { .. } => "update_slice",
            Self::DynamicUpdateSlice { .. } => "dynamic_update_slice",
            Self::Gather { .. } => "gather",
            Self::Scatter { .. } => "scatter",
            Self::ScatterAdd { .. } => "scatter_add",
            Self::Concatenate(_) => "concatenate",
            Self::Nonzero => "nonzero",
            Self::Reduce { op, .. } => op.name(),
            Self::ArgReduce { op, .. } => return format!("arg{}", op.name()),
            Self::Cumulative { op, .. } => return format!("cum{}", op.name()),
            Self::ArgSort(_) => "argsort",
            Self::Dot(_) => "dot",
            Self::Decompose(kind) => kind.name(),
            Self::SolveLu => "solve_lu",
            Self::Fourier { is_inverse: false } => "fft",
            Self::Fourier { is_inverse: true } => "inverse_fft",
            Self::Random { draw, .. } => draw.name(),
            Self::If => "if",
            Self::While => "while",
            Self::For => "for",
            Self::Identity(Identity::Plain) => "identity",
            Self::Identity(Identity::StopGradient) => "stop_gradient",
            Self::TapePush(_) => "tape_push",
            Self::TapePop(_) => "tape_pop",
            Self::Scope(Scope::Checkpoint) => "checkpoint",
            Self::Scope(Scope::MemoryLimit(_)) => "memory_limit",
            Self::Scope(Scope::CustomVjp) => "custom_vjp",
            Self::Scope(Scope::CustomJvp) => "custom_jvp",
            Self::List(op) => op.name(),
            Self::Call(_) => "call",
            Self::Check(_) => "check",
            Self::Callback(_) => "callback",
            Self::Print { .. } => "print",
            Self::Keep(_) => "keep",
            Self::KeepEnd(_) => "keep_end",
        };
        word.to_owned()
    }
}
