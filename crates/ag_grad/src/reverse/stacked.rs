//! Sums of products over the iterations of a backward loop, as one product after it.
//!
//! ```text
//! for … { …                                for … H { …; H' = H with row i = h }
//!   tape_push h }                          for … D {                            // backward
//! for … dW {             // backward         d = …
//!   h = tape_pop                       →     D' = D with row i = d }
//!   d = …                                  dW = dot(H, D), summed over the rows too
//!   dW' = dW + dot(h, d) }
//! ```
//!
//! - Such sums are the adjoints of outer values, as the weights of a recurrent network. A product for each
//!   iteration reads and writes the whole sum each time; the one product at the end does not.
//! - What the product needs of the forward pass is stacked there, instead of being pushed on a tape: it is read
//!   as rows. A `while` does not know how many rows there will be, so its backward loop stacks them.
//! - The order of the sum is that of a product then, so a graph that is to be exact has none of it.
//! - It pays where the sum is large beside what is stacked, see [`pays`]. The stacks take at most twice the
//!   memory of the tapes, so nothing is stacked where the user asks for less memory. With `AUTOGRAPH_STACK=1`
//!   whatever can be stacked is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use ag_ir::{BinaryOp, Block, Dim, DotAxes, LocationId, Node, Op, ReduceOp, TensorType, Type, ValueId};

use super::Reverse;
use crate::adjoints::Adjoints;
use crate::emit;
use crate::error::GradientError;

/// The smallest sum, in elements, that is worth a stack whose rows the forward loop counts.
const LEAST: usize = 64;
/// The same for the rows of a `while`, which are few in many programs, and whose stack has an unknown size.
const LEAST_OF_WHILE: usize = 4096;

/// The rows that the iterations of a loop write into stacks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    /// How many there are.
    pub(super) count: Dim,
    /// The same as a value of the backward pass.
    pub(super) length: ValueId,
    /// Start and step of the index, as values of the backward pass; none if the index is the row.
    pub(super) range: Option<[ValueId; 2]>,
    /// Whether the forward loop knows them too.
    pub(super) is_known_ahead: bool,
}

/// The stacks of one backward loop, and the products of them that follow it.
#[derive(Debug)]
pub(super) struct Stacks {
    rows: Rows,
    /// The row that the backward body writes.
    row: ValueId,
    /// The parameters of the backward body.
    params: Vec<ValueId>,
    /// Values of the forward body that are stacked there.
    ahead: BTreeMap<ValueId, Ahead>,
    /// Values of the backward body, with the parameters that are their stacks there.
    behind: BTreeMap<ValueId, ValueId>,
    /// Products whose sum over the iterations is part of the adjoint of an outer value.
    products: Vec<(ValueId, Product)>,
    /// The sums and products of the backward body that these replace.
    replaced: BTreeSet<ValueId>,
}

/// The stack of a value of the forward body.
#[derive(Clone, Copy, Debug)]
struct Ahead {
    /// The value that stands for a row in the backward body.
    stand_in: ValueId,
    /// The result of the forward loop.
    stack: ValueId,
    /// The value that stands for it in the backward pass.
    seen: ValueId,
}

/// A product that each iteration of a backward loop adds to an adjoint.
#[derive(Clone, Debug)]
struct Product {
    axes: DotAxes,
    operands: [ValueId; 2],
    /// What becomes of it before it is added: a transpose, another shape.
    then: Vec<Op>,
    location: Option<LocationId>,
}

/// Where an operand of a product comes from.
enum Origin {
    /// The forward body binds it.
    Ahead(ValueId),
    /// The backward body binds it.
    Behind,
}

impl Stacks {
    pub(super) fn new(rows: Rows, row: ValueId, params: Vec<ValueId>) -> Self {
        let (ahead, behind) = (BTreeMap::new(), BTreeMap::new());
        Self { rows, row, params, ahead, behind, products: Vec::new(), replaced: BTreeSet::new() }
    }

    /// Drops what the products after the loop replace from the backward body, unless it has other uses.
    pub(super) fn drop_replaced(&self, body: &mut Block) {
        let mut used: BTreeSet<ValueId> = body.results.iter().copied().collect();
        let mut kept = Vec::with_capacity(body.nodes.len());
        for node in std::mem::take(&mut body.nodes).into_iter().rev() {
            let is_used = node.results.iter().any(|result| used.contains(result));
            if is_used || !node.results.iter().any(|result| self.replaced.contains(result)) {
                uses_of(&node, &mut used);
                kept.push(node);
            }
        }
        kept.reverse();
        body.nodes = kept;
    }

