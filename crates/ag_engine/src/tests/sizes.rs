//! Arrays of unknown sizes.

use ag_ir::{Array, DType, read, verify};

use super::{Random, check};

/// Runs a graph of `%0: f64[?]`, `%1: f64[?, ?]`, `%2: f64[4]`, `%3: bool[?]`, of the numbers `%10`, `%11`, …
/// which are 0, 1, …, and of `%19`, which is -1; for arrays of several sizes, some of which fail.
fn try_lines(lines: &str, results: &str) -> usize {
    let mut text = "function f(%0: f64[?], %1: f64[?, ?], %2: f64[4], %3: bool[?]) {\n".to_owned();
    for number in 10..20 {
        let value = if number == 19 { -1 } else { number - 10 };
        text += &format!("  %{number}: i64[] = constant {value}\n");
    }
    text += &format!("{lines}\n  return {results}\n}}\n");
    let function = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify(&function).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let mut random = Random(7);
    let mut finished = 0;
    for (n, m) in [(4, 4), (3, 3), (1, 4), (0, 0), (4, 1), (1500, 4), (0, 3)] {
        let inputs: [Array; 4] = [
            random.tame(DType::F64, &[n]),
            random.tame(DType::F64, &[m, n]),
            random.tame(DType::F64, &[4]),
            random.tame(DType::Bool, &[n]),
        ];
        finished += usize::from(check(&function, &inputs).is_some());
        assert_eq!(crate::lists::LIVE_BYTES.get(), 0, "a cell is never freed\n{text}");
    }
    finished
}

#[test]
fn ops_give_what_the_interpreter_gives() {
    let cases = [
        ("f64[?]", "add %0, %0"),
        ("f64[?, ?]", "mul %1, %0"),
        ("f64[4]", "mul %2, %0"),
        ("f64[?, 4]", "sub %2, %30"),
        ("bool[?]", "lt %0, %31"),
        ("f64[?]", "select %3, %0, %31"),
        ("i64[?]", "cast %0"),
        ("f64[]", "sum %0 axes=[0]"),
        ("f64[?]", "sum %1 axes=[0]"),
        ("f64[?]", "sum %1 axes=[1]"),
        ("f64[]", "prod %1 axes=[0, 1]"),
        ("f64[?, 1]", "max %1 axes=[1] keepdims"),
        ("bool[]", "any %3 axes=[0]"),
        ("i64[?]", "argmax %1 axis=1"),
        ("i64[]", "argmin %0 axis=0"),
        ("i64[?]", "argsort %0 axis=0"),
        ("i64[?, ?]", "argsort %1 axis=0"),
        ("f64[?]", "cumsum %0 axis=0"),
        ("f64[?, ?]", "transpose %1 axes=[1, 0]"),
        ("f64[]", "gather %0, %19 axis=0"),
        ("f64[?]", "gather %1, %11 axis=0"),
        ("f64[?]", "gather %0, %32 axis=0"),
        ("f64[?]", "gather %2, %32 axis=0"),
        ("f64[?, 2]", "gather %1, %33 axis=1"),
        ("f64[?]", "scatter %0, %31, %32 axis=0"),
        ("f64[?]", "scatter_add %0, %31, %32 axis=0"),
        ("f64[?]", "scatter_add %0, %31, %11 axis=0"),
        ("f64[4]", "scatter_add %2, %0, %32 axis=0"),
        ("f64[?]", "scatter %0, %31, %11 axis=0"),
        ("f64[4]", "scatter %2, %0, %32 axis=0"),
        ("f64[?]", "concatenate %0, %2 axis=0"),
        ("f64[?, ?]", "concatenate %1, %1 axis=1"),
        ("f64[?, 4]", "concatenate %1, %30 axis=0"),
        ("f64[?]", "dot %1, %0 left_contract=[1] right_contract=[0]"),
        ("f64[]", "dot %0, %2 left_contract=[0] right_contract=[0]"),
        ("f64[?, ?]", "dot %1, %1 left_contract=[1] right_contract=[1]"),
        ("f64[?]", "dot %1, %30 left_batch=[0] right_batch=[0] left_contract=[1] right_contract=[1]"),
        ("f64[?]", "broadcast %31, %13"),
        ("f64[?]", "broadcast %0, %14"),
        ("f64[?, 4]", "broadcast %2, %12"),
        ("f64[4]", "broadcast %0"),
        ("f64[?]", "broadcast %31, %19"),
        ("f64[2, 2]", "reshape %0"),
        ("f64[?, 2]", "reshape %0, %19"),
        ("f64[?]", "reshape %1, %19"),
        ("i64[]", "size %1 axis=1"),
        ("i64[]", "size %2 axis=0"),
        ("f64[?]", "iota_to %13"),
        ("i64[?]", "iota_to %19"),
        ("f64[?]", "slice_range %0, %11, %13, %11 axis=0"),
        ("f64[?]", "slice_range %0, %12, %19, %19 axis=0"),
        ("f64[?, ?]", "slice_range %1, %10, %13, %12 axis=1"),
        ("f64[?]", "slice_range %2, %13, %10, %19 axis=0"),
        ("f64[2]", "dynamic_slice %0, %11 axis=0 size=2"),
        ("f64[?, 1]", "dynamic_slice %1, %11 axis=1 size=1"),
        ("f64[?]", "dynamic_update_slice %0, %2, %10 axis=0"),
        ("f64[?, ?]", "dynamic_update_slice %1, %30, %10 axis=0"),
        ("f64[?, 2]", "slice %30 start=[0, 3] size=[?, 2] step=[1, -2]"),
        ("f64[3]", "with_shape %0 message=\"no\""),
        ("f64[?, 4]", "with_shape %1 message=\"no\""),
        ("f64[?]", "with_shape %2 message=\"no\""),
        ("f64[?, 5]", "singular_values %34"),
    ];
    let before = "  %30: f64[?, 4] = broadcast %2, %12\n  %31: f64[] = constant 1.5\n  \
                  %32: i64[?] = iota_to %13\n  %33: i64[2] = constant [0, 0]\n  \
                  %34: f64[?, 5, 5] = broadcast %31, %12";
    let mut finished = 0;
    for (ty, op) in cases {
        let before = if op.contains("%34") { before } else { before.rsplit_once('\n').unwrap().0 };
        finished += try_lines(&format!("{before}\n  %20: {ty} = {op}"), "%20, %0, %1");
    }
    assert!(finished > 4 * cases.len(), "only {finished} runs did not fail");
}

