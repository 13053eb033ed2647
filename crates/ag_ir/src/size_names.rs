//! Names for unknown sizes (symbolic dimensions): sizes with one name are equal in every run.
//!
//! ```text
//! %1: f64[?] = sin %0                    %0 s0, %1 s0
//! %3: f64[?] = iota_to %2     %3 s1
//! %4: f64[?] = add %0, %3                %4 s2: what has one element is repeated
//! %5: i64[?], %6: i64[?] = nonzero %9    %5 s3, %6 s3
//! ```
//!
//! - A name states only what follows from the ops: sizes with two names may be equal too. There is no
//!   arithmetic of sizes, except that sums of the same sizes are equal.
//! - A loop carry keeps its size if the body returns it with that size, which is first assumed and then
//!   checked. A carry that does not keep it has separate names in the loop and after it.
//! - A value in a loop is a new one in each iteration; its name stands for its size in one iteration.

use std::collections::BTreeMap;
use std::convert::Infallible;

use ag_linear_algebra::Decomposition;

use crate::function::{Block, Function, Node, ValueId};
use crate::op::{ResultRule, SizeRule, ValueRule};
use crate::size_rules::{SizeDomain, sizes_by_rule};
use crate::types::{Dim, Shape};

/// The names of the sizes of a function's values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SizeNames {
    numbers: BTreeMap<(ValueId, usize), usize>,
}

impl SizeNames {
    /// The name of the size of an axis, `s0`; none if the size is known, or the value has no such axis.
    #[must_use]
    pub fn name(&self, value: ValueId, axis: usize) -> Option<String> {
        self.numbers.get(&(value, axis)).map(|number| format!("s{number}"))
    }
}

/// Names the unknown sizes of a valid function. The first in the text is `s0`.
#[must_use]
pub fn size_names(function: &Function) -> SizeNames {
    let mut namer = Namer {
        function,
        sizes: vec![Vec::new(); function.values.len()],
        numbers: BTreeMap::new(),
        keys: BTreeMap::new(),
    };
    namer.own(&function.body.params);
    namer.block(&function.body);
    let mut names = SizeNames::default();
    let mut known = BTreeMap::new();
    namer.number(&function.body, &mut known, &mut names);
    names
}

/// A size, as far as the graph knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Size {
    /// A number, even if the type does not say it.
    Known(usize),
    /// The size of this number.
    Named(usize),
}

/// The definition of a size: equal keys mean equal sizes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// The size of an axis of a value of which no more is known.
    Axis(ValueId, usize),
    /// The integer value of a scalar, or 0 if that is negative.
    Number(ValueId),
    /// The number of true elements of a value.
    Count(ValueId),
    /// The length of a list.
    Length(ValueId),
    /// The length of `range(start, stop, step)`.
    Range([ValueId; 3]),
    /// The sum of sizes, in their order.
    Sum(Vec<Size>),
}

struct Namer<'a> {
    function: &'a Function,
    /// The sizes of each array.
    sizes: Vec<Vec<Size>>,
    /// Integer scalars that are known to be sizes.
    numbers: BTreeMap<ValueId, Size>,
    keys: BTreeMap<Key, usize>,
}

