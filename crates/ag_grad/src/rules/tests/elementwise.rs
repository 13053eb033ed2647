//! Element-wise ops.

use super::{Array, adjoints, array, check, drawn, node_of, reverse, used_params};

/// Numbers in a range.
fn between(low: f64, high: f64) -> Array {
    let each: Vec<f64> =
        super::doubles(&drawn(&[4], 7)).iter().map(|x| low + (x + 1.0) / 2.0 * (high - low)).collect();
    array(&[4], &each)
}

#[test]
pub(super) fn functions_of_one_number() {
    let ops = [
        ("neg", -2.0, 2.0),
        ("abs", -2.0, -0.1),
        ("abs", 0.1, 2.0),
        ("sqrt", 0.2, 3.0),
        ("cbrt", 0.2, 3.0),
        ("cbrt", -3.0, -0.2),
        ("exp", -2.0, 2.0),
        ("exp2", -2.0, 2.0),
        ("expm1", -2.0, 2.0),
        ("log", 0.2, 3.0),
        ("log2", 0.2, 3.0),
        ("log10", 0.2, 3.0),
        ("log1p", -0.5, 3.0),
        ("sin", -2.0, 2.0),
        ("cos", -2.0, 2.0),
        ("tan", -1.0, 1.0),
        ("arcsin", -0.8, 0.8),
        ("arccos", -0.8, 0.8),
        ("arctan", -2.0, 2.0),
        ("sinh", -2.0, 2.0),
        ("cosh", -2.0, 2.0),
        ("tanh", -2.0, 2.0),
        ("arcsinh", -2.0, 2.0),
        ("erf", -2.0, 2.0),
        ("erfc", -2.0, 2.0),
        ("erfinv", -0.8, 0.8),
        ("ndtri", 0.1, 0.9),
        ("gamma", 0.6, 3.0),
        ("gammaln", 0.6, 3.0),
        ("arccosh", 1.3, 3.0),
        ("arctanh", -0.8, 0.8),
    ];
    for (op, low, high) in ops {
        check(&[("f64[4]", between(low, high))], &format!("f64[4] = {op} %0"));
    }
}

#[test]
pub(super) fn functions_of_two_numbers() {
    for op in [
        "add",
        "sub",
        "mul",
        "div",
        "maximum",
        "minimum",
        "arctan2",
        "hypot",
        "beta",
        "betaln",
        "pow",
        "scalar_pow",
        "mod",
        "fmod",
    ] {
        let (left, right) = (between(0.3, 2.0), array(&[4], &[0.61, 1.3, 0.45, 2.2]));
        check(&[("f64[4]", left), ("f64[4]", right)], &format!("f64[4] = {op} %0, %1"));
    }
}

#[test]
pub(super) fn functions_of_an_order() {
    for (op, low, high) in [
        ("polygamma", 0.4, 2.0),
        ("erfcx", -1.0, 2.0),
        ("bessel_i", -2.0, 2.0),
        ("bessel_i_scaled", 0.3, 2.0),
    ] {
        let text = format!(
            "function f(%0: f64[4]) {{ %1: f64[3, 1] = constant [[0.0], [1.0], [3.0]] %2: f64[3, 4] = {op} %1, %0 \
             return %2 }}"
        );
        super::check_order(&super::program(&text), &[between(low, high)], 2);
    }
}

#[test]
fn one_operand_twice() {
    for op in ["add", "mul", "div", "pow", "scalar_pow"] {
        check(&[("f64[4]", between(0.3, 2.0))], &format!("f64[4] = {op} %0, %0"));
    }
}

#[test]
fn operands_are_broadcast() {
    for op in ["add", "sub", "mul", "div", "pow", "maximum", "hypot", "mod"] {
        for (left, right, result) in [
            (&[][..], &[2, 3][..], "f64[2, 3]"),
            (&[3], &[2, 3], "f64[2, 3]"),
            (&[2, 1], &[3], "f64[2, 3]"),
            (&[2, 3], &[1, 1], "f64[2, 3]"),
        ] {
            let of = |sizes: &[usize], seed| {
                let each: Vec<f64> =
                    super::doubles(&drawn(sizes, seed)).iter().map(|x| 1.4 + 0.6 * x).collect();
                (format!("f64{sizes:?}"), array(sizes, &each))
            };
            let ((l, left), (r, right)) = (of(left, 3), of(right, 5));
            check(&[(&l, left), (&r, right)], &format!("{result} = {op} %0, %1"));
        }
    }
}

/// Only one operand of which has a tangent.
#[test]
fn constants() {
    for op in ["add", "sub", "mul", "div", "pow", "maximum", "mod", "arctan2", "hypot"] {
        for (first, second) in [("%0", "%1"), ("%1", "%0")] {
            let text = format!(
                "function f(%0: f64[3]) {{ %1: f64[2, 1] = constant [[0.7], [1.1]] %2: f64[2, 3] = {op} {first}, {second} \
                 return %2 }}"
            );
            super::check_order(&super::program(&text), &[array(&[3], &[0.4, 0.9, 2.3])], 2);
        }
    }
}

