//! Sizes that only the run knows: what ops give and infer, their failures in NumPy's words, their text.

#![allow(clippy::unwrap_used)]

use ag_ir::{Array, DType, Failure, Function, Host, HostError, RunError, interpret, read, verify};

struct Silent;

impl Host for Silent {
    fn print(&mut self, _: u32, _: &[Array]) -> Result<(), HostError> {
        Ok(())
    }
}

/// A graph of `%0: f64[?]`, `%1: f64[?, ?]`, `%2: f64[4]`, `%3: bool[?]`, and of the numbers `%10`, `%11`,
/// … which are 0, 1, …; `%19` is -1.
fn graph(lines: &str, results: &str) -> Function {
    let mut text = "function f(%0: f64[?], %1: f64[?, ?], %2: f64[4], %3: bool[?]) {\n".to_owned();
    for number in 10..20 {
        let value = if number == 19 { -1 } else { number - 10 };
        text += &format!("  %{number}: i64[] = constant {value}\n");
    }
    text += &format!("{lines}\n  return {results}\n}}\n");
    let function = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read(&function.to_string()).unwrap(), function);
    function
}

/// What it gives for `%0 = [0, 1, 2]`, `%1 = [[0, 1, 2], [3, 4, 5]]`, `%2 = [0, 1, 2, 3]` and
/// `%3 = [false, true, true]`.
fn run(lines: &str, results: &str) -> Result<Vec<Array>, RunError> {
    let function = graph(lines, results);
    verify(&function).unwrap_or_else(|errors| panic!("{errors:?}\n{lines}"));
    let flags = Array { dtype: DType::Bool, sizes: vec![3], bytes: vec![0, 1, 1] };
    interpret(&function, &[floats(&[3]), floats(&[2, 3]), floats(&[4]), flags], &mut Silent)
}

/// 0, 1, 2, … in these sizes.
fn floats(sizes: &[usize]) -> Array {
    let count: usize = sizes.iter().product();
    let bytes = (0..count).flat_map(|number| (number as f64).to_ne_bytes()).collect();
    Array { dtype: DType::F64, sizes: sizes.to_vec(), bytes }
}

fn numbers(array: &Array) -> Vec<f64> {
    let words = array.bytes.as_chunks::<8>().0.iter();
    match array.dtype {
        DType::I64 => words.map(|word| i64::from_ne_bytes(*word) as f64).collect(),
        _ => words.map(|word| f64::from_ne_bytes(*word)).collect(),
    }
}

#[test]
fn ops_give_what_numpy_gives() {
    let cases: [(&str, &str, &[usize], &[f64]); 27] = [
        ("f64[?]", "add %0, %0", &[3], &[0., 2., 4.]),
        ("f64[?, ?]", "mul %1, %0", &[2, 3], &[0., 1., 4., 0., 4., 10.]),
        ("f64[?]", "sqrt %0", &[3], &[0., 1., 2_f64.sqrt()]),
        ("f64[]", "sum %0 axes=[0]", &[], &[3.]),
        ("f64[?]", "sum %1 axes=[0]", &[3], &[3., 5., 7.]),
        ("f64[?, 1]", "max %1 axes=[1] keepdims", &[2, 1], &[2., 5.]),
        ("i64[?]", "argmax %1 axis=1", &[2], &[2., 2.]),
        ("i64[?]", "argsort %0 axis=0", &[3], &[0., 1., 2.]),
        ("f64[?]", "cumsum %0 axis=0", &[3], &[0., 1., 3.]),
        ("f64[?, ?]", "transpose %1 axes=[1, 0]", &[3, 2], &[0., 3., 1., 4., 2., 5.]),
        ("f64[]", "gather %0, %19 axis=0", &[], &[2.]),
        ("f64[?]", "gather %1, %11 axis=0", &[3], &[3., 4., 5.]),
        ("f64[?]", "concatenate %0, %2 axis=0", &[7], &[0., 1., 2., 0., 1., 2., 3.]),
        ("f64[?]", "dot %1, %0 left_contract=[1] right_contract=[0]", &[2], &[5., 14.]),
        ("f64[?]", "broadcast %11, %13", &[3], &[1.; 3]),
        ("f64[?, 4]", "broadcast %2, %12", &[2, 4], &[0., 1., 2., 3., 0., 1., 2., 3.]),
        ("f64[6]", "reshape %1", &[6], &[0., 1., 2., 3., 4., 5.]),
        ("f64[?]", "reshape %1, %19", &[6], &[0., 1., 2., 3., 4., 5.]),
        ("f64[?, 2]", "reshape %1, %19", &[3, 2], &[0., 1., 2., 3., 4., 5.]),
        ("i64[]", "size %1 axis=1", &[], &[3.]),
        ("f64[?]", "iota_to %13", &[3], &[0., 1., 2.]),
        ("i64[?]", "iota_to %19", &[0], &[]),
        ("f64[?]", "slice_range %0, %11, %13, %11 axis=0", &[2], &[1., 2.]),
        ("f64[?]", "slice_range %0, %12, %19, %19 axis=0", &[3], &[2., 1., 0.]),
        ("f64[?, ?]", "slice_range %1, %10, %13, %12 axis=1", &[2, 2], &[0., 2., 3., 5.]),
        ("f64[3]", "with_shape %0 message=\"\"", &[3], &[0., 1., 2.]),
        ("f64[?]", "with_shape %2 message=\"\"", &[4], &[0., 1., 2., 3.]),
    ];
    for (ty, op, sizes, expected) in cases {
        let lines = if op.starts_with("broadcast %11") {
            format!("  %29: f64[] = cast %11\n  %20: {ty} = {}", op.replace("%11", "%29"))
        } else {
            format!("  %20: {ty} = {op}")
        };
        let results = run(&lines, "%20").unwrap_or_else(|error| panic!("{op}: {:?}", error.failure));
        assert_eq!((results[0].sizes.as_slice(), numbers(&results[0])), (sizes, expected.to_vec()), "{op}");
    }
}

