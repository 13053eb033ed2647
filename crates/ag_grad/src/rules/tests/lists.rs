//! Lists.

use super::{Array, array, check, check_order, doubles, drawn, integers, program, reverse, run};

const LIST: &str = "list<f64[2]>";

fn list(length: usize) -> (&'static str, Array) {
    (LIST, drawn(&[length, 2], 1))
}

fn index(number: i64) -> (&'static str, Array) {
    ("i64[]", integers(&[], &[number]))
}

fn value() -> (&'static str, Array) {
    ("f64[2]", drawn(&[2], 5))
}

#[test]
pub(super) fn values_of_lists() {
    check(&[value(), ("f64[2]", drawn(&[2], 6))], "list<f64[2]> = list_make %0, %1, %0");
    check(&[list(3), value()], "list<f64[2]> = list_append %0, %1");
    check(&[list(3), index(1)], "f64[2] = list_get %0, %1");
    check(&[list(3), index(1), value()], "list<f64[2]> = list_set %0, %1, %2");
    for place in [-4, 0, 1, 3, 9] {
        check(&[list(3), index(place), value()], "list<f64[2]> = list_insert %0, %1, %2");
    }
    check(&[list(3), index(2)], "list<f64[2]> = list_delete %0, %1");
    check(&[list(3)], "list<f64[2]> = list_reverse %0");
    check(&[list(3)], "f64[3, 2] = list_stack %0 size=3");
    check(&[list(3)], "f64[?, 2] = list_stack %0");
    check(&[("f64[3, 2]", drawn(&[3, 2], 1))], "list<f64[2]> = list_unstack %0");
    check(&[("f64[?, 2]", drawn(&[3, 2], 1))], "list<f64[2]> = list_unstack %0");
    for (left, right) in [(2, 3), (0, 2), (2, 0)] {
        check(&[list(left), list(right)], "list<f64[2]> = list_concatenate %0, %1");
    }
}

#[test]
pub(super) fn a_last_value_is_taken() {
    let text = format!(
        "function f(%0: {LIST}) {{ %1: {LIST}, %2: f64[2] = list_pop %0 %3: f64[2] = mul %2, %2 return %1, %3 }}"
    );
    check_order(&program(&text), &[list(3).1], 2);
    for results in ["%1", "%3"] {
        check_order(&program(&text.replace("%1, %3", results)), &[list(3).1], 2);
    }
}

/// A loop over the values is what transposes it: its own derivative is that of the loop.
#[test]
pub(super) fn parts_of_lists() {
    for bounds in [[0, 3, 2], [2, -1, -1], [1, 1, 1], [3, 0, -2]] {
        let text = format!(
            "function f(%0: {LIST}, %1: i64[], %2: i64[], %3: i64[]) {{ %4: {LIST} = list_slice %0, %1, %2, %3 \
             %5: f64[2] = list_get %0, %1 return %4, %5 }}"
        );
        let numbers = bounds.map(|bound| index(bound).1);
        check_order(&program(&text), &[&[list(4).1][..], &numbers].concat(), 2);
    }
}

#[test]
fn only_one_of_two_has_a_tangent() {
    for text in [
        format!("function f(%0: f64[2]) {{ %1: {LIST} = list_make empty %2: {LIST} = list_append %1, %0 return %2 }}"),
        "function f(%0: f64[2]) { %1: f64[2] = constant [1.0, 2.0] %2: list<f64[2]> = list_make %1, %0 return %2 }".into(),
        format!(
            "function f(%0: {LIST}, %1: i64[]) {{ %2: f64[2] = constant [1.0, 2.0] %3: {LIST} = list_set %0, %1, %2 \
             %4: {LIST} = list_append %3, %2 return %4 }}"
        ),
    ] {
        let function = program(&text);
        let inputs = if function.body.params.len() == 1 { vec![value().1] } else { vec![list(3).1, index(1).1] };
        check_order(&function, &inputs, 2);
    }
}

/// What is appended is not to have the list saved.
#[test]
fn an_append_saves_nothing() {
    let text = format!("function f(%0: {LIST}, %1: f64[2]) {{ %2: {LIST} = list_append %0, %1 return %2 }}");
    assert_eq!(super::used_params(&reverse(&program(&text)).unwrap()), [2]);
}

const LISTS: &str = "list<list<f64[2]>>";

/// Lists of two lists, of so many values.
fn nested(body: &str) -> String {
    format!(
        "function f(%0: {LIST}, %1: {LIST}, %2: f64[2], %3: i64[], %4: i64[]) {{ %5: {LISTS} = list_make %0, %1 \
         {body} }}"
    )
}

#[test]
pub(super) fn lists_of_lists() {
    for (body, order) in [
        ("%6: f64[2] = list_get_in %5, %3, %4 return %6", 2),
        (
            "%6: list<list<f64[2]>> = list_set_in %5, %3, %4, %2 %7: list<f64[2]> = list_get %6, %3 return %7",
            2,
        ),
        (
            "%6: list<list<f64[2]>> = list_append_in %5, %3, %2 %7: list<f64[2]> = list_get %6, %3 return %7",
            2,
        ),
        (
            "%6: list<list<f64[2]>>, %7: f64[2] = list_pop_in %5, %3 %8: list<f64[2]> = list_get %6, %3 \
             return %7, %8",
            2,
        ),
        ("%6: list<list<f64[2]>>, %7: f64[2] = list_pop_in %5, %3 return %7", 2),
        ("%6: list<f64[2]> = list_flatten %5 return %6", 2),
        ("%6: list<list<f64[2]>> = list_delete %5, %4 %7: list<f64[2]> = list_flatten %6 return %7", 2),
        (
            "%6: f64[2] = list_get_in %5, %3, %4 %7: list<f64[2]> = list_get %5, %3 \
             %8: f64[2] = list_get_in %5, %3, %4 return %6, %7, %8",
            2,
        ),
    ] {
        let inputs = [list(3).1, drawn(&[2, 2], 3), value().1, index(1).1, index(0).1];
        check_order(&program(&nested(body)), &inputs, order);
    }
}

#[test]
fn lengths_have_no_derivative() {
    let text = format!(
        "function f(%0: {LIST}) {{ %1: i64[] = list_length %0 %2: f64[] = cast %1 %3: {LIST} = list_zeros %0 \
         return %2, %3 }}"
    );
    let function = reverse(&program(&text)).unwrap();
    let results = run(&function, &[list(2).1, array(&[], &[1.0]), drawn(&[2, 2], 1)]);
    assert_eq!(doubles(&results[0]), [0.0; 4]);
}
