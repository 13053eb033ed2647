//! The table of the regular ops: element-wise ops of one and two operands, comparisons and reductions.
//!
//! A row says all that is regular of an op. What other files need of these ops they ask of the row: the
//! enums, their names, inference, failure, what is differentiated, folded or computed twice, the names
//! that the graph builder takes, the meaning that the interpreter has, the loop of floats where the
//! engine has no faster one, `docs/ops.md`, and the test against NumPy
//! (`tests/test_ops_against_numpy.py`).
//!
//! | column | says |
//! | --- | --- |
//! | `name` | the word of the text form |
//! | `builder` | the name that the graph builder takes |
//! | `means` | the Python function of which it is the op |
//! | `takes` | element types, see [`Takes`](super::Takes) |
//! | `derivative` | whether it has one that is not zero everywhere, see [`Derivative`](super::Derivative) |
//! | `rounding` | how near floats are to what NumPy gives, see [`Rounding`](super::Rounding) |
//! | `cost` | of one element, see [`Cost`](super::Cost) |
//! | `overflows` | whether it fails on `i64` that are checked, see [`Overflow`](super::Overflow) |
//! | `float` | what it is of floats; a row that takes none has no such column |
//!
//! The macros hand their rows to another macro, which makes of them what it needs.

/// Element-wise ops of one operand: `functions` give the element type they take, `tests` give `bool`.
#[macro_export]
#[doc(hidden)]
macro_rules! unary_ops {
    ($with:ident) => {
        $with! {
            functions {
                /// The opposite.
                Neg { name: "neg", builder: "negative", means: "numpy.negative",
                    takes: Numbers, derivative: Smooth, rounding: Alike, cost: Least, overflows: true,
                    float: |x| -x }
                /// The magnitude; of `bool` the operand.
                Abs { name: "abs", builder: "absolute", means: "numpy.absolute",
                    takes: All, derivative: Smooth, rounding: Alike, cost: Least, overflows: true,
                    float: |x| x.abs() }
                /// -1, 0, 1 of the same dtype; NaN stays.
                Sign { name: "sign", builder: "sign", means: "numpy.sign",
                    takes: Numbers, derivative: Zero, rounding: Alike, cost: Small, overflows: false,
                    float: |x| if x == 0.0 { 0.0 } else if x.is_nan() { x } else { x.signum() } }
                /// `not x`.
                LogicalNot { name: "logical_not", builder: "logical_not", means: "numpy.logical_not",
                    takes: Bool, derivative: Zero, rounding: Alike, cost: Least, overflows: false }
                /// All bits turned; of `bool` as `logical_not`.
                BitNot { name: "bit_not", builder: "invert", means: "numpy.invert",
                    takes: Discrete, derivative: Zero, rounding: Alike, cost: Least, overflows: false }
                /// Square root.
                Sqrt { name: "sqrt", builder: "sqrt", means: "numpy.sqrt",
                    takes: Floats, derivative: Smooth, rounding: Alike, cost: More, overflows: false,
                    float: |x| x.sqrt() }
                /// `e ** x`.
                Exp { name: "exp", builder: "exp", means: "numpy.exp",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.exp() }
                /// `2 ** x`.
                Exp2 { name: "exp2", builder: "exp2", means: "numpy.exp2",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.exp2() }
                /// `e ** x - 1`, right also near 0.
                Expm1 { name: "expm1", builder: "expm1", means: "numpy.expm1",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.exp_m1() }
                /// Natural logarithm.
                Log { name: "log", builder: "log", means: "numpy.log",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.ln() }
                /// Logarithm to base 2.
                Log2 { name: "log2", builder: "log2", means: "numpy.log2",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.log2() }
                /// Logarithm to base 10.
                Log10 { name: "log10", builder: "log10", means: "numpy.log10",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.log10() }
                /// `log(1 + x)`, right also near 0.
                Log1p { name: "log1p", builder: "log1p", means: "numpy.log1p",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.ln_1p() }
                /// Sine.
                Sin { name: "sin", builder: "sin", means: "numpy.sin",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.sin() }
                /// Cosine.
                Cos { name: "cos", builder: "cos", means: "numpy.cos",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.cos() }
                /// Tangent.
                Tan { name: "tan", builder: "tan", means: "numpy.tan",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.tan() }
                /// Inverse sine; NaN beyond 1.
                Arcsin { name: "arcsin", builder: "arcsin", means: "numpy.arcsin",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.asin() }
                /// Inverse cosine; NaN beyond 1.
                Arccos { name: "arccos", builder: "arccos", means: "numpy.arccos",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.acos() }
                /// Inverse tangent.
                Arctan { name: "arctan", builder: "arctan", means: "numpy.arctan",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.atan() }
                /// Hyperbolic sine.
                Sinh { name: "sinh", builder: "sinh", means: "numpy.sinh",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.sinh() }
                /// Hyperbolic cosine.
                Cosh { name: "cosh", builder: "cosh", means: "numpy.cosh",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.cosh() }
                /// Hyperbolic tangent.
                Tanh { name: "tanh", builder: "tanh", means: "numpy.tanh",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.tanh() }
                /// Inverse hyperbolic sine.
                Arcsinh { name: "arcsinh", builder: "arcsinh", means: "numpy.arcsinh",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.in_double(functions::arcsinh) }
                /// Inverse hyperbolic cosine; NaN below 1.
                Arccosh { name: "arccosh", builder: "arccosh", means: "numpy.arccosh",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.in_double(functions::arccosh) }
                /// Inverse hyperbolic tangent; NaN beyond 1.
                Arctanh { name: "arctanh", builder: "arctanh", means: "numpy.arctanh",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.in_double(functions::arctanh) }
                /// The error function: how likely a normal number is within `sqrt(2) * x`.
                Erf { name: "erf", builder: "erf", means: "math.erf",
                    takes: Floats, derivative: Smooth, rounding: Ulps(1), cost: More, overflows: false,
                    float: |x| x.in_double(functions::erf) }
                /// Towards minus infinity.
                Floor { name: "floor", builder: "floor", means: "numpy.floor",
                    takes: Floats, derivative: Zero, rounding: Alike, cost: More, overflows: false,
                    float: |x| x.floor() }
                /// Towards infinity.
                Ceil { name: "ceil", builder: "ceil", means: "numpy.ceil",
                    takes: Floats, derivative: Zero, rounding: Alike, cost: More, overflows: false,
                    float: |x| x.ceil() }
                /// Towards zero.
                Trunc { name: "trunc", builder: "trunc", means: "numpy.trunc",
                    takes: Floats, derivative: Zero, rounding: Alike, cost: More, overflows: false,
                    float: |x| x.trunc() }
                /// Half to even.
                Rint { name: "rint", builder: "rint", means: "numpy.rint",
                    takes: Floats, derivative: Zero, rounding: Alike, cost: More, overflows: false,
                    float: |x| x.round_ties_even() }
            }
            tests {
                /// Whether it is a NaN, as `bool`.
                IsNan { name: "is_nan", builder: "isnan", means: "numpy.isnan",
                    takes: Floats, float: |x| x.is_nan() }
                /// Whether it is infinite, as `bool`.
                IsInf { name: "is_inf", builder: "isinf", means: "numpy.isinf",
                    takes: Floats, float: |x| x.is_infinite() }
                /// Whether it is neither infinite nor NaN, as `bool`.
                IsFinite { name: "is_finite", builder: "isfinite", means: "numpy.isfinite",
                    takes: Floats, float: |x| x.is_finite() }
            }
        }
    };
}