#[test]
fn an_axis_of_unknown_size_is_taken_as_a_whole() {
    let lines = "  %20: f64[?, 3] = with_shape %1 message=\"\"\n  \
                 %21: f64[?, 1] = slice %20 start=[0, 2] size=[?, 1] step=[1, 1]\n  \
                 %22: f64[?, 3] = dynamic_update_slice %20, %21, %10 axis=1\n  \
                 %23: f64[?, 2] = dynamic_slice %20, %11 axis=1 size=2";
    let results = run(lines, "%21, %22, %23").unwrap();
    assert_eq!(numbers(&results[0]), [2., 5.]);
    assert_eq!(numbers(&results[1]), [2., 1., 2., 5., 4., 5.]);
    assert_eq!(numbers(&results[2]), [1., 2., 4., 5.]);
}

#[test]
fn true_elements_are_found_in_order() {
    let lines = "  %20: f64[] = constant 2.0\n  %21: bool[?, ?] = ge %1, %20\n  \
                 %22: i64[?], %23: i64[?] = nonzero %21\n  %24: i64[?] = nonzero %3\n  \
                 %25: f64[?] = gather %1, %22, %23 axis=0";
    let results = run(lines, "%22, %23, %24, %25").unwrap();
    assert_eq!(numbers(&results[0]), [0., 1., 1., 1.]);
    assert_eq!(numbers(&results[1]), [2., 0., 1., 2.]);
    assert_eq!(numbers(&results[2]), [1., 2.]);
    assert_eq!(numbers(&results[3]), [2., 3., 4., 5.]);
}

#[test]
fn a_list_becomes_an_array_of_as_many_rows() {
    let lines = "  %20: list<f64[]> = list_unstack %0\n  %21: f64[] = constant 9.0\n  \
                 %22: list<f64[]> = list_append %20, %21\n  %23: f64[?] = list_stack %22";
    assert_eq!(numbers(&run(lines, "%23").unwrap()[0]), [0., 1., 2., 9.]);
}

#[test]
fn arrays_of_unknown_size_are_carried_round_loops() {
    let lines = "  %20: f64[1] = constant [7.0]\n  \
                 %21: f64[?] = for %10, %13, %11, %0 body(%22: i64[], %23: f64[?]) {\n    \
                 %24: f64[?] = concatenate %23, %20 axis=0\n    yield %24\n  }";
    assert_eq!(numbers(&run(lines, "%21").unwrap()[0]), [0., 1., 2., 7., 7., 7.]);
}

