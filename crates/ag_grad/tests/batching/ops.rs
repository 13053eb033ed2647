//! Ops of arrays: each as the one line of a program, with every choice of batched operands.

use crate::harness::Case;

/// A program of one line, with the types of its parameters.
fn line(params: &[&str], result: &str, op: &str) -> Case {
    let params: Vec<String> =
        params.iter().enumerate().map(|(number, ty)| format!("%{number}: {ty}")).collect();
    let params = params.join(", ");
    Case::new(&format!("function f({params}) {{\n  %20: {result} = {op}\n  return %20\n}}\n"))
}

#[test]
fn element_wise_ops_align_the_axes_of_rows() {
    line(&["f64[2]"], "f64[2]", "sin %0").check();
    line(&["f64[2]"], "i64[2]", "cast %0").check();
    line(&["f64[2, 3]", "f64[3]"], "f64[2, 3]", "add %0, %1").check();
    line(&["f64[]", "f64[2, 3]"], "f64[2, 3]", "mul %0, %1").check();
    line(&["f64[?]", "f64[2, 1]"], "f64[2, ?]", "mul %0, %1").check();
    line(&["i64[]", "i64[3]"], "bool[3]", "lt %0, %1").check();
    line(&["bool[]", "f64[3]", "f64[2, 1]"], "f64[2, 3]", "select %0, %1, %2").check();
    line(&["f64[2]"], "f64[2]", "identity %0").check();
    line(&["f64[2]"], "f64[2]", "stop_gradient %0").check();
}

#[test]
fn shapes_have_the_batch_in_front() {
    line(&["f64[?]"], "i64[]", "size %0 axis=0").check();
    line(&["f64[?]"], "f64[3]", "with_shape %0 message=\"\"").check();
    line(&["f64[3]"], "f64[2, 3]", "broadcast %0").check();
    line(&["f64[]"], "f64[2, 3]", "broadcast %0").check();
    line(&["f64[2, 3]"], "f64[6]", "reshape %0").check();
    line(&["f64[2, 3]"], "f64[3, 2]", "transpose %0 axes=[1, 0]").check();
    line(&["f64[2, 3]"], "f64[1, 2]", "slice %0 start=[1, 2] size=[1, 2] step=[1, -2]").check();
    line(&["f64[2, ?]"], "f64[1, ?]", "slice %0 start=[1, 0] size=[1, ?] step=[1, 1]").check();
    line(&["f64[2, 3]", "f64[2, 2]"], "f64[2, 5]", "concatenate %0, %1 axis=1").check();
    line(&["f64[2, 3]", "f64[2, 2]"], "f64[2, 3]", "update_slice %0, %1 start=[0, 2] step=[1, -2]").check();
    line(&["f64[]", "f64[]"], "f64[]", "update_slice %0, %1 start=[] step=[]").check();
}

#[test]
fn sizes_that_all_rows_share_may_be_computed() {
    let text = "function f(%0: f64[?, 3]) {
  %1: i64[] = size %0 axis=0
  %2: i64[] = constant 3
  %3: i64[] = mul %1, %2
  %4: f64[?] = reshape %0, %3
  return %4
}";
    Case::new(text).check();
    let text = "function f(%0: f64[3], %1: f64[?]) {
  %2: i64[] = size %1 axis=0
  %3: f64[?, 3] = broadcast %0, %2
  %4: i64[] = constant 1
  %5: i64[] = constant 0
  %6: f64[?, ?] = slice_range %3, %5, %2, %4 axis=1
  %7: i64[?] = iota_to %2
  return %6, %7
}";
    Case::new(text).check();
}

