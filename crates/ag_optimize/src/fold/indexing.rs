//! Indexing with a known index.
//!
//! ```text
//! %1: i64[] = constant -1                    %3: f64[1, 4] = slice %0 start=[2, 0] size=[1, 4] step=[1, 1]
//! %2: f64[4] = gather %0, %1 axis=0     →    %2: f64[4] = reshape %3
//! ```
//!
//! An index out of range stays as it is, and fails when it runs.

use ag_ir::{Node, Op, Type, ValueId, known_shape};

use super::Fold;

impl Fold<'_> {
    /// Turns a node that indexes one axis with a known number in range into a slice.
    pub(super) fn index_by_constants(&mut self, node: &mut Node, kept: &mut Vec<Node>) {
        match (&node.op, &node.operands[..]) {
            (Op::Gather { axis, count: 1 }, [x, index]) => {
                let (axis, x, index) = (*axis, *x, *index);
                if let Some((start, size)) = self.picked(x, index, axis) {
                    self.slice_and_reshape(node, kept, x, start, size);
                }
            }
            (Op::DynamicSlice { axis, size }, [x, index]) => {
                if let Some((start, sizes)) = self.block_at(*x, *index, *axis, *size) {
                    node.op = Op::Slice { step: vec![1; start.len()], start, size: known_shape(&sizes) };
                    node.operands.truncate(1);
                }
            }
            (Op::DynamicUpdateSlice { axis }, [x, update, index]) => {
                let size = self.extent(*update, *axis);
                let place = size.and_then(|size| self.block_at(*x, *index, *axis, size));
                // There is no update slice of unknown size.
                if let (Some((start, _)), Some(_)) = (place, self.function.tensor(*update).sizes()) {
                    node.op = Op::UpdateSlice { step: vec![1; start.len()], start };
                    node.operands.truncate(2);
                }
            }
            _ => {}
        }
    }

    /// Start and sizes of the slice that one index of an axis picks.
    fn picked(&self, x: ValueId, index: ValueId, axis: usize) -> Option<(Vec<i64>, Vec<usize>)> {
        let extent = i64::try_from(self.extent(x, axis)?).ok()?;
        let index = self.integer(index)?;
        if !(-extent..extent).contains(&index) {
            return None;
        }
        self.slice_from(x, axis, index.rem_euclid(extent), 1)
    }

    fn block_at(
        &self,
        x: ValueId,
        start: ValueId,
        axis: usize,
        size: usize,
    ) -> Option<(Vec<i64>, Vec<usize>)> {
        let extent = i64::try_from(self.extent(x, axis)?).ok()?;
        let start = self.integer(start)?;
        let fits = start >= 0 && start <= extent - i64::try_from(size).ok()?;
        if fits { self.slice_from(x, axis, start, size) } else { None }
    }

    fn slice_from(&self, x: ValueId, axis: usize, first: i64, size: usize) -> Option<(Vec<i64>, Vec<usize>)> {
        let mut sizes = self.function.tensor(x).sizes()?;
        let mut start = vec![0; sizes.len()];
        (start[axis], sizes[axis]) = (first, size);
        Some((start, sizes))
    }

    fn slice_and_reshape(
        &mut self,
        node: &mut Node,
        kept: &mut Vec<Node>,
        x: ValueId,
        start: Vec<i64>,
        size: Vec<usize>,
    ) {
        let sliced = self.function.new_value(Type::known(self.function.tensor(x).dtype, &size));
        let slice = Node {
            op: Op::Slice { step: vec![1; start.len()], start, size: known_shape(&size) },
            operands: vec![x],
            results: vec![sliced],
            regions: Vec::new(),
            location: node.location,
        };
        self.simple(slice, kept);
        let sliced = self.replacements.resolve(sliced);
        node.op = Op::Reshape(self.function.tensor(node.results[0]).shape.clone());
        node.operands = vec![sliced];
    }
}
