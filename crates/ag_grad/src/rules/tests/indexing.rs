//! Reading and writing parts of arrays.

use super::{Array, adjoints, array, check, check_order, count, drawn, integers, node_of, program, reverse};

fn scalar(index: i64) -> (&'static str, Array) {
    ("i64[]", integers(&[], &[index]))
}

#[test]
pub(super) fn slices() {
    let x = || ("f64[4, 5]", drawn(&[4, 5], 1));
    check(&[x()], "f64[2, 3] = slice %0 start=[3, 0] size=[2, 3] step=[-2, 2]");
    check(&[x()], "f64[0, 5] = slice %0 start=[0, 0] size=[0, 5] step=[1, 1]");
    check(&[("f64[?, 5]", drawn(&[4, 5], 1))], "f64[?, 3] = slice %0 start=[0, 4] size=[?, 3] step=[1, -2]");
    check(
        &[("f64[4, ?, 5]", drawn(&[4, 2, 5], 1))],
        "f64[2, ?, 2] = slice %0 start=[1, 0, 3] size=[2, ?, 2] step=[2, 1, -3]",
    );
    for x in [x(), ("f64[?, 5]", drawn(&[4, 5], 1))] {
        check(&[x.clone(), scalar(1)], "f64[2, 5] = dynamic_slice %0, %1 axis=0 size=2");
        check(
            &[x.clone(), scalar(3), scalar(-1), scalar(-2)],
            "f64[?, 5] = slice_range %0, %1, %2, %3 axis=0",
        );
        check(&[x, scalar(2), scalar(2), scalar(1)], "f64[?, 5] = slice_range %0, %1, %2, %3 axis=0");
    }
}

#[test]
pub(super) fn gathers() {
    let x = || ("f64[4, 3, 2]", drawn(&[4, 3, 2], 1));
    let open = || ("f64[?, 3, ?]", drawn(&[4, 3, 2], 1));
    let picks = || ("i64[3]", integers(&[3], &[1, -1, 1]));
    check(&[x(), picks()], "f64[3, 3, 2] = gather %0, %1 axis=0");
    check(&[open(), picks()], "f64[3, 3, ?] = gather %0, %1 axis=0");
    check(&[x(), scalar(-2)], "f64[3, 2] = gather %0, %1 axis=0");
    check(&[x(), scalar(1), scalar(1), scalar(0)], "f64[] = gather %0, %1, %2, %3 axis=0");
    check(
        &[x(), picks(), ("i64[2, 1]", integers(&[2, 1], &[0, 1]))],
        "f64[4, 2, 3] = gather %0, %1, %2 axis=1",
    );
    check(&[x(), ("i64[?]", integers(&[3], &[1, 1, 0]))], "f64[4, 3, ?] = gather %0, %1 axis=2");
}

/// One element read costs one element written, however large the array.
#[test]
fn an_adjoint_is_added_to_in_place() {
    let text = "function f(%0: f64[9], %1: i64[]) { %2: f64[] = gather %0, %1 axis=0 %3: f64[2] = slice %0 start=[3] \
                size=[2] step=[1] %4: f64[2] = dynamic_slice %0, %1 axis=0 size=2 %5: f64[] = gather %0, %1 axis=0 \
                return %2, %3, %4, %5 }";
    let function = reverse(&program(text)).unwrap();
    let zeros = function.body.nodes.iter().filter(|node| node.op.name() == "broadcast").count();
    assert_eq!(zeros, 1, "{function}");
    // Nothing is added but what was read.
    let large = |node: &&ag_ir::Node| function.ty(node.results[0]).to_string() == "f64[9]";
    let adds = function.body.nodes.iter().filter(|node| node.op.name() == "add").filter(large).count();
    assert_eq!(adds, 0, "{function}");
    check_order(&program(text), &[drawn(&[9], 1), integers(&[], &[4])], 2);
}

#[test]
pub(super) fn updates() {
    let (x, v) = (("f64[4, 5]", drawn(&[4, 5], 1)), ("f64[2, 3]", drawn(&[2, 3], 2)));
    check(&[x.clone(), v], "f64[4, 5] = update_slice %0, %1 start=[3, 0] step=[-2, 2]");
    let v = ("f64[2, 5]", drawn(&[2, 5], 2));
    check(&[x.clone(), v.clone(), scalar(1)], "f64[4, 5] = dynamic_update_slice %0, %1, %2 axis=0");
    let open = ("f64[?, 5]", drawn(&[2, 5], 2));
    check(&[x.clone(), open.clone(), scalar(2)], "f64[4, 5] = dynamic_update_slice %0, %1, %2 axis=0");
    check(&[("f64[?, 5]", x.1), open, scalar(2)], "f64[?, 5] = dynamic_update_slice %0, %1, %2 axis=0");
}

