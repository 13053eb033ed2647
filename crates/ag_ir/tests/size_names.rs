//! Sizes that only the run knows have names: what is of one name is equal, and what should be is of one name.

#![allow(clippy::unwrap_used)]

mod random_function;

use ag_ir::{
    Array, Block, Function, Host, HostError, Node, Op, SizeNames, ValueId, interpret, read, size_names,
    verify,
};
use random_function::random_function;

/// The names of the sizes of values, in the order of their numbers.
fn named(params: &str, lines: &str, values: &[u32]) -> String {
    let function = read(&format!("function f({params}) {{ {lines} return }}")).unwrap();
    verify(&function).unwrap_or_else(|errors| panic!("{errors:?}\n{lines}"));
    let names = size_names(&function);
    let of = |value: &u32| {
        let rank = function.tensor(ValueId(*value)).rank();
        (0..rank)
            .map(|axis| names.name(ValueId(*value), axis).unwrap_or_default())
            .collect::<Vec<_>>()
            .join(" ")
    };
    values.iter().map(of).collect::<Vec<_>>().join(", ")
}

#[test]
fn what_follows_from_the_ops() {
    let cases = [
        ("%2: f64[?] = sin %0", [0, 2], "s0, s0"),
        ("%2: f64[?] = add %0, %0 %3: f64[?] = add %0, %1", [2, 3], "s0, s2"),
        (
            "%2: bool[?] = gt %0, %0 %3: i64[?] = nonzero %2 %4: f64[?] = gather %0, %3 axis=0",
            [3, 4],
            "s2, s2",
        ),
        (
            "%2: i64[] = size %0 axis=0 %3: f64[] = constant 1.0 %4: f64[?] = broadcast %3, %2",
            [0, 4],
            "s0, s0",
        ),
        ("%2: i64[] = size %0 axis=0 %3: i64[?] = iota_to %2 %4: f64[?] = reshape %0, %2", [3, 4], "s0, s0"),
        ("%2: f64[?] = concatenate %0, %1 axis=0 %3: f64[?] = concatenate %1, %0 axis=0", [2, 3], "s2, s2"),
        ("%2: f64[?] = concatenate %0, %0 axis=0 %3: f64[?] = concatenate %1, %0 axis=0", [2, 3], "s2, s3"),
        ("%2: i64[] = constant -1 %3: f64[?] = reshape %0, %2 %4: f64[?] = reshape %1, %2", [3, 4], "s2, s3"),
        (
            "%2: f64[3] = constant [1.0, 2.0, 3.0] %3: f64[?] = with_shape %2 message=\"\" \
          %4: f64[?] = mul %3, %0",
            [3, 4],
            "s2, s2",
        ),
    ];
    for (lines, values, expected) in cases {
        assert_eq!(named("%0: f64[?], %1: f64[?]", lines, &values), expected, "{lines}");
    }
}

#[test]
fn loops_keep_what_their_body_keeps() {
    let bounds = "%2: i64[] = constant 0 %3: i64[] = constant 9 %4: i64[] = constant 1";
    let kept = format!(
        "{bounds} %5: f64[?], %6: f64[?] = for %2, %3, %4, %0, %1 body(%7: i64[], %8: f64[?], %9: f64[?]) {{ \
         %10: f64[?] = sin %8 %11: f64[?] = concatenate %9, %8 axis=0 yield %10, %11 }}"
    );
    let names = named("%0: f64[?], %1: f64[?]", &kept, &[0, 1, 5, 6, 8, 9, 10, 11]);
    assert_eq!(names, "s0, s1, s0, s2, s0, s3, s0, s4");
    let branch = "%2: f64[?] = if %3 then { %4: f64[?] = sin %0 yield %4 } else { yield %0 }";
    assert_eq!(named("%0: f64[?], %1: f64[?], %3: bool[]", branch, &[0, 1, 2]), "s0, s1, s0");
    let other = "%2: f64[?] = if %3 then { yield %0 } else { yield %1 }";
    assert_eq!(named("%0: f64[?], %1: f64[?], %3: bool[]", other, &[0, 1, 2]), "s0, s1, s2");
}

/// The first of the sites that are put in; the random functions have lower ones.
const FIRST: u32 = 1_000_000;

/// Prints all arrays in scope whose sizes only the run knows, wherever there is another one.
fn print_sizes(function: &Function, block: &mut Block, around: &[ValueId], sites: &mut Vec<Vec<ValueId>>) {
    let is_open = |id: &&ValueId| function.ty(**id).has_unknown_sizes();
    let mut in_scope = around.to_vec();
    in_scope.extend(block.params.iter().filter(is_open));
    for mut node in std::mem::take(&mut block.nodes) {
        for region in &mut node.regions {
            print_sizes(function, region, &in_scope, sites);
        }
        let before = in_scope.len();
        in_scope.extend(node.results.iter().filter(is_open));
        block.nodes.push(node);
        if in_scope.len() > before {
            let op = Op::Print { site: FIRST + u32::try_from(sites.len()).unwrap() };
            let operands = in_scope.clone();
            block.nodes.push(Node { op, operands, results: vec![], regions: vec![], location: None });
            sites.push(in_scope.clone());
        }
    }
}

/// Holds what is printed against the names.
struct Comparing<'a> {
    names: &'a SizeNames,
    sites: &'a [Vec<ValueId>],
    wrong: Vec<String>,
    compared: usize,
}

impl Host for Comparing<'_> {
    fn print(&mut self, site: u32, arrays: &[Array]) -> Result<(), HostError> {
        let Some(site) = site.checked_sub(FIRST) else { return Ok(()) };
        let mut known = std::collections::BTreeMap::new();
        for (value, array) in self.sites[site as usize].iter().zip(arrays) {
            for (axis, size) in array.sizes.iter().enumerate() {
                let Some(name) = self.names.name(*value, axis) else { continue };
                match known.get(&name) {
                    Some(other) if other != size => {
                        self.wrong
                            .push(format!("{name} is {other} and, as axis {axis} of %{}, {size}", value.0));
                    }
                    Some(_) => self.compared += 1,
                    None => drop(known.insert(name, *size)),
                }
            }
        }
        Ok(())
    }
}

#[test]
fn sizes_of_one_name_are_equal() {
    let mut compared = 0;
    for seed in 0..1500_u32 {
        let mut state = u64::from(seed) << 32;
        let mut next = || {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            u32::try_from((mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB) >> 32).unwrap_or(0)
        };
        let (mut function, inputs) = random_function((0..500).map(|_| next()).collect());
        let names = size_names(&function);
        let (mut body, mut sites) = (std::mem::take(&mut function.body), Vec::new());
        print_sizes(&function, &mut body, &[], &mut sites);
        function.body = body;
        let mut host = Comparing { names: &names, sites: &sites, wrong: Vec::new(), compared: 0 };
        // A run that fails has printed what it came to.
        let _ = interpret(&function, &inputs, &mut host);
        assert_eq!(host.wrong, Vec::<String>::new(), "seed {seed}\n{function}");
        compared += host.compared;
    }
    assert!(compared > 1000, "{compared}");
}
