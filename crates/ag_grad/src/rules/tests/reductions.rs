//! Reductions and running reductions.

use super::{adjoints, array, check, drawn};

#[test]
pub(super) fn sums_products_and_extremes() {
    for op in ["sum", "prod", "max", "min"] {
        for (ty, attributes) in [
            ("f64[]", "axes=[0, 1, 2]"),
            ("f64[2, 2]", "axes=[1]"),
            ("f64[3]", "axes=[0, 2]"),
            ("f64[1, 3, 1]", "axes=[0, 2] keepdims"),
            ("f64[2, 3, 2]", "axes=[]"),
        ] {
            let x = drawn(&[2, 3, 2], 1);
            check(&[("f64[2, 3, 2]", x.clone())], &format!("{ty} = {op} %0 {attributes}"));
            let open = ty.replace(['2', '3'], "?");
            check(&[("f64[?, ?, ?]", x)], &format!("{open} = {op} %0 {attributes}"));
        }
    }
    check(&[("f64[]", array(&[], &[0.7]))], "f64[] = sum %0 axes=[]");
}

#[test]
pub(super) fn running_extremes() {
    for op in ["cummax", "cummin"] {
        for axis in 0..3 {
            let x = drawn(&[2, 3, 2], 1);
            check(&[("f64[2, 3, 2]", x.clone())], &format!("f64[2, 3, 2] = {op} %0 axis={axis}"));
            check(&[("f64[?, ?, ?]", x)], &format!("f64[?, ?, ?] = {op} %0 axis={axis}"));
        }
    }
    // The last of equal elements has the derivative.
    let x = ("f64[5]", array(&[5], &[2.0, 5.0, 1.0, 5.0, 4.0]));
    assert_eq!(
        adjoints(std::slice::from_ref(&x), "f64[5] = cummax %0 axis=0", array(&[5], &[1.0; 5])),
        [[1.0, 2.0, 0.0, 2.0, 0.0]]
    );
}

#[test]
fn equal_elements_share() {
    let x = ("f64[4]", array(&[4], &[2.0, 5.0, 5.0, 1.0]));
    assert_eq!(
        adjoints(std::slice::from_ref(&x), "f64[] = max %0 axes=[0]", array(&[], &[3.0])),
        [[0.0, 1.5, 1.5, 0.0]]
    );
    assert_eq!(adjoints(&[x], "f64[] = min %0 axes=[0]", array(&[], &[3.0])), [[0.0, 0.0, 0.0, 3.0]]);
}

#[test]
fn a_nan_is_passed_on() {
    let x = ("f64[2, 2]", array(&[2, 2], &[2.0, f64::NAN, 5.0, 1.0]));
    for op in ["max", "min"] {
        let node = format!("f64[2] = {op} %0 axes=[1]");
        let found = adjoints(std::slice::from_ref(&x), &node, array(&[2], &[3.0, 0.5]));
        assert!(found[0][0].is_nan() && found[0][1].is_nan());
        assert_eq!(found[0][2] + found[0][3], 0.5);
    }
}

#[test]
fn products_with_zeros() {
    for zeros in [&[1][..], &[0, 2], &[3], &[0, 1, 2, 3]] {
        let mut elements = [0.5, 2.0, -1.5, 3.0];
        for place in zeros {
            elements[*place] = 0.0;
        }
        for ty in ["f64[4]", "f64[?]"] {
            check(&[(ty, array(&[4], &elements))], "f64[] = prod %0 axes=[0]");
            check(&[(ty, array(&[4], &elements))], &format!("{ty} = cumprod %0 axis=0"));
        }
    }
    let x = ("f64[3]", array(&[3], &[2.0, 0.0, 4.0]));
    assert_eq!(adjoints(&[x], "f64[] = prod %0 axes=[0]", array(&[], &[1.0])), [[0.0, 8.0, 0.0]]);
}

#[test]
pub(super) fn running_sums_and_products() {
    for op in ["cumsum", "cumprod"] {
        for axis in 0..3 {
            let x = drawn(&[2, 5, 3], 1);
            check(&[("f64[2, 5, 3]", x.clone())], &format!("f64[2, 5, 3] = {op} %0 axis={axis}"));
            check(&[("f64[?, 5, ?]", x)], &format!("f64[?, 5, ?] = {op} %0 axis={axis}"));
        }
        check(&[("f64[1]", drawn(&[1], 1))], &format!("f64[1] = {op} %0 axis=0"));
    }
}

#[test]
pub(super) fn sorted_and_parted() {
    for (op, ranks) in [("sort", ""), ("partition", "ranks=[1, 3]")] {
        for axis in 0..3 {
            let x = drawn(&[2, 5, 3], 1);
            check(&[("f64[2, 5, 3]", x.clone())], &format!("f64[2, 5, 3] = {op} %0 axis={axis} {ranks}"));
            check(&[("f64[?, 5, ?]", x)], &format!("f64[?, 5, ?] = {op} %0 axis={axis} {ranks}"));
        }
        check(&[("f64[1]", drawn(&[1], 1))], &format!("f64[1] = {op} %0 axis=0 {ranks}"));
        check(&[("f64[0]", array(&[0], &[]))], &format!("f64[0] = {op} %0 axis=0 {ranks}"));
    }
}

#[test]
fn nothing_is_reduced() {
    for op in ["cumsum %0 axis=0", "cumprod %0 axis=0"] {
        check(&[("f64[0]", array(&[0], &[]))], &format!("f64[0] = {op}"));
        check(&[("f64[?]", array(&[0], &[]))], &format!("f64[?] = {op}"));
    }
    for ty in ["f64[0]", "f64[?]"] {
        check(&[(ty, array(&[0], &[]))], "f64[] = sum %0 axes=[0]");
        check(&[(ty, array(&[0], &[]))], "f64[] = prod %0 axes=[0]");
    }
}

/// Only floats have derivatives: what counts or sorts has none.
#[test]
fn numbers_of_places_have_none() {
    let x = ("f64[3]", array(&[3], &[2.0, 5.0, 4.0]));
    let text = "function f(%0: f64[3]) { %1: i64[] = argmax %0 axis=0 %2: i64[3] = argsort %0 axis=0 \
                %3: f64[3] = gather %0, %2 axis=0 %4: f64[] = gather %3, %1 axis=0 return %3, %4 }";
    super::check_order(&super::program(text), &[x.1], 2);
}