#[test]
pub(super) fn selections() {
    let test = "%2: bool[2, 3] = constant [[true, false, true], [false, false, true]]";
    for (types, operands) in [
        (["f64[2, 3]", "f64[2, 3]"], [&[2, 3][..], &[2, 3]]),
        (["f64[]", "f64[3]"], [&[], &[3]]),
        (["f64[2, 1]", "f64[2, 3]"], [&[2, 1], &[2, 3]]),
    ] {
        let text = format!(
            "function f(%0: {}, %1: {}) {{ {test} %4: {0} = mul %0, %0 %5: {1} = sin %1 \
             %3: f64[2, 3] = select %2, %4, %5 return %3 }}",
            types[0], types[1]
        );
        let inputs = [drawn(operands[0], 1), drawn(operands[1], 2)];
        super::check_order(&super::program(&text), &inputs, 2);
        let one = format!(
            "function f(%0: {}) {{ {test} %1: f64[] = constant 3.0 %3: f64[2, 3] = select %2, %1, %0 return %3 }}",
            types[1]
        );
        super::check_order(&super::program(&one), &inputs[1..], 2);
    }
}

/// What is not taken may be infinite or NaN.
#[test]
fn the_branch_not_taken_has_a_gradient_of_zero() {
    let text = "function f(%0: f64[2]) { %1: f64[] = constant 0.0 %2: bool[2] = gt %0, %1 %3: f64[2] = neg %0 \
                %4: f64[2] = select %2, %0, %3 return %4 }";
    let function = reverse(&super::program(text)).unwrap();
    let weight = array(&[2], &[f64::INFINITY, 2.0]);
    let results = super::run(&function, &[array(&[2], &[-1.0, 1.0]), weight]);
    assert_eq!(super::doubles(&results[0]), [f64::NEG_INFINITY, 2.0]);
}

#[test]
pub(super) fn conversions() {
    let text = "function f(%0: f64[3]) { %1: f32[3] = cast %0 %2: f32[3] = mul %1, %1 %3: f64[3] = cast %2 \
                %4: i64[3] = cast %0 %5: f64[3] = cast %4 %6: f64[3] = add %3, %5 return %6 }";
    super::coverage::note(&super::program(text));
    let function = reverse(&super::program(text)).unwrap();
    let results = super::run(&function, &[array(&[3], &[0.5, 2.0, -3.0]), array(&[3], &[1.0, 2.0, 1.0])]);
    assert_eq!(super::doubles(&results[0]), [1.0, 8.0, -6.0]);
}

/// The table of `docs/gradients.md`.
#[test]
fn where_a_derivative_is_undefined() {
    let one = |node: &str, x: f64| {
        adjoints(&[("f64[]", array(&[], &[x]))], &format!("f64[] = {node} %0"), array(&[], &[1.0]))[0][0]
    };
    assert_eq!(one("abs", 0.0), 0.0);
    assert_eq!(one("sqrt", 0.0), f64::INFINITY);
    assert_eq!(one("cbrt", 0.0), f64::INFINITY);
    assert_eq!(one("log", 0.0), f64::INFINITY);
    for op in ["sign", "floor", "ceil", "trunc", "rint"] {
        assert_eq!(one(op, 1.5), 0.0, "{op}");
        assert_eq!(one(op, 0.0), 0.0, "{op}");
    }
    let two = |node: &str, x: f64, y: f64| {
        let inputs = [("f64[]", array(&[], &[x])), ("f64[]", array(&[], &[y]))];
        let found = adjoints(&inputs, &format!("f64[] = {node} %0, %1"), array(&[], &[1.0]));
        (found[0][0], found[1][0])
    };
    assert_eq!(two("maximum", 2.0, 2.0), (0.5, 0.5));
    assert_eq!(two("minimum", 2.0, 2.0), (0.5, 0.5));
    assert_eq!(two("pow", 0.0, 0.0), (0.0, 0.0));
    assert_eq!(two("pow", 0.0, 1.0), (1.0, 0.0));
    assert_eq!(two("pow", 0.0, 2.0), (0.0, 0.0));
    assert_eq!(two("pow", -2.0, 3.0).0, 12.0);
    assert_eq!(two("mod", 7.5, 2.0), (1.0, -3.0));
    assert_eq!(two("mod", -7.5, 2.0), (1.0, 4.0));
    assert_eq!(two("fmod", -7.5, 2.0), (1.0, 3.0));
    assert_eq!(two("floor_div", 7.5, 2.0), (0.0, 0.0));
    assert_eq!(two("hypot", 0.0, 0.0), (0.0, 0.0));
    let (y, x) = two("arctan2", 0.0, 0.0);
    assert!(y.is_nan() && x.is_nan());
}

/// A derivative needs as little of the forward pass as it can do with.
#[test]
fn what_is_saved() {
    let half = |node: &str| {
        let text =
            format!("function f(%0: f64[3]) {{ %1: f64[] = constant 2.0 %2: f64[3] = {node} return %2 }}");
        used_params(&reverse(&super::program(&text)).unwrap())
    };
    // Parameter 1 is the adjoint of the result.
    assert_eq!(half("div %0, %1"), [1]);
    assert_eq!(half("add %0, %1"), [1]);
    assert_eq!(half("mul %0, %1"), [1]);
    assert_eq!(half("sub %1, %0"), [1]);
    assert_eq!(half("sin %0"), [0, 1]);
    let x = ("f64[?]", drawn(&[3], 1));
    let two = node_of(&[x.clone(), ("f64[]", array(&[], &[2.0]))], "f64[?] = add %0, %1");
    assert_eq!(super::count(&reverse(&two).unwrap(), "size"), 0);
}
