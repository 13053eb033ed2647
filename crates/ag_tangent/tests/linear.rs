//! The work of making a derivative grows as the function does: twice the statements, twice the allocations.
//!
//! Time would say it too, but not in a test. What is looked for again in each statement allocates, as sets of names do.
#![allow(clippy::unwrap_used)]

#[path = "../../ag_engine/tests/counting/mod.rs"]
mod counting;

use std::fmt::Write;
use std::sync::Arc;

use ag_errors::Span;
use ag_syntax::tree::{BinaryOp, FunctionDef, Name, StmtKind, UnaryOp};
use ag_syntax::{FunctionQuery, find_function, parse_module};
use ag_tangent::{
    Callee, Function, Given, Motion, Options, Parameters, PatternNames, Resolver, Rule, SplitNames,
    UserFunction, Writes, forward, reverse,
};

/// A template: the one function of a text.
fn template(text: &str) -> FunctionDef {
    match parse_module(text).unwrap().body.into_iter().next().unwrap().kind {
        StmtKind::FunctionDef(def) => *def,
        _ => panic!("no function: {text}"),
    }
}

/// A function of the user's.
fn halved() -> UserFunction {
    let parameters = Parameters { names: vec!["v".to_owned()], positional: 1, ..Parameters::default() };
    UserFunction { name: "halved".to_owned(), parameters: Some(parameters), ..UserFunction::default() }
}

/// Knows sums, products and sines.
struct Few {
    sum: Callee,
    product: Callee,
    sine: Callee,
}

impl Few {
    fn new() -> Self {
        let callee = |adjoint: &str, tangent: &str| {
            let rule = |text: &str| {
                let template = template(text);
                Some(Arc::new(Rule {
                    template,
                    is_elementwise: true,
                    is_view: false,
                    forms: Vec::new(),
                    has_variants: false,
                }))
            };
            Callee::Primitive { adjoint: rule(adjoint), tangent: rule(tangent) }
        };
        Self {
            sum: callee(
                "def add(z, x, y):\n    d[x] = d[z]\n    d[y] = d[z]\n",
                "def add(z, x, y):\n    d[z] = d[x] + d[y]\n",
            ),
            product: callee(
                "def mul(z, x, y):\n    d[x] = d[z] * y\n    d[y] = d[z] * x\n",
                "def mul(z, x, y):\n    d[z] = d[x] * y + x * d[y]\n",
            ),
            sine: callee(
                "def sin(z, x):\n    d[x] = d[z] * np.cos(x)\n",
                "def sin(z, x):\n    d[z] = d[x] * np.cos(x)\n",
            ),
        }
    }
}

impl Resolver for Few {
    fn named(&self, dotted: &str) -> Callee {
        match dotted {
            "np.sin" => self.sine.clone(),
            "halved" => Callee::Function(halved()),
            _ => Callee::NonDifferentiable,
        }
    }
    fn binary(&self, op: BinaryOp) -> Callee {
        if op == BinaryOp::Add { self.sum.clone() } else { self.product.clone() }
    }
    fn unary(&self, _: UnaryOp) -> Callee {
        Callee::NonDifferentiable
    }
    fn member(&self, _: &str) -> Callee {
        Callee::NonDifferentiable
    }
    fn variant(&self, _: &Arc<Rule>, _: &[(Name, String)]) -> Option<Arc<Rule>> {
        None
    }
    fn reads_form_only(&self, _: &str, _: usize) -> bool {
        false
    }
    fn attribute(&self, _: &str, _: &str) -> Callee {
        Callee::NonDifferentiable
    }
    fn behind(&self, _: &str, _: &str, _: &str) -> Option<String> {
        None
    }
    fn held(&self, _: &str) -> String {
        String::new()
    }

    fn view_of(&self, _: &UserFunction) -> Option<(Vec<String>, String)> {
        None
    }

    fn class_name(&self, path: &str) -> String {
        path.to_owned()
    }
    fn nested(&self, _: usize, name: &str, _: Span, _: u32) -> UserFunction {
        UserFunction { name: name.to_owned(), ..UserFunction::default() }
    }
    fn specialised(&self, _: &UserFunction, _: &[Given]) -> Option<(UserFunction, Vec<Vec<String>>)> {
        None
    }
    fn changes_when_repeated(&self, _: &str) -> Option<String> {
        None
    }
    fn iterates(&self, _: &str) -> bool {
        false
    }
    fn method_changes_when_repeated(&self, _: &str) -> Option<String> {
        None
    }
    fn split_names(&self, function: &UserFunction, _: &[Name]) -> SplitNames {
        let [forward, backward] = ["forward", "backward"].map(|half| format!("{}_{half}", function.name));
        SplitNames { forward, backward }
    }
    fn writes(&self, _: &UserFunction) -> Writes {
        Writes::default()
    }
    fn pattern_names(&self, _: &str) -> Option<PatternNames> {
        None
    }
    fn tangent_name(&self, function: &UserFunction, _: &[Name]) -> String {
        format!("d{}", function.name)
    }
}

