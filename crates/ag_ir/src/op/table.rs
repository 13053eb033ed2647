//! The table of the regular ops: element-wise ops of one and two operands, comparisons and reductions.
//!
//! A row says all that is regular of an op. From the rows are made: the enums of the ops and their names,
//! also those in the graph builder; type inference; what may fail; what has a derivative; what is folded;
//! what is computed twice rather than saved; the functions on floats in the interpreter; the loops over
//! floats in the engine, where it has no faster ones; `docs/ops.md`; the test against NumPy
//! (`tests/test_ops_against_numpy.py`).
//!
//! | column | says |
//! | --- | --- |
//! | `name` | the op's word in the text form |
//! | `builder` | the op's name in the graph builder |
//! | `means` | the Python function that does the same |
//! | `takes` | the element types of the operands, see [`Takes`](super::Takes) |
//! | `derivative` | the kind of derivative, see [`Derivative`](super::Derivative) |
//! | `rounding` | how close results of floats are to those of `means`, see [`Rounding`](super::Rounding) |
//! | `cost` | the cost of one element, see [`Cost`](super::Cost) |
//! | `overflows` | whether it fails on `i64` if it is checked, see [`Overflow`](super::Overflow) |
//! | `float` | the function on floats; an op that takes no floats has no such column |
//! | `any` | the comparison, on elements of any type |
//!
//! Each macro passes its rows to another macro, which generates code from them.