impl Namer<'_> {
    fn named(&mut self, key: Key) -> Size {
        let next = self.keys.len();
        Size::Named(*self.keys.entry(key).or_insert(next))
    }

    fn of(&self, value: ValueId) -> &[Size] {
        &self.sizes[value.0 as usize]
    }

    fn dims(&self, value: ValueId) -> &[Dim] {
        self.function.ty(value).tensor().map_or(&[], |tensor| &tensor.shape)
    }

    /// The size of one axis, if no more is known than its type says.
    fn axis(&mut self, value: ValueId, axis: usize) -> Size {
        match self.dims(value)[axis] {
            Dim::Known(size) => Size::Known(size),
            Dim::Unknown => self.named(Key::Axis(value, axis)),
        }
    }

    /// Gives values new sizes.
    fn own(&mut self, values: &[ValueId]) {
        for value in values {
            let sizes = (0..self.dims(*value).len()).map(|axis| self.axis(*value, axis)).collect();
            self.sizes[value.0 as usize] = sizes;
        }
    }

    /// Gives a value these sizes; a size that its type knows takes precedence.
    fn set(&mut self, value: ValueId, sizes: &[Size]) {
        let known = |(dim, size): (&Dim, &Size)| dim.known().map_or(*size, Size::Known);
        let sizes = self.dims(value).iter().zip(sizes).map(known).collect();
        self.sizes[value.0 as usize] = sizes;
    }

    fn number_of(&mut self, value: ValueId) -> Size {
        match self.numbers.get(&value) {
            Some(size) => *size,
            None => self.named(Key::Number(value)),
        }
    }

    fn block(&mut self, block: &Block) {
        for node in &block.nodes {
            self.node(node);
        }
    }

    fn node(&mut self, node: &Node) {
        let operands = &node.operands;
        match node.op.results() {
            ResultRule::Array(_, rule) => self.array(rule, node.results[0], operands),
            ResultRule::Size(axis) => {
                let size = self.of(operands[0])[axis];
                self.numbers.insert(node.results[0], size);
            }
            ResultRule::Length => {
                let size = self.named(Key::Length(operands[0]));
                self.numbers.insert(node.results[0], size);
            }
            ResultRule::Stack(_) => {
                let rows = self.named(Key::Length(operands[0]));
                self.own(&node.results);
                let sizes = with_axis(self.of(node.results[0]).to_vec(), 0, rows);
                self.set(node.results[0], &sizes);
            }
            ResultRule::Positions => {
                let size = self.named(Key::Count(operands[0]));
                node.results.iter().for_each(|result| self.set(*result, &[size]));
            }
            ResultRule::Values(rules) => {
                for (rule, result) in rules.iter().zip(&node.results) {
                    match rule {
                        ValueRule::First => self.same(*result, operands[0]),
                        // The values of lists have known sizes.
                        ValueRule::Element
                        | ValueRule::InnerElement
                        | ValueRule::Integer
                        | ValueRule::Bytes => {
                            self.own(&[*result]);
                        }
                    }
                }
            }
            ResultRule::Types(_) | ResultRule::ListOf(_) | ResultRule::ListOfRows => self.own(&node.results),
            ResultRule::If => self.branches(node),
            ResultRule::While => self.turns(node, operands, 0),
            ResultRule::For => self.turns(node, &operands[3..], 1),
            ResultRule::Scope => self.scope(node),
        }
    }

    /// Gives a value the sizes of another, or the number that it is.
    fn same(&mut self, value: ValueId, other: ValueId) {
        let sizes = self.of(other).to_vec();
        self.set(value, &sizes);
        if let Some(size) = self.numbers.get(&other).copied() {
            self.numbers.insert(value, size);
        }
    }

    /// Gives the array that an op returns its sizes.
    fn array(&mut self, rule: SizeRule<'_>, result: ValueId, operands: &[ValueId]) {
        let Ok(sizes) = sizes_by_rule(rule, &mut OfNode { namer: self, result, operands });
        self.set(result, &sizes);
    }

    fn branches(&mut self, node: &Node) {
        node.regions.iter().for_each(|region| self.block(region));
        for (number, result) in node.results.iter().enumerate() {
            let ways: Vec<Vec<Size>> =
                node.regions.iter().map(|region| self.of(region.results[number]).to_vec()).collect();
            let sizes: Vec<Size> = (0..self.dims(*result).len())
                .map(|axis| match ways.iter().all(|way| way[axis] == ways[0][axis]) {
                    true => ways[0][axis],
                    false => self.axis(*result, axis),
                })
                .collect();
            self.set(*result, &sizes);
        }
    }

    /// A loop; its regions take `before` other parameters in front of the carries.
    fn turns(&mut self, node: &Node, carries: &[ValueId], before: usize) {
        let entered: Vec<Vec<Size>> = carries.iter().map(|carry| self.of(*carry).to_vec()).collect();
        let mut keeps: Vec<Vec<bool>> = entered.iter().map(|sizes| vec![true; sizes.len()]).collect();
        loop {
            for region in &node.regions {
                self.own(&region.params[..before]);
                self.enter(&region.params[before..], &entered, &keeps);
                self.block(region);
            }
            let Some(body) = node.regions.last() else { return };
            let mut is_settled = true;
            for ((result, sizes), keeps) in body.results.iter().zip(&entered).zip(&mut keeps) {
                for (axis, keeps) in keeps.iter_mut().enumerate().filter(|(_, keeps)| **keeps) {
                    *keeps = self.of(*result)[axis] == sizes[axis];
                    is_settled &= *keeps;
                }
            }
            if is_settled {
                return self.enter(&node.results, &entered, &keeps);
            }
        }
    }

    /// Gives values the sizes with which a loop was entered, where it keeps them.
    fn enter(&mut self, values: &[ValueId], entered: &[Vec<Size>], keeps: &[Vec<bool>]) {
        for ((value, sizes), keeps) in values.iter().zip(entered).zip(keeps) {
            let sizes: Vec<Size> = (0..sizes.len())
                .map(|axis| if keeps[axis] { sizes[axis] } else { self.axis(*value, axis) })
                .collect();
            self.set(*value, &sizes);
        }
    }

    /// The first region runs in place; the others are for gradients, and their parameters get new sizes.
    fn scope(&mut self, node: &Node) {
        for (number, region) in node.regions.iter().enumerate() {
            self.own(&region.params);
            if number == 0 {
                for (param, operand) in region.params.iter().zip(&node.operands) {
                    let sizes = self.of(*operand).to_vec();
                    self.set(*param, &sizes);
                }
            }
            self.block(region);
        }
        let given = node.regions.first().map_or(&[][..], |primal| &primal.results);
        for (result, given) in node.results.iter().zip(given) {
            let sizes = self.of(*given).to_vec();
            self.set(*result, &sizes);
        }
    }

    /// Numbers the names in the order of the text.
    fn number(&self, block: &Block, known: &mut BTreeMap<Size, usize>, names: &mut SizeNames) {
        self.number_values(&block.params, known, names);
        for node in &block.nodes {
            self.number_values(&node.results, known, names);
            node.regions.iter().for_each(|region| self.number(region, known, names));
        }
    }

    fn number_values(&self, values: &[ValueId], known: &mut BTreeMap<Size, usize>, names: &mut SizeNames) {
        for value in values {
            let open = self.dims(*value).iter().enumerate().filter(|(_, dim)| **dim == Dim::Unknown);
            for (axis, _) in open {
                let next = known.len();
                let number = *known.entry(self.of(*value)[axis]).or_insert(next);
                names.numbers.insert((*value, axis), number);
            }
        }
    }
}

