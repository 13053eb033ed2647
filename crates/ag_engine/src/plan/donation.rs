//! Finds the results of a function that can take over the memory of a parameter (input-output aliasing).
//!
//! ```text
//! function f(%0: i64[], %1: f64[9]) {             f(depth, w):
//!   …                                               if depth == 0: return w
//!   %4: f64[9] = if %3 then { yield %1 } else {     w = f(depth - 1, w)
//!     %6: f64[9] = call %5, %1 callee=0             w[depth] += 1.0
//!     %7: f64[9] = scatter_add %6, %9, %0 axis=0    return w
//!     yield %7
//!   }                                               the memory of w is that of the result: a
//!   return %4                                       caller that needs w no more copies nothing
//! }
//! ```
//!
//! - A parameter is *donated* to a result if every path to that result goes through nodes that can work in
//!   the parameter's memory. The function may then write there, and leaves the result there.
//! - A caller that still needs the argument, or may not write it, copies it first.
//! - A result of a call may lie in a donated argument. As functions call each other, the search starts with
//!   every pair of parameter and result, and removes those that fail until nothing changes.

use std::collections::{BTreeSet, HashMap};

use ag_ir::{Block, Function, Node, Op, ValueId};

/// For each function that is called and each of its results, the parameter whose memory the result takes
/// over.
#[derive(Debug, Default)]
pub(crate) struct Donations(Vec<Vec<Option<usize>>>);

impl Donations {
    /// Finds the donations of all functions of a graph.
    pub(crate) fn of(graph: &Function) -> Self {
        let functions = &graph.functions;
        let possible = functions.iter().map(possible_pairs).collect();
        let possible = held(functions, possible);
        let chosen = possible.iter().map(choose).collect();
        // A pair that was not chosen may have been the reason for a pair in a caller, so check again.
        Self(
            held(functions, chosen)
                .iter()
                .map(|pairs| pairs.iter().map(|of| of.first().copied()).collect())
                .collect(),
        )
    }

    /// For each result of a function, the parameter whose memory it takes over.
    pub(crate) fn of_function(&self, number: usize) -> &[Option<usize>] {
        self.0.get(number).map_or(&[], |results| results)
    }
}

/// For each result, the parameters that it may take over.
type Pairs = Vec<BTreeSet<usize>>;

/// Every pair of a result and a parameter of the same type. Scalars are left out: they are in registers.
fn possible_pairs(function: &Function) -> Pairs {
    let body = &function.body;
    let fits = |result: &ValueId, param: &ValueId| {
        function.ty(*result) == function.ty(*param) && !function.ty(*param).is_scalar()
    };
    let of = |result: &ValueId| {
        let params = body.params.iter().enumerate();
        params.filter(|(_, param)| fits(result, param)).map(|(number, _)| number).collect()
    };
    body.results.iter().map(of).collect()
}

/// Removes pairs until all that remain follow from the others (a greatest fixed point).
fn held(functions: &[Function], mut pairs: Vec<Pairs>) -> Vec<Pairs> {
    loop {
        let next: Vec<Pairs> = functions
            .iter()
            .zip(&pairs)
            .map(|(function, own)| {
                let mut search = Search { function, pairs: &pairs, origins: HashMap::new() };
                let params = function.body.params.iter().enumerate();
                search.origins.extend(params.map(|(number, param)| (*param, BTreeSet::from([number]))));
                search.block(&function.body);
                let results = function.body.results.iter().zip(own);
                results.map(|(result, own)| &search.of(*result) & own).collect()
            })
            .collect();
        if next == pairs {
            return pairs;
        }
        pairs = next;
    }
}

/// Chooses at most one parameter for each result, and at most one result for each parameter.
fn choose(pairs: &Pairs) -> Pairs {
    let mut taken = BTreeSet::new();
    pairs
        .iter()
        .map(|params| {
            let free = params.iter().copied().find(|param| !taken.contains(param));
            taken.extend(free);
            free.into_iter().collect()
        })
        .collect()
}

/// Finds the parameters in whose memory each value can be made, whichever branches are taken.
struct Search<'a> {
    function: &'a Function,
    pairs: &'a [Pairs],
    origins: HashMap<ValueId, BTreeSet<usize>>,
}

impl Search<'_> {
    fn of(&self, value: ValueId) -> BTreeSet<usize> {
        self.origins.get(&value).cloned().unwrap_or_default()
    }

    fn block(&mut self, block: &Block) {
        block.nodes.iter().for_each(|node| self.node(node));
    }

    fn node(&mut self, node: &Node) {
        match &node.op {
            Op::If => {
                node.regions.iter().for_each(|region| self.block(region));
                let [then, otherwise] = &node.regions[..] else { return };
                for (number, result) in node.results.iter().enumerate() {
                    let both = &self.of(then.results[number]) & &self.of(otherwise.results[number]);
                    self.origins.insert(*result, both);
                }
            }
            Op::While | Op::For => self.carried(node),
            Op::Call(call) => {
                let Some(pairs) = self.pairs.get(call.callee) else { return };
                for (result, params) in node.results.iter().zip(pairs) {
                    let of = params.iter().flat_map(|param| self.of(node.operands[*param])).collect();
                    self.origins.insert(*result, of);
                }
            }
            op => {
                let (Some(result), Some(first)) = (node.results.first(), node.operands.first()) else {
                    return;
                };
                let origins = if op.is_elementwise() {
                    let ty = self.function.ty(*result);
                    let alike = node.operands.iter().filter(|operand| self.function.ty(**operand) == ty);
                    alike.flat_map(|operand| self.of(*operand)).collect()
                } else if op.updates_first() {
                    self.of(*first)
                } else {
                    return;
                };
                self.origins.insert(*result, origins);
            }
        }
    }

    /// A carry can be in the memory of a parameter if its initial value can and every iteration keeps it
    /// there.
    fn carried(&mut self, node: &Node) {
        let first = node.operands.len() - node.results.len();
        let mut carries: Vec<BTreeSet<usize>> =
            node.operands[first..].iter().map(|start| self.of(*start)).collect();
        loop {
            for region in &node.regions {
                let params = &region.params[region.params.len() - carries.len()..];
                self.origins.extend(params.iter().copied().zip(carries.iter().cloned()));
                self.block(region);
            }
            let Some(body) = node.regions.last() else { return };
            let next: Vec<BTreeSet<usize>> =
                carries.iter().zip(&body.results).map(|(carry, result)| carry & &self.of(*result)).collect();
            if next == carries {
                break;
            }
            carries = next;
        }
        self.origins.extend(node.results.iter().copied().zip(carries));
    }
}