/// Of what is written, or of what it is written to, only one has a tangent.
#[test]
fn updates_of_and_by_constants() {
    for node in [
        "update_slice %3, %4 start=[1] step=[2]",
        "dynamic_update_slice %3, %4, %2 axis=0",
        "scatter %3, %4, %5 axis=0",
        "scatter_add %3, %4, %5 axis=0",
    ] {
        for (array_of, part_of) in
            [("sin %0", "constant [1.0, 2.0]"), ("constant [1.0, 2.0, 3.0, 4.0]", "sin %1")]
        {
            let text = format!(
                "function f(%0: f64[4], %1: f64[2], %2: i64[]) {{ %3: f64[4] = {array_of} %4: f64[2] = {part_of} \
                 %5: i64[2] = constant [2, 2] %6: f64[4] = {node} return %6 }}"
            );
            check_order(&program(&text), &[drawn(&[4], 1), drawn(&[2], 2), integers(&[], &[1])], 2);
        }
    }
}

#[test]
pub(super) fn scatters() {
    let x = || ("f64[4, 3]", drawn(&[4, 3], 1));
    let picks = || ("i64[3]", integers(&[3], &[1, -1, 1]));
    for op in ["scatter", "scatter_add"] {
        check(
            &[x(), ("f64[3, 3]", drawn(&[3, 3], 2)), picks()],
            &format!("f64[4, 3] = {op} %0, %1, %2 axis=0"),
        );
        check(&[x(), ("f64[]", drawn(&[], 2)), picks()], &format!("f64[4, 3] = {op} %0, %1, %2 axis=0"));
        check(
            &[x(), ("f64[3, 1]", drawn(&[3, 1], 2)), picks()],
            &format!("f64[4, 3] = {op} %0, %1, %2 axis=0"),
        );
        check(&[x(), ("f64[3]", drawn(&[3], 2)), scalar(2)], &format!("f64[4, 3] = {op} %0, %1, %2 axis=0"));
        check(
            &[x(), ("f64[3]", drawn(&[3], 2)), picks(), ("i64[3]", integers(&[3], &[2, 0, 2]))],
            &format!("f64[4, 3] = {op} %0, %1, %2, %3 axis=0"),
        );
        check(
            &[x(), ("f64[4, 2]", drawn(&[4, 2], 2)), ("i64[2]", integers(&[2], &[0, 0]))],
            &format!("f64[4, 3] = {op} %0, %1, %2 axis=1"),
        );
        check(
            &[
                ("f64[?, ?]", drawn(&[4, 3], 1)),
                ("f64[?, 3]", drawn(&[1, 3], 2)),
                ("i64[?]", integers(&[3], &[1, -1, 1])),
            ],
            &format!("f64[?, ?] = {op} %0, %1, %2 axis=0"),
        );
    }
}

#[test]
fn what_was_written_over_does_not_count() {
    let inputs = [
        ("f64[2]", array(&[2], &[1.0, 2.0])),
        ("f64[3]", array(&[3], &[3.0, 4.0, 5.0])),
        ("i64[3]", integers(&[3], &[1, -1, 0])),
    ];
    let found = adjoints(&inputs, "f64[2] = scatter %0, %1, %2 axis=0", array(&[2], &[10.0, 20.0]));
    assert_eq!(found, [vec![0.0, 0.0], vec![0.0, 20.0, 10.0]]);
    // One place cannot be written over.
    let one = node_of(
        &[inputs[0].clone(), ("f64[]", array(&[], &[3.0])), scalar(1)],
        "f64[2] = scatter %0, %1, %2 axis=0",
    );
    assert_eq!(count(&reverse(&one).unwrap(), "scatter"), 2);
}

/// What may fail says where it comes from.
#[test]
fn nodes_have_the_location_of_their_program() {
    let text = "function f(%0: f64[4], %1: i64[]) { %2: f64[] = gather %0, %1 axis=0 loc(f.py:3:4-3:9 in f) return %2 }";
    for function in [super::forward(&program(text)).unwrap(), reverse(&program(text)).unwrap()] {
        let emitted = &function.body.nodes[1..];
        let may_fail = emitted.iter().filter(|node| node.may_fail(&function));
        assert_eq!(may_fail.map(|node| node.location).collect::<Vec<_>>(), [Some(ag_ir::LocationId(0))]);
    }
}
