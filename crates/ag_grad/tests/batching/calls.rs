//! Calls: functions are batched as they are called, and recursions go on for the rows that do.

use crate::harness::Case;

#[test]
fn a_function_is_batched_for_each_way_it_is_called() {
    let text = "function f(%0: f64[], %1: f64[]) {
  %2: f64[] = call %0, %1 callee=0
  %3: f64[] = call %1, %1 callee=0
  %4: f64[] = call %1, %0 callee=0
  %5: f64[] = sub %2, %3
  return %2, %3, %4, %5
}
function g(%0: f64[], %1: f64[]) {
  %2: f64[] = mul %0, %0
  %3: f64[] = sub %2, %1
  return %3
}";
    Case::new(text).check();
}

const POWER: &str = "function f(%0: f64[], %1: i64[], %2: f64[2]) {
  %3: f64[], %4: i64[] = call %0, %1, %2 callee=0
  return %3, %4
}
function power(%0: f64[], %1: i64[], %2: f64[2]) {
  %3: i64[] = constant 0
  %4: i64[] = constant 1
  %5: bool[] = gt %1, %3
  %6: f64[], %7: i64[] = if %5 then {
    %8: i64[] = sub %1, %4
    %9: f64[], %10: i64[] = call %0, %8, %2 callee=0
    %11: f64[] = mul %9, %0
    %12: f64[] = sum %2 axes=[0]
    %13: f64[] = add %11, %12
    %14: i64[] = add %10, %4
    yield %13, %14
  } else {
    %15: f64[] = constant 1.0
    yield %15, %3
  }
  return %6, %7
}";

#[test]
fn a_recursion_ends_for_each_row_when_it_does() {
    Case::new(POWER).with_integers(1, &[3, 0, 5, 1]).check();
}

#[test]
fn functions_that_call_each_other() {
    let text = "function f(%0: i64[], %1: f64[]) {
  %2: f64[] = call %0, %1 callee=0
  return %2
}
function even(%0: i64[], %1: f64[]) {
  %2: i64[] = constant 0
  %3: i64[] = constant 1
  %4: bool[] = gt %0, %2
  %5: f64[] = if %4 then {
    %6: i64[] = sub %0, %3
    %7: f64[] = call %6, %1 callee=1
    yield %7
  } else {
    %8: f64[] = constant 2.0
    yield %8
  }
  return %5
}
function odd(%0: i64[], %1: f64[]) {
  %2: i64[] = constant 0
  %3: i64[] = constant 1
  %4: bool[] = gt %0, %2
  %5: f64[] = if %4 then {
    %6: i64[] = sub %0, %3
    %7: f64[] = call %6, %1 callee=0
    %8: f64[] = mul %7, %1
    yield %8
  } else {
    yield %1
  }
  return %5
}";
    Case::new(text).with_integers(0, &[3, 0, 6, 1]).check();
}