/// Element-wise ops of two operands of one dtype, which they give.
#[macro_export]
#[doc(hidden)]
macro_rules! binary_ops {
    ($with:ident) => {
        $with! {
            /// Sum; of `bool`: or.
            Add { name: "add", builder: "add", means: "numpy.add",
                takes: All, derivative: Smooth, rounding: Alike, cost: Least, overflows: true,
                float: |x, y| x + y }
            /// Difference.
            Sub { name: "sub", builder: "subtract", means: "numpy.subtract",
                takes: Numbers, derivative: Smooth, rounding: Alike, cost: Least, overflows: true,
                float: |x, y| x - y }
            /// Product; of `bool`: and.
            Mul { name: "mul", builder: "multiply", means: "numpy.multiply",
                takes: All, derivative: Smooth, rounding: Alike, cost: Least, overflows: true,
                float: |x, y| x * y }
            /// Quotient.
            Div { name: "div", builder: "divide", means: "numpy.divide",
                takes: Floats, derivative: Smooth, rounding: Alike, cost: More, overflows: false,
                float: |x, y| x / y }
            /// Python's `//`; integers by zero give 0.
            FloorDiv { name: "floor_div", builder: "floor_divide", means: "numpy.floor_divide",
                takes: Numbers, derivative: Zero, rounding: Ulps(0), cost: More, overflows: true,
                float: |x, y| x.floor_divmod(y).0 }
            /// Python's `%`, sign of the divisor; integers by zero give 0.
            Mod { name: "mod", builder: "remainder", means: "numpy.remainder",
                takes: Numbers, derivative: Smooth, rounding: Ulps(0), cost: More, overflows: false,
                float: |x, y| x.floor_divmod(y).1 }
            /// C's `fmod`, sign of the dividend; integers by zero give 0.
            Fmod { name: "fmod", builder: "fmod", means: "numpy.fmod",
                takes: Numbers, derivative: Smooth, rounding: Ulps(0), cost: More, overflows: false,
                float: |x, y| x % y }
            /// Power. Integers: a negative exponent fails with a value error.
            Pow { name: "pow", builder: "power", means: "numpy.power",
                takes: Numbers, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: true,
                float: |x, y| x.powf(y) }
            /// As NumPy raises an array to one number. To -1, 0.5 and 2 these are `1 / x`, `sqrt(x)` and
            /// `x * x`, which differ from `pow` in the last bit, and for `-0.0 ** 0.5` and `-inf ** 0.5`
            /// altogether.
            ScalarPow { name: "scalar_pow", builder: "scalar_power", means: "numpy.power",
                takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                float: |x, y| x.scalar_power(y) }
            /// The larger. A NaN operand gives NaN.
            Maximum { name: "maximum", builder: "maximum", means: "numpy.maximum",
                takes: All, derivative: Smooth, rounding: Ulps(0), cost: Least, overflows: false,
                float: |x, y| if x.is_nan() || x >= y { x } else { y } }
            /// The smaller. A NaN operand gives NaN.
            Minimum { name: "minimum", builder: "minimum", means: "numpy.minimum",
                takes: All, derivative: Smooth, rounding: Ulps(0), cost: Least, overflows: false,
                float: |x, y| if x.is_nan() || x <= y { x } else { y } }
            /// The angle of the point `(y, x)`.
            Arctan2 { name: "arctan2", builder: "arctan2", means: "numpy.arctan2",
                takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                float: |y, x| y.atan2(x) }
            /// `sqrt(x * x + y * y)`, without overflow.
            Hypot { name: "hypot", builder: "hypot", means: "numpy.hypot",
                takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                float: |x, y| x.hypot(y) }
            /// Bits of both.
            BitAnd { name: "bit_and", builder: "bitwise_and", means: "numpy.bitwise_and",
                takes: Discrete, derivative: Zero, rounding: Alike, cost: Least, overflows: false }
            /// Bits of either.
            BitOr { name: "bit_or", builder: "bitwise_or", means: "numpy.bitwise_or",
                takes: Discrete, derivative: Zero, rounding: Alike, cost: Least, overflows: false }
            /// Bits of one and not of the other.
            BitXor { name: "bit_xor", builder: "bitwise_xor", means: "numpy.bitwise_xor",
                takes: Discrete, derivative: Zero, rounding: Alike, cost: Least, overflows: false }
            /// A count of the width or more gives 0, as NumPy does. Checked, it fails when bits are lost.
            ShiftLeft { name: "shift_left", builder: "left_shift", means: "numpy.left_shift",
                takes: Integers, derivative: Zero, rounding: Alike, cost: More, overflows: true }
            /// Arithmetic; a count of the width or more gives 0 or -1.
            ShiftRight { name: "shift_right", builder: "right_shift", means: "numpy.right_shift",
                takes: Integers, derivative: Zero, rounding: Alike, cost: More, overflows: false }
        }
    };
}

