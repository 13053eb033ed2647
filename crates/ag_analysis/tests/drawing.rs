//! The drawing of a graph, as exact text: see `tests/analysis/drawing`.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;

use ag_analysis::{Scopes, Variables, draw_control_flow};
use ag_syntax::parse_module;
use ag_syntax::tree::StmtKind;

#[test]
fn drawings_are_as_recorded() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/analysis/drawing");
    for name in ["loops", "exceptions"] {
        let source = fs::read_to_string(folder.join(format!("{name}.py"))).unwrap();
        let expected = fs::read_to_string(folder.join(format!("{name}.mmd"))).unwrap();
        let module = parse_module(&source).unwrap();
        let scopes = Scopes::of(&module.body);
        let StmtKind::FunctionDef(def) = &module.body[0].kind else { panic!("a function") };
        let variables = Variables::of(&scopes, scopes.of_node(module.body[0].id).unwrap());
        let drawn = draw_control_flow(&def.body, &scopes, &variables, &source);
        assert_eq!(drawn, expected, "{name}:\n{drawn}");
    }
}