    /// The parameters of the backward body that are stacks.
    pub(super) fn params(&self) -> impl Iterator<Item = ValueId> {
        self.behind.values().copied()
    }
}

impl Reverse<'_> {
    /// Takes the products that the innermost block, the body of a backward loop, adds to the adjoint of an
    /// outer value out of the sum, and stacks their operands; returns what is left of the sum, or none if that
    /// is the parameter.
    pub(super) fn without_products(
        &mut self,
        value: ValueId,
        (param, total): (ValueId, ValueId),
        stacks: &mut Stacks,
    ) -> Result<Option<ValueId>, GradientError> {
        let mut sums = Vec::new();
        let parts = self.parts_of(total, &mut sums);
        let mut left: Option<ValueId> = None;
        let mut is_changed = false;
        for part in parts.iter().copied().filter(|part| *part != param) {
            let mut inner = Vec::new();
            if let Some(product) = self.product_of(part, &mut inner)
                && self.stack_operands(&product, stacks)
            {
                stacks.products.push((value, product));
                stacks.replaced.extend(inner);
                is_changed = true;
                continue;
            }
            left = Some(match left {
                Some(before) => emit::sum(self.builder, before, part)?,
                None => part,
            });
        }
        if is_changed {
            stacks.replaced.extend(sums);
        }
        match left {
            _ if !is_changed => Ok(Some(total)),
            Some(left) if parts.contains(&param) => Ok(Some(emit::sum(self.builder, param, left)?)),
            left => Ok(left),
        }
    }

    /// The values whose sum a value of the innermost block is, all of its type. `sums` are the sums on the way.
    fn parts_of(&self, total: ValueId, sums: &mut Vec<ValueId>) -> Vec<ValueId> {
        let ty = self.builder.function().ty(total);
        let (mut open, mut parts) = (vec![total], Vec::new());
        while let Some(value) = open.pop() {
            match self.node_here(value) {
                Some(Node { op: Op::Binary(BinaryOp::Add, _), operands, .. })
                    if operands.iter().all(|operand| self.builder.function().ty(*operand) == ty) =>
                {
                    open.extend(operands.iter().rev());
                    sums.push(value);
                }
                _ => parts.push(value),
            }
        }
        parts
    }

    fn node_here(&self, value: ValueId) -> Option<&Node> {
        self.builder.nodes().iter().rev().find(|node| node.results.contains(&value))
    }

    /// The product that a part of an adjoint is. `inner` are the values from the part to the product.
    fn product_of(&self, part: ValueId, inner: &mut Vec<ValueId>) -> Option<Product> {
        let mut then = Vec::new();
        let mut value = part;
        loop {
            let node = self.node_here(value)?;
            inner.push(value);
            match &node.op {
                Op::Transpose(_) | Op::Reshape(_) if node.operands.len() == 1 => then.push(node.op.clone()),
                Op::Reduce { op: ReduceOp::Sum, axes, keepdims: false } => {
                    let summed = self.node_here(node.operands[0])?;
                    let Op::Dot(of) = &summed.op else { return None };
                    inner.extend(&summed.results);
                    return Some(product(contracted(of, axes)?, summed, then));
                }
                Op::Dot(axes) => return Some(product(axes.clone(), node, then)),
                _ => return None,
            }
            value = node.operands[0];
        }
    }

    /// Stacks the operands of a product where that pays; whether it did.
    fn stack_operands(&mut self, product: &Product, stacks: &mut Stacks) -> bool {
        let [left, right] = product.operands.map(|operand| self.builder.function().tensor(operand).sizes());
        let (Some(left), Some(right)) = (left, right) else { return false };
        let [Some(of_left), Some(of_right)] = product.operands.map(|operand| self.origin(operand, stacks))
        else {
            return false;
        };
        let least = if stacks.rows.is_known_ahead { LEAST } else { LEAST_OF_WHILE };
        if !pays(&product.axes, &left, &right, least) {
            return false;
        }
        for (operand, origin) in product.operands.into_iter().zip([of_left, of_right]) {
            let ty = Type::Tensor(self.stacked_type(operand, stacks.rows.count));
            match origin {
                Origin::Ahead(value) if !stacks.ahead.contains_key(&value) => {
                    let stack = self.builder.function_mut().new_value(ty);
                    let seen = self.frames.stack(self.builder, value, stack, stacks.row);
                    stacks.ahead.insert(value, Ahead { stand_in: operand, stack, seen });
                }
                Origin::Behind if !stacks.behind.contains_key(&operand) => {
                    stacks.behind.insert(operand, self.builder.param(ty));
                }
                Origin::Ahead(_) | Origin::Behind => {}
            }
        }
        true
    }

    fn origin(&self, operand: ValueId, stacks: &Stacks) -> Option<Origin> {
        if let Some(value) = self.frames.saved(operand) {
            return Some(if stacks.rows.is_known_ahead { Origin::Ahead(value) } else { Origin::Behind });
        }
        let is_here = stacks.params.contains(&operand) || self.node_here(operand).is_some();
        is_here.then_some(Origin::Behind)
    }

    fn stacked_type(&self, value: ValueId, count: Dim) -> TensorType {
        let TensorType { dtype, shape } = self.builder.function().tensor(value).clone();
        TensorType::new(dtype, [vec![count], shape].concat())
    }

    /// Writes the rows of the stacks at the end of the backward body; returns the stacks.
    pub(super) fn write_rows(&mut self, stacks: &Stacks) -> Result<Vec<ValueId>, GradientError> {
        let rows = stacks.behind.iter();
        rows.map(|(value, param)| self.with_row(*param, *value, stacks.row)).collect()
    }

    /// `stack[row] = value`
    fn with_row(&mut self, stack: ValueId, value: ValueId, row: ValueId) -> Result<ValueId, GradientError> {
        let shape = self.stacked_type(value, Dim::Known(1)).shape;
        let block = emit::one(self.builder, Op::Reshape(shape), &[value])?;
        Ok(emit::one(self.builder, Op::DynamicUpdateSlice { axis: 0 }, &[stack, block, row])?)
    }

    /// The first values of the stacks, before the backward loop.
    pub(super) fn empty_stacks(&mut self, stacks: &Stacks) -> Result<Vec<ValueId>, GradientError> {
        stacks.behind.values().map(|param| self.zeros_of(*param, stacks.rows.length)).collect()
    }

    fn zeros_of(&mut self, stack: ValueId, length: ValueId) -> Result<ValueId, GradientError> {
        let ty = self.builder.function().tensor(stack).clone();
        let sizes: &[ValueId] = if ty.shape[0].known().is_none() { &[length] } else { &[] };
        emit::filled(self.builder, &ty, sizes, 0.0)
    }

    /// Adds the products of the stacks to the adjoints, after the backward loop. `filled` are the stacks that
    /// it has given.
    pub(super) fn add_products(
        &mut self,
        stacks: &Stacks,
        filled: &[ValueId],
        adjoints: &mut Adjoints,
    ) -> Result<(), GradientError> {
        let mut known: BTreeMap<ValueId, ValueId> =
            stacks.behind.keys().copied().zip(filled.iter().copied()).collect();
        known.extend(stacks.ahead.values().map(|ahead| (ahead.stand_in, ahead.seen)));
        for (value, product) in &stacks.products {
            let operands = product.operands.map(|operand| known.get(&operand).copied().unwrap_or(operand));
            let mut part =
                self.builder.emit(Op::Dot(over_rows(&product.axes)), &operands, product.location)?[0];
            for op in &product.then {
                part = emit::one(self.builder, op.clone(), &[part])?;
            }
            adjoints.add(self.builder, *value, part)?;
        }
        Ok(())
    }

    /// Makes the forward loop give the stacks that the backward pass has asked for.
    pub(super) fn stack_ahead(
        &mut self,
        nodes: &mut Vec<Node>,
        at: usize,
        stacks: &Stacks,
    ) -> Result<(), GradientError> {
        if stacks.ahead.is_empty() {
            return Ok(());
        }
        let [start, stop, step] = [0, 1, 2].map(|operand| nodes[at].operands[operand]);
        self.builder.open();
        let length =
            if stacks.rows.count.known().is_some() { start } else { self.count_of([start, stop, step]) };
        let zeros: Result<Vec<ValueId>, GradientError> =
            stacks.ahead.values().map(|ahead| self.zeros_of(ahead.stack, length)).collect();
        let before = self.builder.close(Vec::new()).nodes;
        let node = &mut nodes[at];
        node.operands.extend(zeros?);
        node.results.extend(stacks.ahead.values().map(|ahead| ahead.stack));
        let Some(body) = node.regions.last_mut() else { return Ok(()) };
        let body = std::mem::take(body);
        let body = self.stacking(body, stacks, stacks.rows.range.map(|_| [start, step]))?;
        if let Some(place) = nodes[at].regions.last_mut() {
            *place = body;
        }
        for result in before.iter().flat_map(|node| &node.results) {
            self.frames.bind(*result);
        }
        nodes.splice(at..at, before);
        Ok(())
    }

    /// The body of a forward loop, which writes the rows of the stacks too.
    fn stacking(
        &mut self,
        body: Block,
        stacks: &Stacks,
        range: Option<[ValueId; 2]>,
    ) -> Result<Block, GradientError> {
        let (index, mut results) = (body.params[0], body.results.clone());
        self.builder.reopen(body);
        let row = self.row(index, range);
        let mut written = Ok(());
        for (value, ahead) in &stacks.ahead {
            let ty = self.builder.function().ty(ahead.stack).clone();
            let param = self.builder.param(ty);
            match self.with_row(param, *value, row) {
                Ok(stack) => results.push(stack),
                Err(error) => written = Err(error),
            }
        }
        let body = self.builder.close(results);
        written.map(|()| body)
    }

    /// `(index - start) // step`
    pub(super) fn row(&mut self, index: ValueId, range: Option<[ValueId; 2]>) -> ValueId {
        let Some([start, step]) = range else { return index };
        let distance = emit::arithmetic(self.builder, BinaryOp::Sub, index, start);
        emit::arithmetic(self.builder, BinaryOp::FloorDiv, distance, step)
    }

    /// The number that one of the nodes, or one that is recorded, gives as a literal.
    pub(super) fn integer(&self, nodes: &[Node], value: ValueId) -> Option<i64> {
        let among = nodes.iter().find(|node| node.results.contains(&value));
        match &among.or_else(|| self.builder.defining(value))?.op {
            Op::Constant(constant) => Some(i64::from_ne_bytes(constant.bytes.as_ref().try_into().ok()?)),
            _ => None,
        }
    }
}