#[test]
fn failures_have_numpys_words() {
    let cases = [
        ("f64[4]", "add %0, %2", "operands could not be broadcast together with shapes (3,) (4,) "),
        (
            "f64[4]",
            "broadcast %0",
            "operands could not be broadcast together with remapped shapes [original->remapped]: (3,)  and \
             requested shape (4,)",
        ),
        ("f64[?, 4]", "broadcast %2, %19", "negative dimensions are not allowed"),
        ("f64[2, 2]", "reshape %0", "cannot reshape array of size 3 into shape (2,2)"),
        ("f64[?, 2]", "reshape %0, %19", "cannot reshape array of size 3 into shape (2)"),
        ("f64[2, ?]", "reshape %0, %19", "cannot reshape array of size 3 into shape (2,newaxis)"),
        ("f64[?, ?]", "reshape %0, %19, %19", "can only specify one unknown dimension"),
        (
            "f64[?, ?]",
            "concatenate %1, %21 axis=0",
            "all the input array dimensions except for the concatenation axis must match exactly, but along \
             dimension 1, the array at index 0 has size 3 and the array at index 1 has size 2",
        ),
        (
            "f64[?]",
            "dot %1, %2 left_contract=[1] right_contract=[0]",
            "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature \
             (n?,k),(k,m?)->(n?,m?) (size 4 is different from 3)",
        ),
        ("f64[]", "max %22 axes=[0]", "zero-size array to reduction operation maximum which has no identity"),
        ("i64[]", "argmin %22 axis=0", "attempt to get argmin of an empty sequence"),
        ("f64[?]", "slice_range %0, %10, %11, %10 axis=0", "slice step cannot be zero"),
        ("f64[2]", "with_shape %0 message=\"too many values\"", "too many values"),
        ("f64[?]", "random_normal %10, %11, %19", "negative dimensions are not allowed"),
        ("f64[?]", "cholesky %1", "Last 2 dimensions of the array must be square"),
        ("f64[?]", "complex_eigh %1", "Last 2 dimensions of the array must be square"),
        ("f64[?]", "complex_qr %1", "a complex matrix has two rows and two columns for each element"),
        (
            "f64[?]",
            "gather %1, %23, %24 axis=0",
            "shape mismatch: indexing arrays could not be broadcast together with shapes (3,) (2,) ",
        ),
        (
            "f64[?]",
            "scatter %0, %2, %23 axis=0",
            "shape mismatch: value array of shape (4,) could not be broadcast to indexing result of shape (3,)",
        ),
    ];
    let before = "  %21: f64[?, ?] = transpose %1 axes=[1, 0]\n  \
                  %22: f64[?] = slice_range %0, %10, %10, %11 axis=0\n  \
                  %23: i64[?] = iota_to %13\n  %24: i64[?] = iota_to %12";
    for (ty, op, expected) in cases {
        let lines = format!("{before}\n  %20: {ty} = {op}");
        let function = graph(&lines, "%20");
        assert!(function.body.nodes.last().unwrap().may_fail(&function), "{op}");
        let error = run(&lines, "%20").unwrap_err();
        let Failure::Check { error, message, .. } = error.failure else {
            panic!("{op}: {:?}", error.failure)
        };
        assert_eq!(&*message, expected, "{op}");
        assert_eq!(&*error, if op.starts_with("gather") { "IndexError" } else { "ValueError" });
    }
}

#[test]
fn a_node_that_may_not_fit_is_not_pure() {
    let cases = [
        ("f64[?]", "add %0, %0", true),
        ("f64[4]", "add %0, %2", false),
        ("f64[?, ?]", "add %0, %1", false),
        ("f64[?]", "sum %0 axes=[0]", true),
        ("f64[]", "max %0 axes=[0]", false),
        ("f64[?]", "with_shape %2 message=\"\"", true),
        ("f64[4]", "with_shape %0 message=\"\"", false),
        ("f64[?]", "concatenate %0, %2 axis=0", true),
        ("f64[?, ?]", "concatenate %1, %1 axis=0", true),
        ("i64[?]", "iota_to %10", true),
        ("f64[3]", "random_normal %10, %11", true),
        ("f64[?]", "random_normal %10, %11, %12", false),
        ("f64[?]", "qr %1", true),
        ("f64[?]", "cholesky %1", false),
        ("f64[?]", "complex_qr %1", false),
    ];
    for (ty, op, is_pure) in cases {
        let function = graph(&format!("  %20: {ty} = {op}"), "%20");
        assert_eq!(function.body.nodes.last().unwrap().is_pure(&function), is_pure, "{op}");
    }
}

#[test]
fn what_cannot_fit_is_refused_when_it_is_made() {
    let cases = [
        ("f64[?, ?]", "broadcast %2, %10"),
        ("f64[?]", "slice %0 start=[1] size=[?] step=[1]"),
        ("f64[2]", "slice %0 start=[0] size=[2] step=[1]"),
        ("f64[3]", "with_shape %2 message=\"\""),
        ("i64[?]", "nonzero %0"),
        ("list<f64[?]>", "list_make %0"),
        ("list<f64[?]>", "list_unstack %1"),
        ("f64[4]", "update_slice %2, %0 start=[0] step=[1]"),
    ];
    for (ty, op) in cases {
        assert!(verify(&graph(&format!("  %20: {ty} = {op}"), "%20")).is_err(), "{op}");
    }
}

#[test]
fn a_complex_matrix_has_two_rows_for_each_of_its_own() {
    let of = |rows: usize, length: usize| {
        let before = format!("  %21: f64[{rows}, 4] = broadcast %2");
        graph(&format!("{before}\n  %20: f64[{length}] = complex_qr %21"), "%20")
    };
    assert!(verify(&of(2, 12)).is_ok());
    let errors = verify(&of(3, 21)).unwrap_err();
    let said = "a complex matrix has two rows and two columns for each element";
    assert!(format!("{errors:?}").contains(said), "{errors:?}");
}
