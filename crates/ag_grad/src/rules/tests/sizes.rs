//! Unknown sizes: an axis may be broadcast, or not.

use ag_ir::{Failure, interpret};

use super::{Array, Silent, array, check, check_order, count, drawn, integers, program, reverse};

fn near_one(sizes: &[usize], seed: u64) -> Array {
    let each: Vec<f64> = super::doubles(&drawn(sizes, seed)).iter().map(|x| 1.4 + 0.6 * x).collect();
    array(sizes, &each)
}

#[test]
fn axes_that_may_be_broadcast() {
    for op in ["add", "sub", "mul", "div", "maximum", "hypot", "pow"] {
        for (l, r) in [(3, 3), (1, 3), (3, 1), (1, 1)] {
            check(
                &[("f64[?]", near_one(&[l], 1)), ("f64[?]", near_one(&[r], 2))],
                &format!("f64[?] = {op} %0, %1"),
            );
        }
        for size in [1, 3] {
            let known = ("f64[3]", near_one(&[3], 1));
            check(&[("f64[?]", near_one(&[size], 2)), known.clone()], &format!("f64[3] = {op} %0, %1"));
            check(&[known, ("f64[?]", near_one(&[size], 2))], &format!("f64[3] = {op} %0, %1"));
        }
        check(
            &[("f64[?, 1]", near_one(&[2, 1], 1)), ("f64[?, ?]", near_one(&[1, 3], 2))],
            &format!("f64[?, ?] = {op} %0, %1"),
        );
        check(
            &[("f64[?]", near_one(&[3], 1)), ("f64[?, ?, 1]", near_one(&[2, 1, 1], 2))],
            &format!("f64[?, ?, ?] = {op} %0, %1"),
        );
    }
}

#[test]
fn arrays_without_elements() {
    for (l, r) in [(0, 0), (1, 0), (0, 1)] {
        let inputs = [("f64[?]", near_one(&[l], 1)), ("f64[?]", near_one(&[r], 2))];
        check(&inputs, "f64[?] = mul %0, %1");
        check(&inputs, "f64[?] = add %0, %1");
    }
}

#[test]
fn one_of_two_has_a_tangent() {
    for op in ["add %0, %1", "add %1, %0", "sub %1, %0", "mul %0, %1", "mod %0, %1"] {
        for (l, r) in [(3, 3), (1, 3), (3, 1)] {
            let text = format!(
                "function f(%0: f64[?], %9: f64[?]) {{ %1: f64[?] = stop_gradient %9 %2: f64[?] = {op} return %2 }}"
            );
            // The tangent of a stopped value is zero, which finite differences do not show.
            let function = program(&text);
            let forward = super::forward(&function).unwrap();
            let inputs = [near_one(&[l], 1), near_one(&[r], 2)];
            let along = [drawn(&[l], 3), drawn(&[r], 4)];
            let tangents = super::run(&forward, &[&inputs[..], &along].concat());
            let weights = drawn(&[l.max(r)], 5);
            let adjoints = super::run(
                &reverse(&function).unwrap(),
                &[&inputs[..], std::slice::from_ref(&weights)].concat(),
            );
            assert_eq!(tangents[0].sizes, [l.max(r)]);
            let (ahead, back) = (super::product(&[weights], &tangents), super::product(&adjoints, &along));
            assert!(ahead != 0.0 && super::close(ahead, back, 1e-12), "{op}: {ahead} {back}");
        }
    }
}

#[test]
fn selections() {
    for (test, l, r) in [(3, 3, 3), (3, 1, 3), (1, 3, 1), (3, 1, 1), (1, 1, 3)] {
        let bytes: Vec<u8> = [1, 0, 1][..test].to_vec();
        let bools = Array { dtype: ag_ir::DType::Bool, sizes: vec![test], bytes };
        check(
            &[("bool[?]", bools), ("f64[?]", drawn(&[l], 1)), ("f64[?]", drawn(&[r], 2))],
            "f64[?] = select %0, %1, %2",
        );
    }
}

