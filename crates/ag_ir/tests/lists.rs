//! Ops of lists: what Python's lists give, their failures, and their text.

#![allow(clippy::unwrap_used)]

use ag_ir::{Array, DType, Failure, Host, HostError, RunError, interpret, read, verify};

struct Silent;

impl Host for Silent {
    fn print(&mut self, _: u32, _: &[Array]) -> Result<(), HostError> {
        Ok(())
    }
}

/// What a graph of numbers and of the list `%0 = [10, 11, 12, 13]` gives; `%1`, `%2`, … are 0, 1, …
/// and `%9` is -1.
fn run(lines: &str, results: &str) -> Result<Vec<Array>, RunError> {
    let mut text = "function f(%0: list<i64[]>) {\n".to_owned();
    for number in 1..10 {
        let value = if number == 9 { -1 } else { number - 1 };
        text += &format!("  %{number}: i64[] = constant {value}\n");
    }
    text += &format!("{lines}\n  return {results}\n}}\n");
    let function = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read(&function.to_string()).unwrap(), function);
    verify(&function).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    interpret(&function, &[numbers(&[10, 11, 12, 13])], &mut Silent)
}

fn numbers(values: &[i64]) -> Array {
    let bytes = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
    Array { dtype: DType::I64, sizes: vec![values.len()], bytes }
}

fn number(value: i64) -> Array {
    Array { sizes: vec![], ..numbers(&[value]) }
}

const LIST: &str = "list<i64[]>";

#[test]
fn lists_are_changed_as_in_python() {
    let cases: [(&str, &[i64]); 13] = [
        ("list_append %0, %6", &[10, 11, 12, 13, 5]),
        ("list_set %0, %2, %6", &[10, 5, 12, 13]),
        ("list_insert %0, %2, %6", &[10, 5, 11, 12, 13]),
        ("list_insert %0, %8, %6", &[10, 11, 12, 13, 5]),
        ("list_insert %0, %9, %6", &[5, 10, 11, 12, 13]),
        ("list_delete %0, %1", &[11, 12, 13]),
        ("list_concatenate %0, %0", &[10, 11, 12, 13, 10, 11, 12, 13]),
        ("list_slice %0, %2, %4, %2", &[11, 12]),
        ("list_slice %0, %4, %9, %9", &[13, 12, 11, 10]),
        ("list_slice %0, %4, %2, %2", &[]),
        ("list_reverse %0", &[13, 12, 11, 10]),
        ("list_make %2, %6", &[1, 5]),
        ("list_make empty", &[]),
    ];
    for (op, expected) in cases {
        let results = run(&format!("  %20: {LIST} = {op}"), "%20, %0");
        // The list that the op was given is as it was.
        assert_eq!(results.unwrap(), [numbers(expected), numbers(&[10, 11, 12, 13])], "{op}");
    }
}

#[test]
fn lists_are_read_as_in_python() {
    let popped = run(&format!("  %20: {LIST}, %21: i64[] = list_pop %0"), "%20, %21, %0").unwrap();
    assert_eq!(popped, [numbers(&[10, 11, 12]), number(13), numbers(&[10, 11, 12, 13])]);
    let read = run("  %20: i64[] = list_get %0, %3 %21: i64[] = list_length %0", "%20, %21").unwrap();
    assert_eq!(read, [number(12), number(4)]);
    let stacked = run("  %20: i64[4] = list_stack %0 size=4", "%20").unwrap();
    assert_eq!(stacked, [numbers(&[10, 11, 12, 13])]);
}

#[test]
fn the_rows_of_an_array_are_a_list_and_back() {
    let lines = "  %20: i64[3, 2] = constant [[1, 2], [3, 4], [5, 6]]
  %21: list<i64[2]> = list_unstack %20
  %22: i64[2] = list_get %21, %2
  %23: list<i64[2]> = list_reverse %21
  %24: i64[3, 2] = list_stack %23 size=3";
    let results = run(lines, "%21, %22, %24").unwrap();
    let array = |values: &[i64]| Array { sizes: vec![3, 2], ..numbers(values) };
    let expected = [array(&[1, 2, 3, 4, 5, 6]), numbers(&[3, 4]), array(&[5, 6, 3, 4, 1, 2])];
    assert_eq!(results, expected);
}

