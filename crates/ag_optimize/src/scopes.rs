//! Scopes: drops the ops that only gradients need, after all gradients have been taken.
//!
//! ```text
//! %1: f64[] = identity %0
//! %2: f64[] = checkpoint %1 primal(%3: f64[]) {        %4: f64[] = sin %0
//!   %4: f64[] = sin %3                            →    return %4
//!   yield %4
//! }
//! return %2
//! ```

use ag_ir::{Block, Function, Op};

use crate::replace::Replacements;

pub(crate) fn run(function: &mut Function) {
    let mut replacements = Replacements::default();
    flatten(&mut function.body, &mut replacements);
    replacements.apply(&mut function.body);
}

fn flatten(block: &mut Block, replacements: &mut Replacements) {
    let mut nodes = Vec::with_capacity(block.nodes.len());
    for mut node in std::mem::take(&mut block.nodes) {
        match node.op {
            // The first operand: the second one of `with_slope` is for gradients.
            Op::Identity(_) => replacements.add_all(&node.results, &node.operands),
            Op::Scope(_) => {
                let mut primal = node.regions.swap_remove(0);
                replacements.add_all(&primal.params, &node.operands);
                flatten(&mut primal, replacements);
                replacements.add_all(&node.results, &primal.results);
                nodes.append(&mut primal.nodes);
            }
            _ => {
                node.regions.iter_mut().for_each(|region| flatten(region, replacements));
                nodes.push(node);
            }
        }
    }
    block.nodes = nodes;
}
