//! The enums of the regular ops, generated from their rows in `table.rs`.

use super::columns::{Cost, Derivative, Folds, Rounding, Takes};
use super::results::DTypeRule;
use crate::functions::{self, FloorDivmod, InDouble, ScalarPower};
use crate::types::DType;

/// Implements the methods that the enums of all regular ops have.
macro_rules! names {
    ($type:ident { $($op:ident, $name:literal, $builder:literal, $means:literal, $doc:expr;)* }) => {
        impl $type {
            /// All of them, in order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$op),*];

            /// The word in the text form.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$op => $name),*
                }
            }

            /// The op with this word.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$op),)*
                    _ => None,
                }
            }

            /// The name that the graph builder takes.
            #[must_use]
            pub const fn builder_name(self) -> &'static str {
                match self {
                    $(Self::$op => $builder),*
                }
            }

            /// The op that the graph builder means by a name.
            #[must_use]
            pub fn of_builder(name: &str) -> Option<Self> {
                match name {
                    $($builder => Some(Self::$op),)*
                    _ => None,
                }
            }

            /// The Python function that it implements, with its module.
            #[must_use]
            pub const fn means(self) -> &'static str {
                match self {
                    $(Self::$op => $means),*
                }
            }

            /// What it does, in a sentence or two.
            #[must_use]
            pub const fn documentation(self) -> &'static str {
                match self {
                    $(Self::$op => $doc.trim_ascii()),*
                }
            }
        }
    };
}

/// Implements the methods of the enums of element-wise ops.
macro_rules! properties {
    ($type:ident { $(
        $op:ident, $takes:ident, $derivative:ident, $rounding:expr, $cost:ident, $overflows:literal;
    )* }) => {
        impl $type {
            /// The element types it takes.
            #[must_use]
            pub const fn takes(self) -> Takes {
                match self {
                    $(Self::$op => Takes::$takes),*
                }
            }

            /// The kind of its derivative.
            #[must_use]
            pub const fn derivative(self) -> Derivative {
                match self {
                    $(Self::$op => Derivative::$derivative),*
                }
            }

            /// How close results of floats are to NumPy's.
            #[must_use]
            pub const fn rounding(self) -> Rounding {
                match self {
                    $(Self::$op => $rounding),*
                }
            }

            /// The cost of one element.
            #[must_use]
            pub const fn cost(self) -> Cost {
                match self {
                    $(Self::$op => Cost::$cost),*
                }
            }

            /// The constants on which a pass computes it.
            #[must_use]
            pub const fn folds(self) -> Folds {
                match self.rounding() {
                    Rounding::Alike => Folds::Always,
                    Rounding::Ulps(_) => Folds::Discrete,
                }
            }

            /// Whether it can leave the range of `i64`; it then fails if it is checked.
            #[must_use]
            pub const fn overflows(self) -> bool {
                match self {
                    $(Self::$op => $overflows),*
                }
            }
        }
    };
}

/// The function of an op on floats, from its row. For a row without one, type inference has rejected floats.
macro_rules! of_floats {
    ($op:ident, |$($argument:ident),+| $meaning:expr, $($value:expr),+) => {{
        $(let $argument = $value;)+
        $meaning
    }};
    ($op:ident, , $($value:expr),+) => {
        unreachable!("{} takes no floats", $op.name())
    };
}

/// Whether a row has a function on floats.
macro_rules! has_meaning {
    ($meaning:expr) => {
        true
    };
    () => {
        false
    };
}

/// Makes a row that takes floats but has no function on them a compile error.
macro_rules! check_rows {
    ($($takes:ident $([$meaning:expr])?;)*) => {
        $(const _: () = assert!(Takes::$takes.holds(DType::F64) == has_meaning!($($meaning)?));)*
    };
}

macro_rules! rounding {
    (Alike) => {
        Rounding::Alike
    };
    (Ulps($ulps:literal)) => {
        Rounding::Ulps($ulps)
    };
}

