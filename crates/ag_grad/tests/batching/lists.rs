//! Lists: those of rows have lengths of their own, inside; outside all are of one length.

use crate::harness::Case;

const LIST: &str = "list<f64[2]>";

/// A program of one op of `%0: list<f64[2]>`, `%1: i64[]` and `%2: f64[2]`, which gives the values and the
/// length.
fn line(op: &str) -> Case {
    Case::new(&format!(
        "function f(%0: {LIST}, %1: i64[], %2: f64[2]) {{
  %9: i64[] = constant 1
  %10: {LIST} = {op}
  %11: i64[] = list_length %10
  return %10, %11
}}"
    ))
}

#[test]
fn lists_are_changed_row_by_row() {
    for op in [
        "list_append %0, %2",
        "list_set %0, %1, %2",
        "list_insert %0, %1, %2",
        "list_delete %0, %1",
        "list_concatenate %0, %0",
        "list_reverse %0",
        "list_make %2, %2",
        "list_make empty",
        "list_zeros %0",
    ] {
        line(op).with_integers(1, &[0, 2, 1, 1]).check();
    }
    line("list_insert %0, %1, %2").with_integers(1, &[-1, 7, 3, 0]).check();
    line("list_set %0, %1, %2").with_integers(1, &[0, 3, -1, 0]).check_failing();
    line("list_delete %0, %1").with_integers(1, &[0, 3, -1, 0]).check_failing();
}

#[test]
fn lists_are_read_row_by_row() {
    let get = |text: &str| {
        Case::new(&format!("function f(%0: list<f64[2]>, %1: i64[]) {{\n{text}\n  return %10\n}}"))
    };
    let text = "  %10: f64[2] = list_get %0, %1";
    get(text).check();
    get(text).with_integers(1, &[2, 0, 3, -1]).check_failing();
    get("  %2: list<f64[2]>, %10: f64[2] = list_pop %0").check();
    get("  %10: f64[3, 2] = list_stack %0 size=3").check();
    get("  %10: f64[?, 2] = list_stack %0").check();
}

/// Lists that are of different lengths for a while.
#[test]
fn rows_may_have_lists_of_different_lengths() {
    let text = "function f(%0: f64[2], %1: i64[], %20: bool[]) {
  %2: i64[] = constant 0
  %3: i64[] = constant 1
  %30: i64[] = constant 9
  %4: list<f64[2]> = list_make empty
  %5: list<f64[2]>, %6: f64[2] = for %2, %1, %3, %4, %0 body(%7: i64[], %8: list<f64[2]>, %9: f64[2]) {
    %10: list<f64[2]> = list_append %8, %9
    %11: f64[2] = add %9, %9
    yield %10, %11
  }
  %12: list<f64[2]> = if %20 then {
    %13: list<f64[2]> = list_reverse %5
    %14: list<f64[2]> = list_append %13, %0
    %15: list<f64[2]> = list_concatenate %14, %5
    yield %15
  } else {
    %16: list<f64[2]> = list_append %5, %6
    yield %16
  }
  %21: i64[] = list_length %12
  %22: i64[] = sub %21, %3
  %27: i64[] = constant -1
  %23: list<f64[2]> = list_slice %12, %22, %27, %27
  %24: f64[2] = zeros
  %25: f64[2] = for %2, %21, %3, %24 body(%26: i64[], %28: f64[2]) {
    %29: f64[2] = list_get %23, %26
    %31: f64[2] = add %28, %28
    %32: f64[2] = add %31, %29
    yield %32
  }
  return %25, %21
}";
    let text = text.replace("%24: f64[2] = zeros", "%24: f64[2] = constant [0.0, 0.0]");
    Case::new(&text).with_integers(1, &[0, 3, 7, 1]).check();
}