#[test]
fn axes_move_by_one() {
    line(&["f64[2, 3]"], "f64[3]", "sum %0 axes=[0]").check();
    line(&["f64[2, 3]"], "f64[1, 1]", "max %0 axes=[0, 1] keepdims").check();
    line(&["bool[3]"], "bool[]", "any %0 axes=[0]").check();
    line(&["f64[2, 3]"], "i64[2]", "argmin %0 axis=1").check();
    line(&["f64[3]"], "i64[3]", "argsort %0 axis=0").check();
    line(&["f64[2, 3]"], "f64[2, 3]", "sort %0 axis=1").check();
    line(&["f64[3, 2]"], "f64[3, 2]", "partition %0 axis=0 ranks=[1]").check();
    line(&["f64[3, 2]"], "i64[3, 2]", "argpartition %0 axis=0 ranks=[0, 2]").check();
    line(&["f64[2, 3]"], "f64[2, 3]", "cumsum %0 axis=1").check();
}

#[test]
fn products_take_the_batch_as_they_can() {
    line(&["f64[3]", "f64[3]"], "f64[]", "dot %0, %1 left_contract=[0] right_contract=[0]").check();
    line(&["f64[2, 3]", "f64[3, 4]"], "f64[2, 4]", "dot %0, %1 left_contract=[1] right_contract=[0]").check();
    line(
        &["f64[2, 5, 3]", "f64[4, 3, 2]"],
        "f64[2, 5, 4]",
        "dot %0, %1 left_batch=[0] right_batch=[2] left_contract=[2] right_contract=[1]",
    )
    .check();
    line(&["f64[2, 2]"], "f64[6]", "lu %0").check();
    line(&["f64[2, 3]"], "f64[2, 3]", "fft %0").check();
    let text = "function f(%0: f64[2, 2], %1: f64[2, 1]) {
  %2: f64[6] = lu %0
  %3: f64[2, 1] = solve_lu %2, %1
  return %3
}";
    Case::new(text).check();
}

#[test]
fn indices_of_rows_are_of_their_rows() {
    line(&["f64[3]", "i64[]"], "f64[]", "gather %0, %1 axis=0").check();
    line(&["f64[3, 2]", "i64[4]"], "f64[4, 2]", "gather %0, %1 axis=0").check();
    line(&["f64[2, 3, 4, 5]", "i64[2]", "i64[]"], "f64[2, 2, 5]", "gather %0, %1, %2 axis=1").check();
    line(&["f64[3]", "f64[]", "i64[]"], "f64[3]", "scatter %0, %1, %2 axis=0").check();
    line(&["f64[3]", "f64[4]", "i64[4]"], "f64[3]", "scatter %0, %1, %2 axis=0").check();
    line(&["f64[3]", "f64[4]", "i64[4]"], "f64[3]", "scatter_add %0, %1, %2 axis=0").check();
    line(
        &["f64[2, 3, 4, 2]", "f64[2, 3, 1]", "i64[3]", "i64[]"],
        "f64[2, 3, 4, 2]",
        "scatter %0, %1, %2, %3 axis=1",
    )
    .check();
    line(&["f64[2, 3, 2]", "f64[2]", "i64[]"], "f64[2, 3, 2]", "scatter_add %0, %1, %2 axis=1").check();
}

#[test]
fn blocks_of_rows_start_where_their_rows_say() {
    let slice = || line(&["f64[2, 4]", "i64[]"], "f64[2, 2]", "dynamic_slice %0, %1 axis=1 size=2");
    slice().check();
    // A row fails: so does the batch, also where an index would count from the end.
    slice().with_integers(1, &[0, -1, 1, 0]).check_failing();
    slice().with_integers(1, &[0, 3, 1, 0]).check_failing();
    let update =
        || line(&["f64[4, 2]", "f64[2, 2]", "i64[]"], "f64[4, 2]", "dynamic_update_slice %0, %1, %2 axis=0");
    update().check();
    update().with_integers(2, &[0, 1, -2, 0]).check_failing();
}

#[test]
fn draws_are_the_same_for_all_rows_unless_their_keys_are_not() {
    line(&["i64[]", "i64[]"], "f64[2]", "random_normal %0, %1").check();
    line(&["i64[]", "i64[]", "i64[2]", "i64[2]"], "i64[2]", "random_integers %0, %1, %2, %3").check();
}