/// Element-wise ops of one operand. The result of a row of `functions` has the element type of the operand,
/// that of a row of `tests` is `bool`.
#[macro_export]
#[doc(hidden)]
macro_rules! unary_ops {
    ($with:ident) => {
        $with! {
            functions {
                /// The negative of a number.
                Neg { name: "neg", builder: "negative", means: "numpy.negative",
                    takes: Numbers, derivative: Smooth, rounding: Alike, cost: Least, overflows: true,
                    float: |x| -x }
                /// The absolute value. A `bool` stays as it is.
                Abs { name: "abs", builder: "absolute", means: "numpy.absolute",
                    takes: All, derivative: Smooth, rounding: Alike, cost: Least, overflows: true,
                    float: |x| x.abs() }
                /// The sign: -1, 0 or 1, of the operand's dtype. NaN gives NaN.
                Sign { name: "sign", builder: "sign", means: "numpy.sign",
                    takes: Numbers, derivative: Zero, rounding: Alike, cost: Small, overflows: false,
                    float: |x| if x == 0.0 { 0.0 } else if x.is_nan() { x } else { x.signum() } }
                /// Whether it is false.
                LogicalNot { name: "logical_not", builder: "logical_not", means: "numpy.logical_not",
                    takes: Bool, derivative: Zero, rounding: Alike, cost: Least, overflows: false }
                /// Inverts all bits. Of `bool` it is `logical_not`.
                BitNot { name: "bit_not", builder: "invert", means: "numpy.invert",
                    takes: Discrete, derivative: Zero, rounding: Alike, cost: Least, overflows: false }
                /// The square root.
                Sqrt { name: "sqrt", builder: "sqrt", means: "numpy.sqrt",
                    takes: Floats, derivative: Smooth, rounding: Alike, cost: More, overflows: false,
                    float: |x| x.sqrt() }
                /// The cube root.
                Cbrt { name: "cbrt", builder: "cbrt", means: "numpy.cbrt",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.cbrt() }
                /// `e ** x`.
                Exp { name: "exp", builder: "exp", means: "numpy.exp",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.exp() }
                /// `2 ** x`.
                Exp2 { name: "exp2", builder: "exp2", means: "numpy.exp2",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.exp2() }
                /// `e ** x - 1`, precise also for small `x`.
                Expm1 { name: "expm1", builder: "expm1", means: "numpy.expm1",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.exp_m1() }
                /// The natural logarithm.
                Log { name: "log", builder: "log", means: "numpy.log",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.ln() }
                /// The logarithm to base 2.
                Log2 { name: "log2", builder: "log2", means: "numpy.log2",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.log2() }
                /// The logarithm to base 10.
                Log10 { name: "log10", builder: "log10", means: "numpy.log10",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.log10() }
                /// `log(1 + x)`, precise also for small `x`.
                Log1p { name: "log1p", builder: "log1p", means: "numpy.log1p",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.ln_1p() }
                /// The sine.
                Sin { name: "sin", builder: "sin", means: "numpy.sin",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.sin() }
                /// The cosine.
                Cos { name: "cos", builder: "cos", means: "numpy.cos",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.cos() }
                /// The tangent.
                Tan { name: "tan", builder: "tan", means: "numpy.tan",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.tan() }
                /// The inverse sine. A number outside of -1 to 1 gives NaN.
                Arcsin { name: "arcsin", builder: "arcsin", means: "numpy.arcsin",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.asin() }
                /// The inverse cosine. A number outside of -1 to 1 gives NaN.
                Arccos { name: "arccos", builder: "arccos", means: "numpy.arccos",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.acos() }
                /// The inverse tangent.
                Arctan { name: "arctan", builder: "arctan", means: "numpy.arctan",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.atan() }
                /// The hyperbolic sine.
                Sinh { name: "sinh", builder: "sinh", means: "numpy.sinh",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.sinh() }
                /// The hyperbolic cosine.
                Cosh { name: "cosh", builder: "cosh", means: "numpy.cosh",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.cosh() }
                /// The hyperbolic tangent.
                Tanh { name: "tanh", builder: "tanh", means: "numpy.tanh",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.tanh() }
                /// The inverse hyperbolic sine.
                Arcsinh { name: "arcsinh", builder: "arcsinh", means: "numpy.arcsinh",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.in_double(functions::arcsinh) }
                /// The inverse hyperbolic cosine. A number below 1 gives NaN.
                Arccosh { name: "arccosh", builder: "arccosh", means: "numpy.arccosh",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.in_double(functions::arccosh) }
                /// The inverse hyperbolic tangent. A number outside of -1 to 1 gives NaN.
                Arctanh { name: "arctanh", builder: "arctanh", means: "numpy.arctanh",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.in_double(functions::arctanh) }
                /// The error function: the probability that a standard normal number lies within `sqrt(2) *
                /// x` of 0.
                Erf { name: "erf", builder: "erf", means: "math.erf",
                    takes: Floats, derivative: Smooth, rounding: Ulps(1), cost: More, overflows: false,
                    float: |x| x.in_double(functions::erf) }
                /// `1 - erf(x)`, precise also where `erf(x)` is near 1.
                Erfc { name: "erfc", builder: "erfc", means: "math.erfc",
                    takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                    float: |x| x.in_double(functions::erfc) }
                /// The inverse of `erf`. -1 and 1 give infinities, a number outside of them NaN.
                Erfinv { name: "erfinv", builder: "erfinv", means: "scipy.special.erfinv",
                    takes: Floats, derivative: Smooth, rounding: Ulps(16), cost: More, overflows: false,
                    float: |x| x.in_double(functions::erfinv) }
                /// The inverse of the distribution function of the normal distribution. 0 and 1 give
                /// infinities, a number outside of them NaN.
                Ndtri { name: "ndtri", builder: "ndtri", means: "scipy.special.ndtri",
                    takes: Floats, derivative: Smooth, rounding: Ulps(16), cost: More, overflows: false,
                    float: |x| x.in_double(functions::ndtri) }
                /// The gamma function. 0 gives an infinity of its sign, a negative integer NaN.
                Gamma { name: "gamma", builder: "gamma", means: "scipy.special.gamma",
                    takes: Floats, derivative: Smooth, rounding: Ulps(16), cost: More, overflows: false,
                    float: |x| x.in_double(functions::gamma) }
                /// The logarithm of the absolute value of the gamma function.
                Gammaln { name: "gammaln", builder: "gammaln", means: "scipy.special.gammaln",
                    takes: Floats, derivative: Smooth, rounding: Ulps(16), cost: More, overflows: false,
                    float: |x| x.in_double(functions::gammaln) }
                /// Rounds down.
                Floor { name: "floor", builder: "floor", means: "numpy.floor",
                    takes: Floats, derivative: Zero, rounding: Alike, cost: More, overflows: false,
                    float: |x| x.floor() }
                /// Rounds up.
                Ceil { name: "ceil", builder: "ceil", means: "numpy.ceil",
                    takes: Floats, derivative: Zero, rounding: Alike, cost: More, overflows: false,
                    float: |x| x.ceil() }
                /// Rounds towards zero.
                Trunc { name: "trunc", builder: "trunc", means: "numpy.trunc",
                    takes: Floats, derivative: Zero, rounding: Alike, cost: More, overflows: false,
                    float: |x| x.trunc() }
                /// Rounds to the nearest integer, and halves to the even one.
                Rint { name: "rint", builder: "rint", means: "numpy.rint",
                    takes: Floats, derivative: Zero, rounding: Alike, cost: More, overflows: false,
                    float: |x| x.round_ties_even() }
            }
            tests {
                /// Whether it is NaN.
                IsNan { name: "is_nan", builder: "isnan", means: "numpy.isnan",
                    takes: Floats, float: |x| x.is_nan() }
                /// Whether it is infinite.
                IsInf { name: "is_inf", builder: "isinf", means: "numpy.isinf",
                    takes: Floats, float: |x| x.is_infinite() }
                /// Whether it is neither infinite nor NaN.
                IsFinite { name: "is_finite", builder: "isfinite", means: "numpy.isfinite",
                    takes: Floats, float: |x| x.is_finite() }
            }
        }
    };
}