fn product(axes: DotAxes, node: &Node, mut then: Vec<Op>) -> Product {
    then.reverse();
    Product { axes, operands: [node.operands[0], node.operands[1]], then, location: node.location }
}

/// The values that a node uses, in its regions too.
fn uses_of(node: &Node, used: &mut BTreeSet<ValueId>) {
    used.extend(&node.operands);
    for region in &node.regions {
        region.nodes.iter().for_each(|inner| uses_of(inner, used));
        used.extend(&region.results);
    }
}

/// Whether one product over all iterations is cheaper than one for each: whether reading and writing the sum in
/// each iteration costs more than writing and reading rows of the operands.
fn pays(axes: &DotAxes, left: &[usize], right: &[usize], least: usize) -> bool {
    if is_always_asked_for() {
        return true;
    }
    let [all_left, all_right] = [left, right].map(|sizes| sizes.iter().product::<usize>());
    let size =
        |sizes: &[usize], axes: &[usize]| axes.iter().map(|axis| sizes[*axis]).product::<usize>().max(1);
    let shared = size(left, &axes.left_contract);
    let batch = size(left, &axes.left_batch);
    let sum = (all_left / shared).saturating_mul(all_right / shared) / batch;
    sum >= least && sum >= 2 * (all_left + all_right)
}

