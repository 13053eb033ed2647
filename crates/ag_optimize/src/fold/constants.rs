//! Constants: what is known of their elements, and the nodes that fold to one.
//!
//! `mul` of constants is computed here, since every machine rounds it alike. `exp` is not, since the last
//! bits of interpreter and engine may differ, and neither is a float `sum`, whose order only the engine
//! knows: a pass must not change results.

use ag_ir::{Array, Constant, DType, Folds, LocationId, Node, Op, TensorType, Type, ValueId, evaluate};

use super::Fold;

/// The most elements of the operands and the result of a node that is computed here.
const MOST_ELEMENTS: usize = 64;
/// The most bytes of a constant whose elements are examined at every use.
const MOST_BYTES: usize = 4096;

impl Fold<'_> {
    /// The bytes of the one element that fills a value, if that is known.
    pub(super) fn uniform(&self, id: ValueId) -> Option<&[u8]> {
        if let Some((Op::Broadcast(_), operands)) = self.makers.get(&id) {
            return self.uniform(operands[0]);
        }
        let constant = self.constants.get(&id)?;
        if constant.bytes.len() > MOST_BYTES {
            return None;
        }
        let mut elements = constant.bytes.chunks(constant.dtype.size());
        let first = elements.next()?;
        elements.all(|element| element == first).then_some(first)
    }

    /// Whether a `bool[]` is known to be true or false.
    pub(super) fn truth(&self, id: ValueId) -> Option<bool> {
        self.known.get(&id).copied().or_else(|| self.uniform(id).map(|bytes| bytes != [0]))
    }

    /// The value of a constant `i64[]`.
    pub(super) fn integer(&self, id: ValueId) -> Option<i64> {
        let ty = self.function.ty(id).tensor()?;
        if ty.dtype != DType::I64 || !ty.is_scalar() {
            return None;
        }
        self.uniform(id)?.try_into().ok().map(i64::from_ne_bytes)
    }

    /// The float that fills a value, if that is known.
    pub(super) fn float(&self, id: ValueId) -> Option<f64> {
        let bytes = self.uniform(id)?;
        match self.function.dtype_of(id)? {
            DType::F32 => bytes.try_into().ok().map(|bytes| f64::from(f32::from_ne_bytes(bytes))),
            DType::F64 => bytes.try_into().ok().map(f64::from_ne_bytes),
            _ => None,
        }
    }

    /// A new node: a scalar of the dtype of a value.
    pub(super) fn literal(
        &mut self,
        like: ValueId,
        value: f64,
        location: Option<LocationId>,
        kept: &mut Vec<Node>,
    ) -> ValueId {
        let dtype = self.function.tensor(like).dtype;
        let result = self.function.new_value(Type::scalar(dtype));
        let constant = Constant { dtype, sizes: Vec::new(), bytes: number(dtype, value).into() };
        self.constants.insert(result, constant.clone());
        kept.push(Node {
            op: Op::Constant(constant),
            operands: Vec::new(),
            results: vec![result],
            regions: Vec::new(),
            location,
        });
        result
    }

    /// The result of a node of constants.
    pub(super) fn computed(&self, node: &Node) -> Option<Constant> {
        let ([result], false) = (&node.results[..], node.operands.is_empty()) else { return None };
        let is_small = |id: &ValueId| {
            let sizes = self.function.ty(*id).tensor().and_then(TensorType::sizes);
            let count =
                sizes.and_then(|sizes| sizes.iter().try_fold(1_usize, |n, size| n.checked_mul(*size)));
            count.is_some_and(|count| count > 0 && count <= MOST_ELEMENTS)
        };
        let dtype = self.function.dtype_of(node.operands[0])?;
        let folds = match node.op.folds() {
            Folds::Always => true,
            Folds::Discrete => !dtype.is_float(),
            Folds::Never => false,
        };
        if !folds || !is_small(result) || !node.operands.iter().all(is_small) {
            return None;
        }
        let arrays: Option<Vec<Array>> = node.operands.iter().map(|id| self.array(*id)).collect();
        let array = evaluate(&node.op, &arrays?).ok()?;
        Some(Constant { dtype: array.dtype, sizes: array.sizes, bytes: array.bytes.into() })
    }

    fn array(&self, id: ValueId) -> Option<Array> {
        let constant = self.constants.get(&id)?;
        Some(Array { dtype: constant.dtype, sizes: constant.sizes.clone(), bytes: constant.bytes.to_vec() })
    }

    /// The size of an axis, if it is known.
    pub(super) fn extent(&self, id: ValueId, axis: usize) -> Option<usize> {
        self.function.tensor(id).shape.get(axis)?.known()
    }
}

/// The bytes of a number of a dtype: 0 or 1 of any, and any of a float one.
pub(super) fn number(dtype: DType, value: f64) -> Vec<u8> {
    match dtype {
        DType::Bool | DType::U8 => vec![u8::from(value == 1.0)],
        DType::I32 => i32::from(value == 1.0).to_ne_bytes().to_vec(),
        DType::I64 => i64::from(value == 1.0).to_ne_bytes().to_vec(),
        DType::F32 => (value as f32).to_ne_bytes().to_vec(),
        DType::F64 => value.to_ne_bytes().to_vec(),
    }
}
