//! Control flow: rows go their own ways, and what a row does not reach does not happen for it.

use crate::harness::{Case, ROWS, Way};

#[test]
fn a_branch_runs_on_the_rows_that_take_it() {
    let text = "function f(%0: bool[], %1: f64[3], %2: f64[]) {
  %3: f64[3], %4: f64[], %5: i64[] = if %0 then {
    %6: f64[3] = mul %1, %2
    %7: i64[] = constant 1
    yield %6, %2, %7
  } else {
    %8: f64[] = sum %1 axes=[0]
    %9: i64[] = constant 2
    yield %1, %8, %9
  }
  return %3, %4, %5, %1
}";
    Case::new(text).check();
}

#[test]
fn an_untaken_branch_does_not_fail() {
    let text = "function f(%0: f64[3], %1: i64[]) {
  %2: i64[] = constant 3
  %3: bool[] = lt %1, %2
  %4: f64[] = if %3 then {
    %5: f64[] = gather %0, %1 axis=0
    yield %5
  } else {
    %6: bool[] = eq %1, %2
    check %6 error=\"ValueError\" message=\"no\"
    %7: f64[] = constant -1
    yield %7
  }
  return %4
}";
    Case::new(text).with_integers(1, &[0, 3, 2, 3]).check();
    Case::new(text).with_integers(1, &[0, 4, 2, 3]).check_failing();
    Case::new(text).with_integers(1, &[3, 3, 3, 3]).check();
}

const COUNTDOWN: &str = "function f(%0: f64[], %1: i64[]) {
  %2: i64[] = constant 0
  %3: i64[] = constant 1
  %4: f64[], %5: i64[] = while %0, %1 test(%6: f64[], %7: i64[]) {
    %8: bool[] = gt %7, %2
    yield %8
  } body(%9: f64[], %10: i64[]) {
    %11: f64[] = add %9, %9
    %12: i64[] = sub %10, %3
    yield %11, %12
  }
  return %4, %5
}";

#[test]
fn rows_leave_a_while_one_by_one() {
    Case::new(COUNTDOWN).with_integers(1, &[0, 3, 1, 7]).check();
    Case::new(COUNTDOWN).with_integers(1, &[0, -3, 0, 0]).check();
}

#[test]
fn a_while_inside_a_branch_inside_a_while() {
    let text = "function f(%0: i64[], %1: f64[2]) {
  %2: i64[] = constant 1
  %3: i64[] = constant 2
  %4: i64[] = constant 3
  %5: i64[], %6: f64[2], %7: i64[] = while %0, %1, %2 test(%8: i64[], %9: f64[2], %10: i64[]) {
    %11: bool[] = gt %8, %2
    yield %11
  } body(%12: i64[], %13: f64[2], %14: i64[]) {
    %15: i64[] = mod %12, %3
    %16: bool[] = eq %15, %2
    %17: i64[], %18: f64[2] = if %16 then {
      %19: i64[] = mul %12, %4
      %20: i64[] = add %19, %2
      %21: f64[2], %22: i64[] = while %13, %12 test(%23: f64[2], %24: i64[]) {
        %25: bool[] = gt %24, %4
        yield %25
      } body(%26: f64[2], %27: i64[]) {
        %28: f64[2] = mul %26, %1
        %29: i64[] = sub %27, %4
        yield %28, %29
      }
      yield %20, %21
    } else {
      %30: i64[] = floor_div %12, %3
      yield %30, %13
    }
    %31: i64[] = add %14, %2
    yield %17, %18, %31
  }
  return %5, %6, %7
}";
    Case::new(text).with_integers(0, &[6, 7, 1, 9]).check();
}

/// `for i in range(%1, %2, %3): x = x * i + ..`
const RANGE: &str = "function f(%0: f64[], %1: i64[], %2: i64[]) {
  %3: i64[] = constant STEP
  %4: f64[], %5: i64[] = for %1, %2, %3, %0, %1 body(%6: i64[], %7: f64[], %8: i64[]) {
    %9: f64[] = cast %6
    %10: f64[] = add %7, %7
    %11: f64[] = add %10, %9
    yield %11, %6
  }
  return %4, %5
}";

#[test]
fn rows_have_ranges_of_their_own() {
    let range = |step: &str| Case::new(&RANGE.replace("STEP", step));
    range("1").with_integers(1, &[0, 3, -2, 8]).with_integers(2, &[4, 3, 3, 2]).check();
    range("-1").with_integers(1, &[4, 3, 3, 2]).with_integers(2, &[0, 3, -2, 8]).check();
    range("2").with_integers(1, &[0, 3, -2, 8]).with_integers(2, &[4, 8, 3, 2]).check();
    range("-3").with_integers(1, &[9, 8, 7, 2]).with_integers(2, &[0, 3, -2, 8]).check();
    range("5").with_integers(1, &[9, 8, 7, 2]).with_integers(2, &[0, 3, -2, 1]).check();
}

/// The text of a program that is batched for a number of rows that only the run knows.
fn batched_text(text: &str) -> String {
    let case = Case::new(text);
    let flags = vec![true; case.rows.len()];
    let (function, _, _) = case.batched(&Way { flags, is_known: false, rows: ROWS }).unwrap();
    function.to_string()
}

/// A row goes through a loop of numbers in a few nanoseconds. Functions are faster of many rows.
#[test]
fn rows_run_alone_where_that_is_faster() {
    let functions = "exp %9\n    %13: f64[] = tanh %11\n    %14: f64[] = cos %13";
    let slow = COUNTDOWN.replace("add %9, %9", functions).replace("yield %11, %12", "yield %14, %12");
    assert!(!batched_text(COUNTDOWN).contains("nonzero"));
    assert!(batched_text(&slow).contains("nonzero"));
    for text in [COUNTDOWN, &slow] {
        Case::new(text).with_integers(1, &[0, 3, 1, 7]).check();
    }
}

/// A loop reads what rows have around it: a number, an array at an index, and what is the same for all.
#[test]
fn rows_alone_read_what_is_around_their_loop() {
    let text = "function f(%0: f64[3], %1: i64[], %2: f64[]) {
  %3: i64[] = constant 1
  %4: i64[] = constant 0
  %5: f64[] = add %2, %2
  %6: f64[], %7: i64[], %8: f64[] = while %2, %1, %5 test(%9: f64[], %10: i64[], %11: f64[]) {
    %12: bool[] = gt %10, %4
    yield %12
  } body(%13: f64[], %14: i64[], %15: f64[]) {
    %16: i64[] = sub %14, %3
    %17: f64[] = gather %0, %16 axis=0
    %18: f64[] = for %4, %14, %3, %13 body(%19: i64[], %20: f64[]) {
      %21: f64[] = add %20, %17
      %22: f64[] = mul %21, %5
      yield %22
    }
    yield %18, %16, %15
  }
  return %6, %7, %8
}";
    Case::new(text).with_integers(1, &[0, 3, 1, 2]).check();
    Case::new(text).with_integers(1, &[0, 3, 7, 2]).check_failing();
}