/// Element-wise ops of two operands of one dtype. The result has that dtype too.
#[macro_export]
#[doc(hidden)]
macro_rules! binary_ops {
    ($with:ident) => {
        $with! {
            /// The sum. Of `bool` it is `or`.
            Add { name: "add", builder: "add", means: "numpy.add",
                takes: All, derivative: Smooth, rounding: Alike, cost: Least, overflows: true,
                float: |x, y| x + y }
            /// The difference.
            Sub { name: "sub", builder: "subtract", means: "numpy.subtract",
                takes: Numbers, derivative: Smooth, rounding: Alike, cost: Least, overflows: true,
                float: |x, y| x - y }
            /// The product. Of `bool` it is `and`.
            Mul { name: "mul", builder: "multiply", means: "numpy.multiply",
                takes: All, derivative: Smooth, rounding: Alike, cost: Least, overflows: true,
                float: |x, y| x * y }
            /// The quotient.
            Div { name: "div", builder: "divide", means: "numpy.divide",
                takes: Floats, derivative: Smooth, rounding: Alike, cost: More, overflows: false,
                float: |x, y| x / y }
            /// Python's `//`. An integer divided by zero gives 0.
            FloorDiv { name: "floor_div", builder: "floor_divide", means: "numpy.floor_divide",
                takes: Numbers, derivative: Zero, rounding: Ulps(0), cost: More, overflows: true,
                float: |x, y| x.floor_divmod(y).0 }
            /// Python's `%`: the result has the sign of the divisor. An integer divided by zero gives 0.
            Mod { name: "mod", builder: "remainder", means: "numpy.remainder",
                takes: Numbers, derivative: Smooth, rounding: Ulps(0), cost: More, overflows: false,
                float: |x, y| x.floor_divmod(y).1 }
            /// C's `fmod`: the result has the sign of the dividend. An integer divided by zero gives 0.
            Fmod { name: "fmod", builder: "fmod", means: "numpy.fmod",
                takes: Numbers, derivative: Smooth, rounding: Ulps(0), cost: More, overflows: false,
                float: |x, y| x % y }
            /// The power. An integer raised to a negative integer fails with a `ValueError`.
            Pow { name: "pow", builder: "power", means: "numpy.power",
                takes: Numbers, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: true,
                float: |x, y| x.powf(y) }
            /// The power as NumPy computes it for an array and one exponent: for the exponents -1, 0.5 and 2
            /// it is `1 / x`, `sqrt(x)` and `x * x`, and for 3 and 4 a product. These differ from `pow` in
            /// the last bits, and more for `-0.0 ** 0.5` and `-inf ** 0.5`.
            ScalarPow { name: "scalar_pow", builder: "scalar_power", means: "numpy.power",
                takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                float: |x, y| x.scalar_power(y) }
            /// The larger number. If one is NaN, the result is NaN.
            Maximum { name: "maximum", builder: "maximum", means: "numpy.maximum",
                takes: All, derivative: Smooth, rounding: Ulps(0), cost: Least, overflows: false,
                float: |x, y| if x.is_nan() || x >= y { x } else { y } }
            /// The smaller number. If one is NaN, the result is NaN.
            Minimum { name: "minimum", builder: "minimum", means: "numpy.minimum",
                takes: All, derivative: Smooth, rounding: Ulps(0), cost: Least, overflows: false,
                float: |x, y| if x.is_nan() || x <= y { x } else { y } }
            /// The angle of the point `(y, x)`.
            Arctan2 { name: "arctan2", builder: "arctan2", means: "numpy.arctan2",
                takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                float: |y, x| y.atan2(x) }
            /// `sqrt(x * x + y * y)`, without overflow of the squares.
            Hypot { name: "hypot", builder: "hypot", means: "numpy.hypot",
                takes: Floats, derivative: Smooth, rounding: Ulps(4), cost: More, overflows: false,
                float: |x, y| x.hypot(y) }
            /// The derivative of `digamma` of order `n`, which is `digamma` for 0. The order is rounded down
            /// to an integer, so the derivative by it is 0.
            Polygamma { name: "polygamma", builder: "polygamma", means: "scipy.special.polygamma",
                takes: Floats, derivative: Smooth, rounding: Ulps(16), cost: More, overflows: false,
                float: |n, x| n.in_double_with(x, functions::polygamma) }
            /// The derivative of `exp(x * x) * erfc(x)` of order `n`. The order is rounded down to an
            /// integer, so the derivative by it is 0; above 1000 it gives NaN.
            Erfcx { name: "erfcx", builder: "erfcx", means: "scipy.special.erfcx",
                takes: Floats, derivative: Smooth, rounding: Ulps(16), cost: More, overflows: false,
                float: |n, x| n.in_double_with(x, functions::erfcx) }
            /// The modified Bessel function of the first kind of order `n`. The order is rounded down to an
            /// integer, so the derivative by it is 0; above 1000 it gives NaN.
            BesselI { name: "bessel_i", builder: "bessel_i", means: "scipy.special.iv",
                takes: Floats, derivative: Smooth, rounding: Ulps(16), cost: More, overflows: false,
                float: |n, x| n.in_double_with(x, functions::bessel_i) }
            /// `bessel_i(n, x) * exp(-abs(x))`, of the same orders.
            BesselIScaled { name: "bessel_i_scaled", builder: "bessel_i_scaled", means: "scipy.special.ive",
                takes: Floats, derivative: Smooth, rounding: Ulps(16), cost: More, overflows: false,
                float: |n, x| n.in_double_with(x, functions::bessel_i_scaled) }
            /// `gamma(x) * gamma(y) / gamma(x + y)`, with the limit where poles of both cancel.
            Beta { name: "beta", builder: "beta", means: "scipy.special.beta",
                takes: Floats, derivative: Smooth, rounding: Ulps(16), cost: More, overflows: false,
                float: |x, y| x.in_double_with(y, functions::beta) }
            /// The logarithm of the absolute value of `beta(x, y)`.
            Betaln { name: "betaln", builder: "betaln", means: "scipy.special.betaln",
                takes: Floats, derivative: Smooth, rounding: Ulps(16), cost: More, overflows: false,
                float: |x, y| x.in_double_with(y, functions::betaln) }
            /// The bits that are set in both.
            BitAnd { name: "bit_and", builder: "bitwise_and", means: "numpy.bitwise_and",
                takes: Discrete, derivative: Zero, rounding: Alike, cost: Least, overflows: false }
            /// The bits that are set in either.
            BitOr { name: "bit_or", builder: "bitwise_or", means: "numpy.bitwise_or",
                takes: Discrete, derivative: Zero, rounding: Alike, cost: Least, overflows: false }
            /// The bits that are set in one of both only.
            BitXor { name: "bit_xor", builder: "bitwise_xor", means: "numpy.bitwise_xor",
                takes: Discrete, derivative: Zero, rounding: Alike, cost: Least, overflows: false }
            /// Shifts bits to the left. A shift by the width of the type or more gives 0, as in NumPy. If it
            /// is checked, it fails when bits are lost.
            ShiftLeft { name: "shift_left", builder: "left_shift", means: "numpy.left_shift",
                takes: Integers, derivative: Zero, rounding: Alike, cost: More, overflows: true }
            /// Shifts bits to the right and keeps the sign. A shift by the width of the type or more gives 0
            /// or -1.
            ShiftRight { name: "shift_right", builder: "right_shift", means: "numpy.right_shift",
                takes: Integers, derivative: Zero, rounding: Alike, cost: More, overflows: false }
        }
    };
}