#[test]
fn shapes_given_by_numbers() {
    let number = |n| ("i64[]", integers(&[], &[n]));
    check(&[("f64[?]", drawn(&[3], 1)), number(2)], "f64[?, 3] = broadcast %0, %1");
    check(&[("f64[?]", drawn(&[1], 1)), number(2), number(3)], "f64[?, ?] = broadcast %0, %1, %2");
    check(&[("f64[?, 1]", drawn(&[2, 1], 1)), number(2), number(3)], "f64[?, ?] = broadcast %0, %1, %2");
    check(&[("f64[?, ?]", drawn(&[2, 3], 1)), number(3), number(-1)], "f64[?, ?] = reshape %0, %1, %2");
    check(&[("f64[2, 3]", drawn(&[2, 3], 1)), number(-1)], "f64[?] = reshape %0, %1");
    check(&[("f64[?]", drawn(&[6], 1))], "f64[2, 3] = reshape %0");
}

/// Nothing is summed where both sides are sure to be of one size.
#[test]
fn what_cannot_be_broadcast_is_not_summed() {
    let text = "function f(%0: f64[?]) { %1: f64[?] = exp %0 %2: f64[] = constant 2.0 %3: f64[?] = mul %1, %2 \
                %4: f64[?] = mul %3, %0 %5: i64[] = size %0 axis=0 %6: f64[?] = broadcast %2, %5 \
                %7: f64[?] = sub %4, %6 %8: i64[] = constant -1 %9: f64[?] = reshape %7, %8 %10: f64[?] = add %9, %9 \
                return %10 }";
    let function = reverse(&program(text)).unwrap();
    assert_eq!(count(&function, "sum"), 0, "{function}");
    check_order(&program(text), &[drawn(&[3], 1)], 3);
    // Of a size below 0 there is no element.
    let text = "function f(%0: f64[1], %1: i64[]) { %2: f64[?] = iota_to %1 %3: f64[?] = mul %2, %0 %4: f64[?] = sin %3 \
                %5: f64[?] = mul %3, %4 return %5 }";
    for size in [3, 0, -2] {
        check_each_alone(&program(text), &[drawn(&[1], 1), integers(&[], &[size])]);
    }
}

/// Batches have no rows of different sizes; this is all but those.
fn check_each_alone(function: &ag_ir::Function, inputs: &[Array]) {
    let (forward, reverse) = (super::forward(function).unwrap(), reverse(function).unwrap());
    let along = [drawn(&[1], 3)];
    let tangents = super::run(&forward, &[inputs, &along].concat());
    let weights = [drawn(&tangents[0].sizes, 4)];
    let adjoints = super::run(&reverse, &[inputs, &weights].concat());
    let (ahead, back) = (super::product(&weights, &tangents), super::product(&adjoints, &along));
    assert!(super::close(ahead, back, 1e-12), "{ahead} {back}");
    assert_eq!(ahead == 0.0, tangents[0].sizes == [0]);
}

/// What a body says of sizes holds for one run of it.
#[test]
fn sizes_in_loops() {
    let text = "function f(%0: f64[?], %1: f64[?]) { %2: i64[] = constant 0 %3: i64[] = constant 3 %4: i64[] = constant 1 \
                %5: f64[?] = for %2, %3, %4, %0 body(%6: i64[], %7: f64[?]) { %8: f64[?] = sin %7 \
                %9: f64[?] = mul %7, %8 %10: f64[?] = add %9, %1 yield %10 } return %5 }";
    for (l, r) in [(3, 3), (3, 1), (1, 3)] {
        check_order(&program(text), &[near_one(&[l], 1), near_one(&[r], 2)], 2);
    }
}

#[test]
fn an_adjoint_of_another_shape() {
    let text = "function f(%0: f64[3]) { %1: f64[?] = with_shape %0 message=\"\" return %1 }";
    let reversed = reverse(&program(text)).unwrap();
    let failure = |count: usize| {
        let inputs = [drawn(&[3], 1), drawn(&[count], 2)];
        interpret(&reversed, &inputs, &mut Silent).err().map(|error| error.failure)
    };
    assert!(failure(3).is_none());
    let Some(Failure::Check { error, message, .. }) = failure(4) else { panic!("it has four elements") };
    assert_eq!(
        (&*error, &*message),
        ("ValueError", "the adjoint of an array of shape (3,) has another shape")
    );
}
