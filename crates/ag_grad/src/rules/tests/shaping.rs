//! Ops that move elements.

use super::{array, check, check_order, drawn, program};

#[test]
pub(super) fn shapes() {
    let x = || ("f64[2, 3]", drawn(&[2, 3], 1));
    check(&[x()], "f64[6] = reshape %0");
    check(&[x()], "f64[3, 2] = transpose %0 axes=[1, 0]");
    check(&[x()], "f64[4, 2, 3] = broadcast %0");
    check(&[("f64[2, 1]", drawn(&[2, 1], 1))], "f64[4, 2, 3] = broadcast %0");
    check(&[("f64[2, 3, 4]", drawn(&[2, 3, 4], 1))], "f64[4, 2, 3] = transpose %0 axes=[2, 0, 1]");
    check(&[x()], "f64[2, 3] = identity %0");
    check(&[x()], "f64[2, 3] = with_slope %0, %0");
    check(&[("f64[?, 3]", drawn(&[2, 3], 1))], "f64[2, 3] = with_shape %0 message=\"no\"");
}

#[test]
fn nothing_passes_a_stop() {
    let text = "function f(%0: f64[2]) { %1: f64[2] = stop_gradient %0 %2: f64[2] = mul %0, %1 return %2 }";
    let function = super::reverse(&program(text)).unwrap();
    let results = super::run(&function, &[array(&[2], &[3.0, 4.0]), array(&[2], &[1.0, 1.0])]);
    assert_eq!(super::doubles(&results[0]), [3.0, 4.0]);
}

#[test]
fn a_slope_is_that_of_another_value() {
    let text = "function f(%0: f64[2]) { %1: f64[2] = exp %0 %2: f64[2] = mul %0, %0 \
                %3: f64[2] = with_slope %1, %2 return %3 }";
    let (x, one) = (array(&[2], &[3.0, 4.0]), array(&[2], &[1.0, 1.0]));
    for made in [super::forward, super::reverse] {
        let results = super::run(&made(&program(text)).unwrap(), &[x.clone(), one.clone()]);
        assert_eq!(super::doubles(&results[0]), [6.0, 8.0]);
    }
    assert_eq!(super::doubles(&super::run(&program(text), &[x])[0]), [3.0_f64.exp(), 4.0_f64.exp()]);
}

#[test]
pub(super) fn arrays_are_joined() {
    let (x, y) = (("f64[2, 3]", drawn(&[2, 3], 1)), ("f64[2, 2]", drawn(&[2, 2], 2)));
    check(&[x.clone(), y.clone()], "f64[2, 5] = concatenate %0, %1 axis=1");
    check(std::slice::from_ref(&x), "f64[4, 3] = concatenate %0, %0 axis=0");
    let text = "function f(%0: f64[2, 3]) { %1: f64[2, 1] = constant [[1.0], [2.0]] \
                %2: f64[2, 4] = concatenate %1, %0 axis=1 %3: f64[2, 4] = mul %2, %2 return %3 }";
    check_order(&program(text), &[x.1], 2);
}

#[test]
fn sizes_of_what_is_joined_are_not_known() {
    let (x, y, z) = (
        ("f64[?, 3]", drawn(&[2, 3], 1)),
        ("f64[1, 3]", drawn(&[1, 3], 2)),
        ("f64[?, 3]", drawn(&[4, 3], 3)),
    );
    check(&[x.clone(), y.clone(), z.clone()], "f64[?, 3] = concatenate %0, %1, %2 axis=0");
    check(&[y, x.clone(), z], "f64[?, 3] = concatenate %0, %1, %2 axis=0");
    check(
        &[("f64[2, ?]", drawn(&[2, 3], 1)), ("f64[1, ?]", drawn(&[1, 3], 3))],
        "f64[3, ?] = concatenate %0, %1 axis=0",
    );
}

#[test]
pub(super) fn fourier_transforms() {
    for op in ["fft", "inverse_fft"] {
        check(&[("f64[3, 2, 5]", drawn(&[3, 2, 5], 1))], &format!("f64[3, 2, 5] = {op} %0"));
    }
}