/// Whether everything that can be stacked is, as tests ask for whose arrays are small.
fn is_always_asked_for() -> bool {
    static ASKED: OnceLock<bool> = OnceLock::new();
    *ASKED.get_or_init(|| std::env::var("AUTOGRAPH_STACK").is_ok_and(|value| value == "1"))
}

/// The axes of a product whose result is summed over some of its batch axes: these are contracted as well.
fn contracted(axes: &DotAxes, summed: &[usize]) -> Option<DotAxes> {
    let DotAxes { left_batch, right_batch, left_contract, right_contract } = axes;
    if summed.iter().any(|axis| *axis >= left_batch.len()) {
        return None;
    }
    let split = |batch: &[usize], contract: &[usize]| {
        let (gone, kept): (Vec<usize>, Vec<usize>) = (0..batch.len()).partition(|at| summed.contains(at));
        let [gone, kept] = [gone, kept].map(|places| places.into_iter().map(|at| batch[at]));
        (kept.collect::<Vec<usize>>(), gone.chain(contract.iter().copied()).collect::<Vec<usize>>())
    };
    let (left_batch, left_contract) = split(left_batch, left_contract);
    let (right_batch, right_contract) = split(right_batch, right_contract);
    Some(DotAxes { left_batch, right_batch, left_contract, right_contract })
}

/// The axes of the same product of stacks, summed over their rows.
fn over_rows(axes: &DotAxes) -> DotAxes {
    let after = |axes: &[usize]| axes.iter().map(|axis| axis + 1).collect::<Vec<usize>>();
    let and_rows = |axes: &[usize]| [vec![0], after(axes)].concat();
    DotAxes {
        left_batch: after(&axes.left_batch),
        right_batch: after(&axes.right_batch),
        left_contract: and_rows(&axes.left_contract),
        right_contract: and_rows(&axes.right_contract),
    }
}
