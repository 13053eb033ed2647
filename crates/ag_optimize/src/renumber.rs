//! Renumbering: numbers values in the order of the text, and drops all others from the table of values.
//!
//! ```text
//! function f(%4: f64[]) {            function f(%0: f64[]) {
//!   %9: f64[] = neg %4          →      %1: f64[] = neg %0
//!   return %9                          return %1
//! }                                  }
//! ```
//!
//! Locations keep their numbers: the host has them too.

use std::collections::HashMap;

use ag_ir::{Block, Function, Value, ValueId};

pub(crate) fn run(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    let mut renumbering = Renumbering { old: &function.values, new: Vec::new(), numbers: HashMap::new() };
    renumbering.block(&mut body);
    function.values = renumbering.new;
    function.body = body;
}

struct Renumbering<'a> {
    old: &'a [Value],
    new: Vec<Value>,
    numbers: HashMap<ValueId, ValueId>,
}

impl Renumbering<'_> {
    fn bind(&mut self, ids: &mut [ValueId]) {
        for id in ids {
            let number = ValueId(u32::try_from(self.new.len()).unwrap_or(u32::MAX));
            self.new.push(self.old[id.0 as usize].clone());
            self.numbers.insert(*id, number);
            *id = number;
        }
    }

    fn uses(&self, ids: &mut [ValueId]) {
        for id in ids {
            *id = self.numbers[id];
        }
    }

    fn block(&mut self, block: &mut Block) {
        self.bind(&mut block.params);
        for node in &mut block.nodes {
            self.uses(&mut node.operands);
            // The text shows a node's results before its regions, although these do not use them.
            self.bind(&mut node.results);
            for region in &mut node.regions {
                self.block(region);
            }
        }
        self.uses(&mut block.results);
    }
}