#[test]
fn lists_hold_lists() {
    let lines = "  %20: list<list<i64[]>> = list_make %0, %0
  %21: list<i64[]>, %22: i64[] = list_pop %0
  %23: list<list<i64[]>> = list_set %20, %1, %21
  %24: list<i64[]> = list_get %23, %1
  %25: list<i64[]> = list_get %23, %2";
    assert_eq!(run(lines, "%24, %25").unwrap(), [numbers(&[10, 11, 12]), numbers(&[10, 11, 12, 13])]);
}

#[test]
fn control_flow_carries_lists() {
    let lines = "  %20: list<i64[]> = for %1, %6, %2, %0 body(%30: i64[], %31: list<i64[]>) {
    %32: bool[] = lt %30, %3
    %33: list<i64[]> = if %32 then { %34: list<i64[]> = list_append %31, %30 yield %34 } else { yield %31 }
    yield %33
  }
  %21: list<i64[]> = while %20 test(%40: list<i64[]>) {
    %41: i64[] = list_length %40
    %42: bool[] = gt %41, %6
    yield %42
  } body(%43: list<i64[]>) {
    %44: list<i64[]> = list_delete %43, %1
    yield %44
  }";
    let results = run(lines, "%20, %21").unwrap();
    assert_eq!(results, [numbers(&[10, 11, 12, 13, 0, 1]), numbers(&[11, 12, 13, 0, 1])]);
}

#[test]
fn failures_have_the_words_of_python() {
    let cases = [
        ("%20: i64[] = list_get %0, %5", "IndexError: list index out of range"),
        ("%20: i64[] = list_get %0, %9", "IndexError: list index out of range"),
        ("%20: list<i64[]> = list_set %0, %5, %1", "IndexError: list assignment index out of range"),
        ("%20: list<i64[]> = list_delete %0, %5", "IndexError: list assignment index out of range"),
        (
            "%19: list<i64[]> = list_make empty %20: list<i64[]>, %21: i64[] = list_pop %19",
            "IndexError: pop from empty list",
        ),
        ("%20: list<i64[]> = list_slice %0, %1, %2, %1", "ValueError: slice step cannot be zero"),
        ("%20: list<i64[]> = list_slice %0, %1, %6, %2", "IndexError: list index out of range"),
        (
            "%20: i64[3] = list_stack %0 size=3",
            "ValueError: a list of 4 values where the graph was made for 3",
        ),
    ];
    for (line, expected) in cases {
        let Err(RunError { failure: Failure::Check { error, message, .. }, .. }) = run(line, "%20") else {
            panic!("{line} does not fail")
        };
        assert_eq!(format!("{error}: {message}"), expected, "{line}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let cases = [
        ("%9: list<f64[]> = list_append %0, %2", "list_append: a i64[] in a list of f64[]"),
        ("%9: list<f64[]> = list_append %1, %1", "list_append: needs a list, got a f64[]"),
        ("%9: list<f64[]> = list_make %1, %2", "list_make: a i64[] in a list of f64[]"),
        ("%9: f64[] = list_get %0, %1", "list_get: a start index is i64[], not f64[]"),
        ("%9: f64[] = list_get %0", "list_get: needs 2 operands, got 1"),
        ("%9: list<f64[]> = list_concatenate %0, %3", "list_concatenate: a list<f64[]> and a list<i64[]>"),
        ("%9: list<f64[]> = list_unstack %1", "list_unstack: iteration over a 0-d array"),
        (
            "%8: list<list<f64[]>> = list_make %0 print %8 site=1",
            "print: a list<list<f64[]>> has no form outside of a graph",
        ),
    ];
    for (line, expected) in cases {
        let text =
            format!("function f(%0: list<f64[]>, %1: f64[], %2: i64[], %3: list<i64[]>) {{ {line} return }}");
        let errors = verify(&read(&text).unwrap()).unwrap_err();
        assert_eq!(errors.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected], "{line}");
    }
    let nested = read("function f(%0: list<list<f64[]>>) { return }").unwrap();
    let reason = "%0 is a list<list<f64[]>>, which has no form outside of a graph";
    assert_eq!(verify(&nested).unwrap_err()[0].message, reason);
}