#[test]
fn draws_of_sizes_of_the_run() {
    let lines = "  %20: f64[?] = random_uniform %11, %12, %13\n  %21: f32[2, ?] = random_normal %11, %12, %15\n  \
                 %22: f64[?, ?] = random_exponential %11, %12, %10, %13\n  %23: i64[?] = iota_to %14\n  \
                 %24: i64[?] = random_integers %11, %12, %23, %23";
    assert_eq!(try_lines(lines, "%20, %21, %22, %24"), 7);
    assert_eq!(try_lines("  %20: f64[?] = random_uniform %11, %12, %19", "%20"), 0);
    let bounds = "  %20: i64[?] = iota_to %14\n  %21: i64[?] = iota_to %13\n  \
                  %22: i64[?] = random_integers %11, %12, %20, %21";
    assert_eq!(try_lines(bounds, "%22"), 0);
}

#[test]
fn matrices_of_sizes_of_the_run() {
    // Rows and columns of %1 are as many in two of the shapes that are tried, in one there are none.
    assert_eq!(try_lines("  %20: f64[?] = lu %1", "%20"), 3);
    assert_eq!(try_lines("  %20: f64[?] = qr %1", "%20"), 7);
    let lines = "  %20: f64[?] = lu %1\n  %21: f64[?, ?] = solve_lu %20, %1";
    assert_eq!(try_lines(lines, "%21"), 3);
    assert!(
        try_lines(
            "  %20: f64[?] = lu %1\n  %21: f64[4, 1] = reshape %2\n  %22: f64[4, 1] = solve_lu %20, %21",
            "%22"
        ) > 0
    );
}

#[test]
fn views_of_known_sizes_meet_arrays_of_unknown_ones() {
    // The product reads the transposed array, which is no view for it then.
    let lines = "  %20: f64[4, 1] = reshape %2\n  %21: f64[4, 4] = dot %20, %20 left_contract=[1] right_contract=[1]\n  \
                 %22: f64[4, 4] = mul %21, %2\n  %23: f64[4, 4] = transpose %22 axes=[1, 0]\n  \
                 %24: f64[?, 4] = dot %1, %23 left_contract=[1] right_contract=[0]\n  \
                 %25: f64[4, ?] = dot %23, %1 left_contract=[0] right_contract=[1]";
    assert!(try_lines(lines, "%24, %25") > 1);
}

#[test]
fn chains_run_as_one() {
    let lines = "  %20: f64[?] = mul %0, %0\n  %21: f64[?] = sub %20, %0\n  %22: f64[?] = exp %21\n  \
                 %23: f64[?, ?] = mul %1, %1\n  %24: f64[?, ?] = add %23, %22\n  %25: f64[?, ?] = tanh %24";
    assert!(try_lines(lines, "%25") > 4);
}