/// Comparisons of two operands of one dtype. The result is `bool`; NaN compares as IEEE says.
#[macro_export]
#[doc(hidden)]
macro_rules! compare_ops {
    ($with:ident) => {
        $with! {
            /// Whether the operands are equal.
            Eq { name: "eq", builder: "equal", means: "numpy.equal", any: |x, y| x == y }
            /// Whether the operands differ. NaN differs from everything, also from NaN.
            Ne { name: "ne", builder: "not_equal", means: "numpy.not_equal", any: |x, y| x != y }
            /// Whether the first is less.
            Lt { name: "lt", builder: "less", means: "numpy.less", any: |x, y| x < y }
            /// Whether the first is less or equal.
            Le { name: "le", builder: "less_equal", means: "numpy.less_equal", any: |x, y| x <= y }
            /// Whether the first is greater.
            Gt { name: "gt", builder: "greater", means: "numpy.greater", any: |x, y| x > y }
            /// Whether the first is greater or equal.
            Ge { name: "ge", builder: "greater_equal", means: "numpy.greater_equal", any: |x, y| x >= y }
        }
    };
}

/// Reductions. `step` is the op that combines two elements. `empty` is the result for an axis without
/// elements; none if that fails. `arg` says whether there is an op for the position (`argmax`), `cumulative`
/// whether there is one for all partial results (`cumsum`).
#[macro_export]
#[doc(hidden)]
macro_rules! reduce_ops {
    ($with:ident) => {
        $with! {
            /// The sum. Of no elements it is 0.
            Sum { name: "sum", builder: "sum", means: "numpy.sum", takes: Numbers, derivative: Smooth,
                step: Add, empty: Some(0), arg: false, cumulative: true }
            /// The product. Of no elements it is 1.
            Prod { name: "prod", builder: "prod", means: "numpy.prod", takes: Numbers, derivative: Smooth,
                step: Mul, empty: Some(1), arg: false, cumulative: true }
            /// The largest element. If one is NaN, the result is NaN. Of no elements it fails.
            Max { name: "max", builder: "max", means: "numpy.max", takes: All, derivative: Smooth,
                step: Maximum, empty: None, arg: true, cumulative: true }
            /// The smallest element. If one is NaN, the result is NaN. Of no elements it fails.
            Min { name: "min", builder: "min", means: "numpy.min", takes: All, derivative: Smooth,
                step: Minimum, empty: None, arg: true, cumulative: true }
            /// Whether any element is true.
            Any { name: "any", builder: "any", means: "numpy.any", takes: Bool, derivative: Zero,
                step: BitOr, empty: Some(0), arg: false, cumulative: false }
            /// Whether all elements are true.
            All { name: "all", builder: "all", means: "numpy.all", takes: Bool, derivative: Zero,
                step: BitAnd, empty: Some(1), arg: false, cumulative: false }
        }
    };
}
