//! Second derivatives through control flow: a backward pass is reversed, with its tapes, even if nothing else
//! of the forward pass is used.

use super::{array, check_order, drawn, program};

#[test]
fn loops_with_an_unknown_number_of_iterations() {
    let text = "function f(%0: f64[2]) { %1: f64[] = constant 40.0 %2: f64[] = constant 1.7
        %3: f64[2] = while %0 test(%4: f64[2]) { %5: f64[] = sum %4 axes=[0] %6: bool[] = lt %5, %1 yield %6 }
        body(%7: f64[2]) { %8: f64[2] = sin %7 %9: f64[2] = mul %7, %2 %10: f64[2] = add %8, %9 yield %10 }
        return %3 }";
    check_order(&program(text), &[array(&[2], &[0.7, 1.1])], 3);
}

#[test]
fn branches_in_loops() {
    let text = "function f(%0: f64[2], %1: f64[2]) { %2: i64[] = constant 0 %3: i64[] = constant 4 %4: i64[] = constant 1
        %5: f64[] = constant 0.5
        %6: f64[2] = for %2, %3, %4, %0 body(%7: i64[], %8: f64[2]) { %9: f64[] = sum %8 axes=[0] %10: bool[] = gt %9, %5
            %11: f64[2] = if %10 then { %12: f64[2] = mul %8, %8 %13: f64[2] = mul %12, %1 yield %13 }
                else { %14: f64[2] = exp %8 yield %14 }
            yield %11 }
        return %6 }";
    check_order(&program(text), &[array(&[2], &[0.3, 0.4]), drawn(&[2], 2)], 3);
}

#[test]
fn loops_in_loops_over_elements() {
    let text = "function f(%0: f64[3], %1: f64[]) { %2: i64[] = constant 0 %3: i64[] = constant 3 %4: i64[] = constant 1
        %5: f64[] = for %2, %3, %4, %1 body(%6: i64[], %7: f64[]) {
            %8: f64[] = for %2, %3, %4, %7 body(%9: i64[], %10: f64[]) {
                %11: f64[] = gather %0, %9 axis=0 %12: f64[] = mul %10, %11 %13: f64[] = sin %12 %14: f64[] = add %13, %11
                yield %14 }
            %15: f64[] = gather %0, %6 axis=0 %16: f64[] = mul %8, %15 yield %16 }
        return %5 }";
    check_order(&program(text), &[drawn(&[3], 1), array(&[], &[0.4])], 2);
}

#[test]
fn lists_that_loops_fill() {
    let text = "function f(%0: f64[2]) { %1: i64[] = constant 0 %2: i64[] = constant 3 %3: i64[] = constant 1
        %4: list<f64[2]> = list_make %0
        %5: list<f64[2]> = for %1, %2, %3, %4 body(%6: i64[], %7: list<f64[2]>) { %8: f64[2] = list_get %7, %6
            %9: f64[2] = mul %8, %0 %10: f64[2] = sin %9 %11: list<f64[2]> = list_append %7, %10 yield %11 }
        %12: f64[2] = list_get %5, %2 return %12 }";
    check_order(&program(text), &[drawn(&[2], 1)], 3);
}

#[test]
fn recursions() {
    let text = "function f(%0: f64[2], %1: f64[2]) { %2: i64[] = constant 3 %3: f64[2] = call %0, %1, %2 callee=0 return %3 }
        function g(%0: f64[2], %1: f64[2], %2: i64[]) { %3: i64[] = constant 0 %4: bool[] = gt %2, %3
            %5: f64[2] = if %4 then { %6: i64[] = constant 1 %7: i64[] = sub %2, %6 %8: f64[2] = mul %0, %1
                %9: f64[2] = sin %8 %10: f64[2] = call %9, %1, %7 callee=0 %11: f64[2] = mul %10, %0 yield %11 }
                else { yield %0 }
            return %5 }";
    check_order(&program(text), &[drawn(&[2], 1), drawn(&[2], 2)], 2);
}

/// `for …: x = x - 0.1 * grad(loss)(x)`, with a loss that is a loop: in place, and as a function that is called.
#[test]
fn steps_down_a_gradient() {
    let loss = "function loss(%0: f64[2]) { %1: f64[] = constant 9.0
        %2: f64[2] = while %0 test(%3: f64[2]) { %4: f64[] = sum %3 axes=[0] %5: bool[] = lt %4, %1 yield %5 }
        body(%6: f64[2]) { %7: f64[2] = mul %6, %6 %8: f64[2] = add %6, %7 yield %8 }
        %9: f64[] = sum %2 axes=[0] return %9 }";
    let gradient = super::reverse(&program(loss)).unwrap();
    let callee = gradient.to_string();
    let (_, callee) = callee.split_once('\n').unwrap();
    let called = format!(
        "function f(%0: f64[2]) {{ %1: i64[] = constant 0 %2: i64[] = constant 2 %3: i64[] = constant 1
        %4: f64[] = constant 0.01
        %5: f64[2] = for %1, %2, %3, %0 body(%6: i64[], %7: f64[2]) {{ %8: f64[2] = call %7, %4 callee=0
            %9: f64[2] = sub %7, %8 yield %9 }}
        return %5 }} {callee}"
    );
    check_order(&program(&called), &[array(&[2], &[0.8, 1.1])], 2);
    let mut inside = gradient.clone();
    let (x, seed) = (inside.body.params[0], inside.body.params[1]);
    inside.body.params = vec![x];
    let region = inside.to_string();
    let start = region.find('{').unwrap() + 1;
    let end = region.rfind("return").unwrap();
    let result = region[end + "return".len()..].trim_end().trim_end_matches('}').trim();
    let text = format!(
        "function f(%900: f64[2]) {{ %901: i64[] = constant 0 %902: i64[] = constant 2 %903: i64[] = constant 1
        %{}: f64[] = constant 0.01
        %904: f64[2] = for %901, %902, %903, %900 body(%905: i64[], %{}: f64[2]) {{ {} %906: f64[2] = sub %{}, {result}
            yield %906 }} return %904 }}",
        seed.0,
        x.0,
        &region[start..end],
        x.0
    );
    check_order(&program(&text), &[array(&[2], &[0.8, 1.1])], 2);
}