#[test]
fn true_elements_are_found() {
    let lines = "  %20: f64[] = constant 0.0\n  %21: bool[?, ?] = ge %1, %20\n  \
                 %22: i64[?], %23: i64[?] = nonzero %21\n  %24: i64[?] = nonzero %3\n  \
                 %25: f64[?] = gather %1, %22, %23 axis=0\n  %26: f64[?] = gather %0, %24 axis=0";
    assert_eq!(try_lines(lines, "%22, %23, %24, %25, %26"), 7);
}

#[test]
fn lists_become_arrays_and_back() {
    let lines = "  %20: list<f64[]> = list_unstack %0\n  %21: f64[] = constant 9.0\n  \
                 %22: list<f64[]> = list_append %20, %21\n  %23: f64[?] = list_stack %22\n  \
                 %24: list<f64[]> = list_append %22, %21\n  %25: f64[?, 4] = with_shape %1 message=\"no\"\n  \
                 %26: list<f64[4]> = list_unstack %25\n  %27: f64[?, 4] = list_stack %26";
    assert_eq!(try_lines(lines, "%23, %24, %27"), 2);
}

#[test]
fn arrays_are_carried_branched_and_called() {
    let grown = "  %20: f64[1] = constant [7.0]\n  \
                 %21: f64[?], %22: f64[?] = for %10, %15, %11, %0, %0 body(%23: i64[], %24: f64[?], %25: f64[?]) {\n    \
                 %26: f64[?] = concatenate %24, %20, %2 axis=0\n    %27: f64[?] = mul %25, %25\n    \
                 %28: bool[] = lt %23, %12\n    %29: f64[?] = if %28 then {\n      yield %26\n    } else {\n      \
                 %30: f64[?] = concatenate %27, %20 axis=0\n      yield %30\n    }\n    print %29, %23 site=1\n    \
                 yield %29, %27\n  }";
    assert_eq!(try_lines(grown, "%21, %22, %0"), 7);
    let swapped = "  %20: f64[?] = concatenate %0, %2 axis=0\n  \
                   %21: f64[?], %22: f64[?] = for %10, %15, %11, %20, %0 body(%23: i64[], %24: f64[?], %25: f64[?]) {\n    \
                   %26: f64[?] = concatenate %25, %2 axis=0\n    yield %26, %24\n  }";
    assert_eq!(try_lines(swapped, "%21, %22, %20"), 7);
}

#[test]
fn what_is_known_again_is_read_where_it_is() {
    let lines = "  %28: f64[?] = with_shape %2 message=\"\"\n  %20: f64[?] = concatenate %28, %2 axis=0\n  \
                 %21: f64[8] = with_shape %20 message=\"no\"\n  \
                 %22: f64[8] = for %10, %15, %11, %21 body(%23: i64[], %24: f64[8]) {\n    \
                 %25: f64[8] = add %24, %21\n    yield %25\n  }\n  %26: f64[?] = concatenate %20, %2 axis=0";
    assert_eq!(try_lines(lines, "%21, %22, %26, %20"), 7);
}

#[test]
fn functions_take_and_give_them() {
    let text = "function f(%0: f64[?], %1: i64[]) {\n  %2: f64[?], %3: i64[] = call %0, %1 callee=0\n  \
                return %2, %3, %0\n}\n\
                function g(%0: f64[?], %1: i64[]) {\n  %2: i64[] = constant 0\n  %3: bool[] = le %1, %2\n  \
                %4: f64[?], %5: i64[] = if %3 then {\n    %6: i64[] = size %0 axis=0\n    yield %0, %6\n  } else {\n    \
                %7: i64[] = constant 1\n    %8: i64[] = sub %1, %7\n    %9: f64[?] = concatenate %0, %0 axis=0\n    \
                %10: f64[?], %11: i64[] = call %9, %8 callee=0\n    yield %10, %11\n  }\n  return %4, %5\n}\n";
    let function = read(text).unwrap();
    verify(&function).unwrap_or_else(|errors| panic!("{errors:?}"));
    for depth in 0..6 {
        let input = Random(3).tame(DType::F64, &[3]);
        check(&function, &[input, super::scalar_i64(depth)]).unwrap();
        assert_eq!(crate::lists::LIVE_BYTES.get(), 0);
    }
}

#[test]
fn masks_of_other_sizes_fail_as_indices_do() {
    let case = |ty: &str, array: &str| {
        let lines = format!("  %20: i64[?] = nonzero %3\n  %21: {ty} = gather {array}, %20 axis=0");
        try_lines(&lines, "%21")
    };
    assert_eq!(case("f64[?]", "%0"), 7);
    assert_eq!(case("f64[?]", "%2"), 6);
    assert!((2..7).contains(&case("f64[?, ?]", "%1")));
}