#[test]
fn a_pop_of_an_empty_list_of_one_row_fails() {
    let text = "function f(%0: f64[], %1: i64[]) {
  %2: i64[] = constant 0
  %3: i64[] = constant 1
  %4: list<f64[]> = list_make %0
  %5: list<f64[]> = for %2, %1, %3, %4 body(%7: i64[], %8: list<f64[]>) {
    %9: list<f64[]>, %10: f64[] = list_pop %8
    yield %9
  }
  %11: i64[] = list_length %5
  return %11
}";
    Case::new(text).with_integers(1, &[0, 1, 1, 0]).check();
    Case::new(text).with_integers(1, &[0, 1, 2, 0]).check_failing();
}

#[test]
fn lists_of_lists() {
    let text = "function f(%0: f64[], %1: i64[]) {
  %2: i64[] = constant 0
  %3: i64[] = constant 1
  %4: list<list<f64[]>> = list_make empty
  %5: i64[] = constant 3
  %6: list<list<f64[]>> = for %2, %5, %3, %4 body(%7: i64[], %8: list<list<f64[]>>) {
    %9: list<f64[]> = list_make empty
    %10: i64[] = add %7, %1
    %11: list<f64[]> = for %2, %10, %3, %9 body(%12: i64[], %13: list<f64[]>) {
      %14: f64[] = cast %12
      %15: f64[] = mul %14, %0
      %16: list<f64[]> = list_append %13, %15
      yield %16
    }
    %17: list<list<f64[]>> = list_append %8, %11
    yield %17
  }
  %20: list<list<f64[]>> = list_append_in %6, %1, %0
  %21: list<list<f64[]>> = list_set_in %20, %3, %2, %0
  %22: f64[] = list_get_in %21, %1, %2
  %23: i64[] = list_length_in %21, %1
  %24: list<list<f64[]>>, %25: f64[] = list_pop_in %21, %1
  %26: list<list<f64[]>> = list_reverse %24
  %27: list<f64[]> = list_flatten %26
  %28: i64[] = list_length %27
  %29: list<f64[]> = list_get %21, %1
  %30: list<list<f64[]>> = list_make %29, %27, %27
  %31: list<list<f64[]>> = list_concatenate %30, %21
  %32: list<f64[]> = list_flatten %31
  %33: list<f64[]> = list_zeros %32
  %34: list<f64[]> = list_concatenate %32, %33
  %35: i64[] = list_length %34
  %36: f64[] = constant 0.0
  %37: f64[] = for %2, %35, %3, %36 body(%38: i64[], %39: f64[]) {
    %40: f64[] = list_get %34, %38
    %41: f64[] = add %39, %39
    %42: f64[] = add %41, %40
    yield %42
  }
  return %22, %23, %25, %28, %37
}";
    Case::new(text).with_integers(1, &[2, 1, 0, 2]).check();
}

#[test]
fn lists_that_are_the_same_for_all_rows_become_lists_of_rows() {
    let text = "function f(%0: f64[], %1: i64[], %2: list<f64[]>) {
  %3: list<f64[]> = list_append %2, %2x
  %4: list<list<f64[]>> = list_make %2, %3
  %5: list<list<f64[]>> = list_append_in %4, %1, %0
  %6: list<f64[]> = list_flatten %5
  %7: i64[] = list_length %6
  return %6, %7
}";
    let text = text.replace("%2x", "%10").replace("{\n  %3", "{\n  %10: f64[] = constant 5.0\n  %3");
    Case::new(&text).with_integers(1, &[1, 1, 0, 0]).check();
}

#[test]
fn lists_of_different_lengths_do_not_leave() {
    let text = "function f(%0: f64[], %1: bool[]) {
  %2: list<f64[]> = list_make %0
  %3: list<f64[]> = if %1 then {
    %4: list<f64[]> = list_append %2, %0
    yield %4
  } else {
    yield %2
  }
  return %3
}";
    let case = Case::new(text);
    let way = crate::harness::Way { flags: vec![true, true], is_known: true, rows: 4 };
    let (function, inputs, _) = case.batched(&way).unwrap();
    let failure = ag_ir::interpret(&function, &inputs, &mut crate::harness::Printed::default()).unwrap_err();
    assert!(format!("{failure:?}").contains("vmap: rows have lists of different lengths"), "{failure:?}");
}