/// Comparisons of two operands of one dtype; NaN as IEEE has it. They give `bool`.
#[macro_export]
#[doc(hidden)]
macro_rules! compare_ops {
    ($with:ident) => {
        $with! {
            /// Equal.
            Eq { name: "eq", builder: "equal", means: "numpy.equal", any: |x, y| x == y }
            /// Not equal; so is a NaN to anything.
            Ne { name: "ne", builder: "not_equal", means: "numpy.not_equal", any: |x, y| x != y }
            /// Less.
            Lt { name: "lt", builder: "less", means: "numpy.less", any: |x, y| x < y }
            /// Less or equal.
            Le { name: "le", builder: "less_equal", means: "numpy.less_equal", any: |x, y| x <= y }
            /// Greater.
            Gt { name: "gt", builder: "greater", means: "numpy.greater", any: |x, y| x > y }
            /// Greater or equal.
            Ge { name: "ge", builder: "greater_equal", means: "numpy.greater_equal", any: |x, y| x >= y }
        }
    };
}

/// Reductions. `step` is the op that joins two elements, `empty` what nothing is reduced to; `arg` and
/// `cumulative` say whether there are `argmax` and `cumsum` of it.
#[macro_export]
#[doc(hidden)]
macro_rules! reduce_ops {
    ($with:ident) => {
        $with! {
            /// Sum; of nothing 0.
            Sum { name: "sum", builder: "sum", means: "numpy.sum", takes: Numbers, derivative: Smooth,
                step: Add, empty: Some(0), arg: false, cumulative: true }
            /// Product; of nothing 1.
            Prod { name: "prod", builder: "prod", means: "numpy.prod", takes: Numbers, derivative: Smooth,
                step: Mul, empty: Some(1), arg: false, cumulative: true }
            /// The largest; NaN wins, and of nothing there is none.
            Max { name: "max", builder: "max", means: "numpy.max", takes: All, derivative: Smooth,
                step: Maximum, empty: None, arg: true, cumulative: false }
            /// The smallest; NaN wins, and of nothing there is none.
            Min { name: "min", builder: "min", means: "numpy.min", takes: All, derivative: Smooth,
                step: Minimum, empty: None, arg: true, cumulative: false }
            /// Whether any element is true.
            Any { name: "any", builder: "any", means: "numpy.any", takes: Bool, derivative: Zero,
                step: BitOr, empty: Some(0), arg: false, cumulative: false }
            /// Whether all elements are true.
            All { name: "all", builder: "all", means: "numpy.all", takes: Bool, derivative: Zero,
                step: BitAnd, empty: Some(1), arg: false, cumulative: false }
        }
    };
}
