//! Rows that cannot be done at once are done one after the other.

use crate::harness::{Case, Printed, Way};

#[test]
fn what_is_in_rows_may_have_different_sizes() {
    let text = "function f(%0: f64[3], %1: i64[], %2: list<i64[]>) {
  %3: f64[] = constant 0.0
  %4: bool[3] = gt %0, %3
  %5: i64[?] = nonzero %4
  %6: f64[?] = gather %0, %5 axis=0
  %7: f64[] = sum %6 axes=[0]
  %8: i64[?] = iota_to %1
  %9: i64[] = sum %8 axes=[0]
  %10: f64[?] = broadcast %7, %1
  %11: i64[] = size %10 axis=0
  %12: list<i64[]> = list_append %2, %9
  return %7, %9, %11, %1, %12
}";
    Case::new(text).with_integers(1, &[0, 3, 2, 5]).check();
    Case::new(text).with_integers(1, &[0, 3, -2, 5]).check_failing();
}

#[test]
fn steps_may_differ() {
    let text = "function f(%0: i64[], %1: i64[], %2: f64[]) {
  %3: i64[] = constant 0
  %4: f64[] = for %3, %0, %1, %2 body(%5: i64[], %6: f64[]) {
    %7: f64[] = cast %5
    %8: f64[] = add %6, %7
    tape_push %8 tape=0
    %9: f64[] = tape_pop tape=0
    yield %9
  }
  return %4
}";
    Case::new(text).with_integers(0, &[5, -6, 7, 0]).with_integers(1, &[1, -2, 3, 1]).check();
}

#[test]
fn results_have_the_same_sizes() {
    let text = "function f(%0: i64[], %1: f64[2]) {
  %2: i64[?] = iota_to %0
  %3: f64[2, ?] = broadcast %4, %0
  return %2, %3
}"
    .replace("%4, %0", "%5, %0")
    .replace("  %3:", "  %5: f64[2, 1] = reshape %1\n  %3:");
    Case::new(&text).with_integers(0, &[3, 3, 3, 3]).check();
    let case = Case::new(&text).with_integers(0, &[3, 3, 1, 3]);
    let way = Way { flags: vec![true, true], is_known: false, rows: 4 };
    let (function, inputs, _) = case.batched(&way).unwrap();
    let failure = ag_ir::interpret(&function, &inputs, &mut Printed::default()).unwrap_err();
    assert!(format!("{failure:?}").contains("vmap: rows have different sizes"), "{failure:?}");
}

#[test]
fn rows_do_not_print_one_after_the_other() {
    let text = "function f(%0: bool[3], %1: f64[]) {
  print %1 site=0
  %2: i64[?] = nonzero %0
  %3: i64[] = size %2 axis=0
  return %3
}";
    let way = Way { flags: vec![true, false], is_known: true, rows: 4 };
    let error = Case::new(text).batched(&way).map(|_| ()).unwrap_err();
    assert_eq!(error.message, "vmap: nonzero: rows would have different sizes");
}
