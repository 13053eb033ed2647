//! Copies a finished graph into one that is being built.
//!
//! ```text
//! function g(%0: f64[]) {              %7: f64[] = exp %5       // g's body, with %5 as its argument
//!   %1: f64[] = exp %0           →     %8: f64[] = call %7 callee=3
//!   %2: f64[] = call %1 callee=0
//!   return %2
//! }
//! ```
//!
//! Values, functions and tapes of the graph get new numbers; sites and locations those that the caller gives.

use std::collections::BTreeMap;

use super::Builder;
use super::functions::renumber;
use crate::function::{Block, Function, LocationId, Node, ValueId};
use crate::op::{Call, Callback, Check, Identity, Op, Scope, TapePop};
use crate::types::{DType, Type};

/// The numbers that the parts of an inlined graph get in the graph around it.
struct Numbers<'a> {
    functions: usize,
    tapes: BTreeMap<u32, u32>,
    /// Those of derivatives that were taken before: no derivative taken here has one.
    derivatives: BTreeMap<u32, u32>,
    first_site: u32,
    locations: &'a [LocationId],
}

impl Builder {
    /// Copies the nodes of a finished graph into the innermost open block, and its functions; returns its
    /// results. `arguments` are of the types of its parameters. Its sites count from `first_site`;
    /// `locations` are the new numbers of its locations, all others are dropped.
    pub fn inline(
        &mut self,
        graph: &Function,
        arguments: &[ValueId],
        first_site: u32,
        locations: &[LocationId],
    ) -> Vec<ValueId> {
        let first = self.functions.len();
        for function in &graph.functions {
            self.declare(std::sync::Arc::clone(&function.name));
        }
        let (tapes, derivatives) = (BTreeMap::new(), BTreeMap::new());
        let mut numbers = Numbers { functions: first, tapes, derivatives, first_site, locations };
        for (number, function) in graph.functions.iter().enumerate() {
            let body = self.adopted(function, BTreeMap::new(), &mut numbers);
            self.define(first + number, body);
        }
        let known = graph.body.params.iter().copied().zip(arguments.iter().copied()).collect();
        let body = self.adopted(graph, known, &mut numbers);
        body.nodes.into_iter().for_each(|node| self.push(node));
        body.results
    }

    /// A copy of a function's body with values of this builder.
    fn adopted(
        &mut self,
        function: &Function,
        mut known: BTreeMap<ValueId, ValueId>,
        numbers: &mut Numbers<'_>,
    ) -> Block {
        let mut body = function.body.clone();
        renumber(&mut body, &mut |id| {
            *known.entry(*id).or_insert_with(|| {
                let value = &function.values[id.0 as usize];
                let new = self.function.new_value(value.ty.clone());
                self.function.values[new.0 as usize].clone_from(value);
                new
            })
        });
        self.renumber_ops(&mut body, numbers);
        body
    }

    fn renumber_ops(&mut self, block: &mut Block, numbers: &mut Numbers<'_>) {
        for Node { op, regions, location, .. } in &mut block.nodes {
            *location = location.and_then(|number| numbers.locations.get(number.0 as usize).copied());
            match op {
                Op::Call(Call { callee, .. }) => *callee += numbers.functions,
                Op::TapePush(tape)
                | Op::TapePop(TapePop { tape, .. })
                | Op::TapeSave(tape)
                | Op::TapeLoad(tape) => {
                    *tape = *numbers.tapes.entry(*tape).or_insert_with(|| self.new_tape());
                }
                Op::Print { site }
                | Op::Callback(Callback { site, .. })
                | Op::Check(Check { site: Some(site), .. }) => *site += numbers.first_site,
                Op::Scope(Scope::VjpRule(derivative) | Scope::JvpRule(derivative))
                | Op::Identity(Identity::Held(derivative)) => {
                    *derivative = *numbers.derivatives.entry(*derivative).or_insert_with(|| self.taken());
                }
                _ => {}
            }
            regions.iter_mut().for_each(|region| self.renumber_ops(region, numbers));
        }
    }

    /// A number that no derivative to come has: they have those of values that nodes give.
    fn taken(&mut self) -> u32 {
        self.function.new_value(Type::scalar(DType::Bool)).0
    }

    /// The nodes of the innermost open block.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        self.open.last().map_or(&[], |block| &block.nodes)
    }

    /// A value that no node gives yet, for the parameter of a block to come.
    pub fn unbound(&mut self, ty: Type) -> ValueId {
        self.function.new_value(ty)
    }

    /// A graph of its own with this body, which may call the functions recorded so far.
    #[must_use]
    pub fn finished_with(&self, body: Block) -> Function {
        let mut apart = self.clone();
        apart.open = vec![Block { results: Vec::new(), ..body.clone() }];
        apart.finish(body.results)
    }
}