/// The sizes of a node's operands, and of the array that it returns.
struct OfNode<'a, 'f> {
    namer: &'a mut Namer<'f>,
    result: ValueId,
    operands: &'a [ValueId],
}

impl SizeDomain for OfNode<'_, '_> {
    type Size = Size;
    type Failure = Infallible;

    fn operand_count(&self) -> usize {
        self.operands.len()
    }

    fn rank(&self, operand: usize) -> usize {
        self.namer.dims(self.operands[operand]).len()
    }

    fn size(&self, operand: usize, axis: usize) -> Size {
        self.namer.of(self.operands[operand])[axis]
    }

    fn known(&mut self, size: usize) -> Size {
        Size::Known(size)
    }

    fn joined(&mut self, axis: usize, one: Size, other: Size) -> Result<Size, Infallible> {
        Ok(match (one, other) {
            _ if one == other => one,
            (Size::Known(1), size) | (size, Size::Known(1)) => size,
            // The other equals it, or is 1.
            (known @ Size::Known(_), _) | (_, known @ Size::Known(_)) => known,
            (Size::Named(_), Size::Named(_)) => self.namer.axis(self.result, axis),
        })
    }

    fn agreed(&mut self, one: Size, _: Size) -> Size {
        one
    }

    fn number(&mut self, operand: usize, _: usize) -> Result<Size, Infallible> {
        Ok(self.namer.number_of(self.operands[operand]))
    }

    fn count(&mut self) -> Size {
        self.namer.number_of(self.operands[0])
    }

    /// An integer operand counts only if it is known to be a size: a negative one stands for what is left.
    fn reshaped(&mut self, shape: &Shape) -> Result<Vec<Size>, Infallible> {
        let mut numbers = self.operands[1..].iter();
        let mut sizes = Vec::new();
        for (axis, dim) in shape.iter().enumerate() {
            let number = if *dim == Dim::Unknown { numbers.next() } else { None };
            let known = number.and_then(|number| self.namer.numbers.get(number)).copied();
            sizes.push(known.unwrap_or_else(|| self.namer.axis(self.result, axis)));
        }
        Ok(sizes)
    }

    fn range(&mut self, _: usize) -> Result<Size, Infallible> {
        Ok(self.namer.named(Key::Range([self.operands[1], self.operands[2], self.operands[3]])))
    }

    fn sum(&mut self, axis: usize) -> Result<Size, Infallible> {
        let mut parts: Vec<Size> =
            self.operands.iter().map(|operand| self.namer.of(*operand)[axis]).collect();
        parts.retain(|size| *size != Size::Known(0));
        parts.sort_unstable();
        Ok(if let [only] = parts[..] { only } else { self.namer.named(Key::Sum(parts)) })
    }

    fn parts(&mut self, _: Decomposition, axis: usize, _: [Size; 2]) -> Size {
        self.namer.axis(self.result, axis)
    }
}

fn with_axis(mut sizes: Vec<Size>, axis: usize, size: Size) -> Vec<Size> {
    sizes[axis] = size;
    sizes
}