/// Allocations of the derivative of a function with this body, in reverse or in forward mode.
fn allocated(body: &str, is_forward: bool) -> usize {
    let source = format!("def f(x, n):\n{body}    return x\n");
    let module = parse_module(&source).unwrap();
    let query = FunctionQuery {
        name: "f",
        qualname: "f",
        first_line: 1,
        lambda_position: None,
        parameters: &["x", "n"],
    };
    let located = find_function(&module, &source, &query).unwrap();
    let function = Function { module: &module, source: &source, located };
    let options = Options {
        wrt: vec!["x".to_owned()],
        motion: Motion::Joint("df".to_owned()),
        preserve_result: false,
        value_first: false,
        check_dims: false,
        optimized: true,
        has_default_seed: true,
        is_seed_fixed: false,
        is_callee: false,
        is_again: false,
        may_write: false,
        looks_for_writes: false,
        writes: None,
        levels: Vec::new(),
    };
    let (resolver, write) = (Few::new(), if is_forward { forward } else { reverse });
    let before = counting::allocations();
    let generated =
        write(&function, &resolver, &options).unwrap_or_else(|error| panic!("{error:?}\n{source}"));
    assert!(generated[0].text.len() > body.len());
    counting::allocations() - before
}

/// Bodies of so many groups of statements.
fn bodies(count: usize) -> Vec<(&'static str, String)> {
    let joined = |group: &dyn Fn(usize) -> String| (0..count).map(group).collect::<String>();
    let before = |group: usize| if group == 0 { "x".to_owned() } else { format!("v{}", group - 1) };
    let last = format!("    x = v{}\n", count - 1);
    let chain = |group| format!("    v{group} = np.sin({}) + {group}.0\n", before(group));
    let branch =
        |group| format!("    if n > {group}:\n        x = np.sin(x)\n    else:\n        x = x * 2.0\n");
    let new_in_branches = |group| {
        let from = before(group);
        format!(
            "    if n > {group}:\n        v{group} = np.sin({from})\n    else:\n        v{group} = {from} * 2.0\n"
        )
    };
    let looped = |group| format!("    for i{group} in range(n):\n        x = np.sin(x) * x\n");
    let new_in_loops = |group| {
        let from = before(group);
        format!(
            "    v{group} = {from} * 2.0\n    for i{group} in range(n):\n        v{group} = np.sin(v{group}) * v{group}\n"
        )
    };
    let branch_of_loop = |group| {
        format!(
            "        if n > {group}:\n            x = np.sin(x)\n        else:\n            x = x * 2.0\n"
        )
    };
    let loop_of_branch =
        |group| format!("    if n > {group}:\n        for i in range(n):\n            x = np.sin(x)\n");
    let jump = |group| {
        let head = format!("    for i{group} in range(n):\n        v{group} = np.sin(x)\n");
        format!(
            "{head}        if n > {group}:\n            x = x * 2.0\n            continue\n        x = v{group} * x\n"
        )
    };
    let tried =
        |group| format!("    try:\n        x = np.sin(x)\n    finally:\n        m{group} = {group}\n");
    let written = |group| format!("    a[{group}] = x\n    x = a[{group}] * x\n");
    let unpacked = |group| format!("    p{group} = (x, x * 2.0)\n    x = p{group}[0] * p{group}[1]\n");
    vec![
        ("a chain", joined(&chain) + &last),
        ("one variable", joined(&|_| "    x = np.sin(x) * x\n".to_owned())),
        ("branches", joined(&branch)),
        ("branches that bind", joined(&new_in_branches) + &last),
        ("loops", joined(&looped)),
        ("loops over variables of their own", joined(&new_in_loops) + &last),
        ("branches in a loop", "    for i in range(n):\n".to_owned() + &joined(&branch_of_loop)),
        ("loops in branches", joined(&loop_of_branch)),
        ("jumps", joined(&jump)),
        (
            "a long `try`",
            "    try:\n".to_owned()
                + &joined(&|_| "        x = np.sin(x)\n".to_owned())
                + "    finally:\n        m = 1\n",
        ),
        ("many of `try`", joined(&tried)),
        ("calls", joined(&|_| "    x = halved(x) * x\n".to_owned())),
        ("writes", "    a = [x, x]\n".to_owned() + &joined(&written)),
        ("tuples", joined(&unpacked)),
    ]
}

/// Statements of so many, each of which stands in the one before.
fn nests(depth: usize) -> [(&'static str, String); 2] {
    let nest = |head: &dyn Fn(usize) -> String| {
        let mut body = String::new();
        for level in 0..depth {
            let before = if level == 0 { "x".to_owned() } else { format!("v{}", level - 1) };
            let indent = "    ".repeat(level + 1);
            writeln!(body, "{indent}{}\n{indent}    v{level} = np.sin({before}) * x", head(level)).unwrap();
        }
        body + &format!("{}x = v{} * x\n", "    ".repeat(depth + 1), depth - 1)
    };
    [
        ("branches", nest(&|level| format!("if n > {level}:"))),
        ("loops", nest(&|level| format!("for i{level} in range(n):"))),
    ]
}

#[test]
fn twice_the_statements_are_twice_the_work() {
    for is_forward in [false, true] {
        for ((name, half), (_, whole)) in bodies(100).into_iter().zip(bodies(200)) {
            let [half, whole] = [half, whole].map(|body| allocated(&body, is_forward));
            let ratio = whole as f64 / half as f64;
            assert!(ratio < 2.2, "{name}, forward {is_forward}: {half} allocations, then {whole}");
        }
    }
}

/// What stands in a level is gone through once for each level around it, and not twice.
#[test]
fn twice_the_depth_is_not_the_square_of_the_work() {
    for is_forward in [false, true] {
        for ((name, half), (_, whole)) in nests(9).into_iter().zip(nests(18)) {
            let [half, whole] = [half, whole].map(|body| allocated(&body, is_forward));
            let ratio = whole as f64 / half as f64;
            assert!(ratio < 5.0, "{name}, forward {is_forward}: {half} allocations, then {whole}");
        }
        let [(_, fifty), _] = nests(50);
        assert!(allocated(&fifty, is_forward) < 500_000);
    }
}
