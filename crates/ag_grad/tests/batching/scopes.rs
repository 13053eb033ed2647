//! Scopes stay scopes, whose rules are batched.

use ag_ir::{Op, Scope};

use crate::harness::{Case, Way};

const RULES: &str = "function f(%0: f64[3], %1: f64[], %2: i64[]) {
  %3: f64[], %4: f64[3] = custom_vjp %0, %1, %2 primal(%5: f64[3], %6: f64[], %7: i64[]) {
    %8: f64[3] = mul %5, %6
    %9: f64[] = sum %8 axes=[0]
    yield %9, %8
  } forward(%10: f64[3], %11: f64[], %12: i64[]) {
    %13: f64[3] = mul %10, %11
    %14: f64[] = sum %13 axes=[0]
    yield %14, %13, %10, %12
  } backward(%15: f64[3], %16: i64[], %17: f64[], %18: f64[3]) {
    %19: f64[3] = mul %15, %18
    %20: f64[] = sum %19 axes=[0]
    yield %18, %17
  }
  %21: f64[] = checkpoint %3, %1 primal(%22: f64[], %23: f64[]) {
    %24: f64[] = sin %22
    %25: f64[] = mul %24, %1
    yield %25
  }
  %26: f64[] = custom_jvp %1 primal(%27: f64[]) {
    %28: f64[] = exp %27
    yield %28
  } tangent(%29: f64[], %30: f64[]) {
    %31: f64[] = exp %29
    %32: f64[] = mul %31, %30
    yield %31, %32
  }
  return %3, %4, %21, %26
}";

/// What derivatives that have been taken leave behind.
const USED: &str = "function f(%0: f64[3], %1: f64[]) {
  %2: f64[3] = held %0 derivative=7
  %3: f64[3] = sin %2
  %4: f64[] = sum %3 axes=[0]
  %5: f64[3], %6: f64[] = vjp_rule %3, %4, %0, %3 derivative=7 primal(%7: f64[3], %8: f64[], %9: f64[3], %10: f64[3]) {
    yield %7, %8
  } backward(%11: f64[3], %12: f64[3], %13: f64[]) {
    %14: f64[3] = mul %11, %12
    yield %14
  }
  %15: f64[] = jvp_rule %6, %1 derivative=8 primal(%16: f64[], %17: f64[]) {
    yield %16
  } tangent(%18: f64[], %19: f64[]) {
    yield %18, %19
  }
  return %5, %6, %15
}";

#[test]
fn scopes_are_batched_with_their_rules() {
    Case::new(RULES).check();
}

#[test]
fn of_rules_that_have_been_used_the_values_are_left() {
    Case::new(USED).check();
}

/// The rule of the batched function, called as a gradient calls it.
#[test]
fn the_adjoint_of_what_rows_share_is_the_sum_of_theirs() {
    let way = Way { flags: vec![true, false, false], is_known: true, rows: 4 };
    let (function, ..) = Case::new(RULES).batched(&way).unwrap();
    let is_rule = |op: &Op| matches!(op, Op::Scope(Scope::CustomVjp));
    let node = function.body.nodes.iter().find(|node| is_rule(&node.op)).unwrap();
    let backward = &node.regions[2];
    let results = backward.results.iter().map(|value| function.ty(*value).to_string()).collect::<Vec<_>>();
    // Adjoints are of the types of the operands: one for each row, and one for all.
    assert_eq!(results, ["f64[4, 3]", "f64[]"]);
    assert!(backward.nodes.iter().any(|node| node.op.name() == "sum"), "{function}");
}
