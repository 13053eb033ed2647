//! Checks, prints and tapes.

use crate::harness::{Case, Printed, Way};

#[test]
fn a_check_tells_of_the_first_row_that_fails() {
    let text = "function f(%0: f64[2], %1: i64[], %2: list<i64[]>) {
  %3: i64[] = constant 2
  %4: bool[] = lt %1, %3
  check %4, %0, %1, %2 error=\"ValueError\" message=\"too large\" site=3
  check %4 error=\"ValueError\" message=\"too large\"
  return %1
}";
    Case::new(text).with_integers(1, &[0, 1, 1, 0]).check();
    Case::new(text).with_integers(1, &[0, 1, 3, 5]).check_failing();
    Case::new(text).with_integers(1, &[2, 1, 3, 5]).check_failing();
}

#[test]
fn what_all_rows_share_is_printed_once() {
    let text = "function f(%0: f64[], %1: f64[]) {
  print %1 site=4
  %2: f64[] = add %0, %1
  return %2
}";
    let way = Way { flags: vec![true, false], is_known: true, rows: 4 };
    let case = Case::new(text);
    let (function, inputs, _) = case.batched(&way).unwrap();
    let mut printed = Printed::default();
    ag_ir::interpret(&function, &inputs, &mut printed).unwrap();
    assert_eq!(printed.0, [(4, vec![case.rows[1][0].clone()])]);
    let text = "function f(%0: f64[]) { %1: f64[] = callback %0 site=4 return %1 }";
    assert_eq!(Case::new(text).refusal(), "vmap: callback: it is not run for each row");
}

#[test]
fn what_differs_is_printed_for_each_row() {
    let text = "function f(%0: f64[2], %1: f64[], %2: bool[], %3: list<f64[]>) {
  %4: f64[2] = if %2 then {
    print %0, %1, %3 site=4
    %5: f64[2] = mul %0, %1
    yield %5
  } else {
    yield %0
  }
  print %1 site=5
  return %4
}";
    let case = Case::new(text);
    let way = Way { flags: vec![true, false, true, true], is_known: true, rows: 4 };
    let (function, inputs, _) = case.batched(&way).unwrap();
    let mut printed = Printed::default();
    ag_ir::interpret(&function, &inputs, &mut printed).unwrap();
    let takes = (0..4).filter(|row| case.rows[2][*row].bytes == [1]);
    let of_row =
        |row: usize| vec![case.rows[0][row].clone(), case.rows[1][0].clone(), case.rows[3][row].clone()];
    let mut expected: Vec<_> = takes.map(|row| (4, of_row(row))).collect();
    assert!(!expected.is_empty() && expected.len() < 4);
    expected.push((5, vec![case.rows[1][0].clone()]));
    assert_eq!(printed.0, expected);
}

/// As the gradient of a loop is made: a `while` that counts and pushes, and a `for` down that pops.
#[test]
fn rows_meet_on_tapes() {
    let text = "function f(%0: f64[2], %1: f64[], %2: bool[]) {
  %3: i64[] = constant 0
  %4: i64[] = constant 1
  %5: f64[2], %6: i64[] = while %0, %3 test(%7: f64[2], %8: i64[]) {
    %9: f64[] = sum %7 axes=[0]
    %10: bool[] = lt %9, %1
    yield %10
  } body(%11: f64[2], %12: i64[]) {
    tape_push %11 tape=0
    tape_push %12 tape=1
    %13: f64[2] = if %2 then {
      %14: f64[2] = exp %11
      tape_push %14 tape=2
      yield %14
    } else {
      %15: f64[] = constant 1.0
      %16: f64[2] = add %11, %15
      yield %16
    }
    tape_push %2 tape=3
    %17: i64[] = add %12, %4
    yield %13, %17
  }
  %18: f64[2] = constant [1.0, 1.0]
  %19: i64[] = sub %6, %4
  %20: i64[] = constant -1
  %21: f64[2], %22: i64[] = for %19, %20, %20, %18, %3 body(%23: i64[], %24: f64[2], %25: i64[]) {
    %26: bool[] = tape_pop tape=3
    %27: f64[2] = if %26 then {
      %28: f64[2] = tape_pop tape=2
      %29: f64[2] = mul %24, %28
      yield %29
    } else {
      yield %24
    }
    %30: i64[] = tape_pop tape=1
    %31: f64[2] = tape_pop tape=0
    %32: f64[2] = add %27, %31
    %33: i64[] = sub %30, %23
    %34: i64[] = add %25, %33
    yield %32, %34
  }
  return %5, %6, %21, %22
}";
    Case::new(text).with_floats(1, &[0.0, 7.0, -8.0, 3.0]).check();
}

/// A recursion that pushes, and its mirror that pops.
#[test]
fn tapes_of_recursions() {
    let text = "function f(%0: f64[], %1: i64[]) {
  %2: f64[] = call %0, %1 callee=0
  %3: f64[] = constant 1.0
  %4: f64[] = call %3 callee=1
  return %2, %4
}
function forward(%0: f64[], %1: i64[]) {
  %2: i64[] = constant 0
  %3: i64[] = constant 1
  %4: bool[] = gt %1, %2
  %5: f64[] = if %4 then {
    %6: i64[] = sub %1, %3
    tape_push %0 tape=0
    %7: f64[] = mul %0, %0
    %8: f64[] = call %7, %6 callee=0
    yield %8
  } else {
    yield %0
  }
  tape_push %4 tape=1
  return %5
}
function backward(%0: f64[]) {
  %1: bool[] = tape_pop tape=1
  %2: f64[] = if %1 then {
    %3: f64[] = call %0 callee=1
    %4: f64[] = tape_pop tape=0
    %5: f64[] = mul %3, %4
    yield %5
  } else {
    yield %0
  }
  return %2
}";
    Case::new(text).with_integers(1, &[3, 0, 5, 1]).check();
}