macro_rules! define_unary {
    (
        functions { $(
            $(#[doc = $doc:literal])+
            $op:ident {
                name: $name:literal, builder: $builder:literal, means: $means:literal, takes: $takes:ident,
                derivative: $derivative:ident, rounding: $rounding:ident $(($ulps:literal))?, cost: $cost:ident,
                overflows: $overflows:literal $(, float: |$x:ident| $float:expr)?
            }
        )* }
        tests { $(
            $(#[doc = $test_doc:literal])+
            $test:ident {
                name: $test_name:literal, builder: $test_builder:literal, means: $test_means:literal,
                takes: $test_takes:ident, float: |$tested:ident| $holds:expr
            }
        )* }
    ) => {
        /// Element-wise ops of one operand. The rows are in `op/table.rs`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum UnaryOp {
            $($(#[doc = $doc])+ $op,)*
            $($(#[doc = $test_doc])+ $test,)*
        }

        names!(UnaryOp {
            $($op, $name, $builder, $means, concat!($($doc),+);)*
            $($test, $test_name, $test_builder, $test_means, concat!($($test_doc),+);)*
        });
        properties!(UnaryOp {
            $($op, $takes, $derivative, rounding!($rounding $(($ulps))?), $cost, $overflows;)*
            $($test, $test_takes, Zero, Rounding::Alike, More, false;)*
        });
        check_rows! { $($takes $([{ |$x: f64| $float }])?;)* }

        impl UnaryOp {
            /// The element type of the result.
            #[must_use]
            pub const fn gives(self) -> DTypeRule {
                match self {
                    $(Self::$op => DTypeRule::Same(0),)*
                    $(Self::$test => DTypeRule::Is(DType::Bool),)*
                }
            }

            /// Computes it on an `f64`; none for a test.
            #[inline(always)]
            #[must_use]
            pub fn of_f64(self, number: f64) -> Option<f64> {
                Some(match self {
                    $(Self::$op => of_floats!(self, $(|$x| $float)?, number),)*
                    $(Self::$test)|* => return None,
                })
            }

            /// Computes it on an `f32`; none for a test.
            #[inline(always)]
            #[must_use]
            pub fn of_f32(self, number: f32) -> Option<f32> {
                Some(match self {
                    $(Self::$op => of_floats!(self, $(|$x| $float)?, number),)*
                    $(Self::$test)|* => return None,
                })
            }

            /// The answer of a test on an `f64`; none for a function.
            #[must_use]
            pub fn holds_for(self, number: f64) -> Option<bool> {
                match self {
                    $(Self::$test => { let $tested = number; Some($holds) })*
                    $(Self::$op)|* => None,
                }
            }
        }
    };
}

macro_rules! define_binary {
    ($(
        $(#[doc = $doc:literal])+
        $op:ident {
            name: $name:literal, builder: $builder:literal, means: $means:literal, takes: $takes:ident,
            derivative: $derivative:ident, rounding: $rounding:ident $(($ulps:literal))?, cost: $cost:ident,
            overflows: $overflows:literal $(, float: |$x:ident, $y:ident| $float:expr)?
        }
    )*) => {
        /// Element-wise ops of two operands of one dtype. The rows are in `op/table.rs`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum BinaryOp {
            $($(#[doc = $doc])+ $op,)*
        }

        names!(BinaryOp { $($op, $name, $builder, $means, concat!($($doc),+);)* });
        properties!(BinaryOp {
            $($op, $takes, $derivative, rounding!($rounding $(($ulps))?), $cost, $overflows;)*
        });
        check_rows! { $($takes $([{ |$x: f64, $y: f64| $float }])?;)* }

        impl BinaryOp {
            /// Computes it on two `f64`s.
            #[inline(always)]
            #[must_use]
            pub fn of_f64(self, left: f64, right: f64) -> f64 {
                match self {
                    $(Self::$op => of_floats!(self, $(|$x, $y| $float)?, left, right),)*
                }
            }

            /// Computes it on two `f32`s.
            #[inline(always)]
            #[must_use]
            pub fn of_f32(self, left: f32, right: f32) -> f32 {
                match self {
                    $(Self::$op => of_floats!(self, $(|$x, $y| $float)?, left, right),)*
                }
            }
        }
    };
}

macro_rules! define_compare {
    ($(
        $(#[doc = $doc:literal])+
        $op:ident {
            name: $name:literal, builder: $builder:literal, means: $means:literal,
            any: |$x:ident, $y:ident| $holds:expr
        }
    )*) => {
        /// Comparisons; NaN as IEEE has it. The rows are in `op/table.rs`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum CompareOp {
            $($(#[doc = $doc])+ $op,)*
        }

        names!(CompareOp { $($op, $name, $builder, $means, concat!($($doc),+);)* });

        impl CompareOp {
            /// Whether it holds for two elements.
            #[must_use]
            pub fn holds_for<T: PartialOrd>(self, left: &T, right: &T) -> bool {
                match self {
                    $(Self::$op => { let ($x, $y) = (left, right); $holds })*
                }
            }
        }
    };
}

macro_rules! define_reduce {
    ($(
        $(#[doc = $doc:literal])+
        $op:ident {
            name: $name:literal, builder: $builder:literal, means: $means:literal, takes: $takes:ident,
            derivative: $derivative:ident, step: $step:ident, empty: $empty:expr, arg: $arg:literal,
            cumulative: $cumulative:literal
        }
    )*) => {
        /// Reductions. The rows are in `op/table.rs`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ReduceOp {
            $($(#[doc = $doc])+ $op,)*
        }

        names!(ReduceOp { $($op, $name, $builder, $means, concat!($($doc),+);)* });

        impl ReduceOp {
            /// The element types it takes.
            #[must_use]
            pub const fn takes(self) -> Takes {
                match self {
                    $(Self::$op => Takes::$takes),*
                }
            }

            /// The kind of its derivative.
            #[must_use]
            pub const fn derivative(self) -> Derivative {
                match self {
                    $(Self::$op => Derivative::$derivative),*
                }
            }

            /// The op that joins two elements.
            #[must_use]
            pub const fn step(self) -> BinaryOp {
                match self {
                    $(Self::$op => BinaryOp::$step),*
                }
            }

            /// The element types that an [`Op::ArgReduce`](super::Op::ArgReduce) of it takes.
            #[must_use]
            pub const fn takes_arg(self) -> Takes {
                if self.has_arg() { Takes::All } else { Takes::Nothing }
            }

            /// The element types that an [`Op::Cumulative`](super::Op::Cumulative) of it takes.
            #[must_use]
            pub const fn takes_cumulative(self) -> Takes {
                if self.is_cumulative() { self.takes() } else { Takes::Nothing }
            }

            /// The result of reducing nothing; none if that fails.
            #[must_use]
            pub const fn of_nothing(self) -> Option<u8> {
                match self {
                    $(Self::$op => $empty),*
                }
            }

            /// Whether there is an [`Op::ArgReduce`](super::Op::ArgReduce) of it.
            #[must_use]
            pub const fn has_arg(self) -> bool {
                match self {
                    $(Self::$op => $arg),*
                }
            }

            /// Whether there is an [`Op::Cumulative`](super::Op::Cumulative) of it.
            #[must_use]
            pub const fn is_cumulative(self) -> bool {
                match self {
                    $(Self::$op => $cumulative),*
                }
            }
        }
    };
}

crate::unary_ops!(define_unary);
crate::binary_ops!(define_binary);
crate::compare_ops!(define_compare);
crate::reduce_ops!(define_reduce);
