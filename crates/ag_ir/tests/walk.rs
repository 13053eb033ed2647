//! Walking a graph: functions, blocks in the order of the text, and what a node says of itself.

#![allow(clippy::unwrap_used)]

use ag_ir::{Attribute, Constant, DType, node_text, read, value_text, walk};

const TEXT: &str = "version 1
function f(%0.x: f64[?], %1: bool[]) {
  %4: f64[?] = if %1 then {
    %2: f64[?] = call %0.x callee=0
    yield %2
  } else {
    %3: f64[?] = callback %0.x site=1 loc(a.py:3:4-3:9 in f)
    yield %3
  }
  print %4 site=0
  return %4
}
function g(%0: f64[?]) {
  return %0
}
site 0 \"print({0})\"
site 1 \"measured({0})\"
";

#[test]
fn all_of_a_graph_is_there() {
    let graph = read(TEXT).unwrap();
    assert_eq!(
        walk::functions(&graph).map(|function| function.name.as_ref()).collect::<Vec<_>>(),
        ["f", "g"]
    );
    let blocks = walk::blocks(&graph);
    let names: Vec<Option<&str>> = blocks
        .iter()
        .map(|inside| inside.region_of.map(|(node, number)| node.op.region_names()[number]))
        .collect();
    assert_eq!(names, [None, Some("then"), Some("else")]);
    let callback = &blocks[2].block.nodes[0];
    assert!(callback.is_callback() && !blocks[1].block.nodes[0].is_callback());
    assert_eq!((callback.site(), callback.says(&graph)), (Some(1), Some("measured({0})")));
    assert_eq!(callback.span(&graph).unwrap().line, 3);
    assert_eq!(callback.op.operand_names().name(0), Some("values"));
    assert_eq!(node_text(&graph, callback), "%3: f64[?] = callback %0.x site=1");
    assert_eq!(value_text(&graph, graph.body.params[0]), "%0.x: f64[?]");
    let call = blocks[1].block.nodes[0].op.attributes();
    assert_eq!((call[0].name, call[0].value), ("callee", Attribute::Number(0)));
    assert_eq!(graph.to_string(), TEXT);
}

#[test]
fn elements_are_little_endian_outside() {
    let bytes = 258_i64.to_ne_bytes();
    let constant = Constant { dtype: DType::I64, sizes: vec![], bytes: bytes.into() };
    assert_eq!(constant.little_endian(), [2, 1, 0, 0, 0, 0, 0, 0]);
}
