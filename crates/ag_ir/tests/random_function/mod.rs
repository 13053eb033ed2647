//! Random valid functions, and inputs for them, from a list of numbers.
//!
//! Every decision takes the next number of the list, and 0 when there are no more; so a shorter
//! list and smaller numbers give a smaller function, which is how proptest shrinks a failure.

#![allow(clippy::unwrap_used)]

mod flags;
mod ints;
mod lists;
mod sizes;

use ag_ir::{
    Array, BinaryOp, Block, Builder, Check, CompareOp, Constant, DType, DotAxes, Function, Identity,
    LocationId, Op, Overflow, ReduceOp, Scope, SourceLocation, Store, TapePop, TensorType, Type, UnaryOp,
    ValueId, known_shape,
};

const SHAPES: [&[usize]; 9] = [&[], &[], &[], &[3], &[2, 3], &[1], &[0], &[1, 3], &[2, 1]];

/// The numbers that decide.
pub(crate) struct Choices {
    numbers: Vec<u32>,
    next: usize,
}

impl Choices {
    pub(crate) fn new(numbers: Vec<u32>) -> Self {
        Self { numbers, next: 0 }
    }

    fn is_empty(&self) -> bool {
        self.next >= self.numbers.len()
    }

    fn below(&mut self, bound: usize) -> usize {
        let number = self.numbers.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        number as usize % bound.max(1)
    }

    fn one_of<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    fn element(&mut self, dtype: DType) -> Vec<u8> {
        const FLOATS: [f64; 11] =
            [0.0, 1.0, -0.0, 2.0, -1.0, 0.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 3.7, -1e30];
        const INTEGERS: [i64; 9] = [0, 1, 2, -1, 3, 7, i64::MAX, i64::MIN, 1 << 40];
        match dtype {
            DType::Bool => vec![u8::from(self.below(2) == 1)],
            DType::U8 => vec![self.one_of(&INTEGERS) as u8],
            DType::I32 => (self.one_of(&INTEGERS) as i32).to_ne_bytes().to_vec(),
            DType::I64 => self.one_of(&INTEGERS).to_ne_bytes().to_vec(),
            DType::F32 => (self.one_of(&FLOATS) as f32).to_ne_bytes().to_vec(),
            DType::F64 => self.one_of(&FLOATS).to_ne_bytes().to_vec(),
        }
    }

    /// A random array of a type of known sizes.
    pub(crate) fn array(&mut self, ty: &TensorType) -> Array {
        let sizes = ty.sizes().unwrap();
        let count: usize = sizes.iter().product();
        let bytes = (0..count).flat_map(|_| self.element(ty.dtype)).collect();
        Array { dtype: ty.dtype, sizes, bytes }
    }
}

/// A random function, and inputs of its parameters' types.
pub(crate) fn random_function(numbers: Vec<u32>) -> (Function, Vec<Array>) {
    let mut choices = Choices::new(numbers);
    let builder = Builder::new("random");
    let mut maker = Maker { choices: &mut choices, builder, scopes: vec![Vec::new()], locations: 0 };
    for _ in 0..1 + maker.choices.below(4) {
        let ty = maker.ty();
        let param = maker.builder.param(ty.into());
        maker.bind(param);
    }
    while !maker.choices.is_empty() {
        maker.node(0);
    }
    let count = 1 + maker.choices.below(4);
    let all = maker.in_scope();
    let results = all.iter().rev().take(count).copied().collect();
    let locations = maker.locations;
    let mut builder = maker.builder;
    builder.function_mut().locations = (0..locations).map(place).collect();
    let function = builder.finish(results);
    let inputs =
        function.body.params.iter().map(|param| choices.array(&function.tensor(*param).clone())).collect();
    (function, inputs)
}

fn place(number: u32) -> SourceLocation {
    SourceLocation {
        file: "random file.py".into(),
        function: "random".into(),
        line: number + 1,
        column: 2,
        end_line: number + 1,
        end_column: 7,
        caller: (number % 3 == 2).then(|| LocationId(number - 1)),
    }
}

struct Maker<'a> {
    choices: &'a mut Choices,
    builder: Builder,
    /// Values that may be used, for each open block.
    scopes: Vec<Vec<ValueId>>,
    locations: u32,
}

impl Maker<'_> {
    fn bind(&mut self, value: ValueId) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(value);
        }
        if self.choices.below(3) == 1 {
            self.builder.function_mut().values[value.0 as usize].name = Some("some.name".into());
        }
    }

    /// All that may be used, lists too.
    fn in_scope(&self) -> Vec<ValueId> {
        self.scopes.concat()
    }

    /// The arrays of known sizes that may be used.
    fn visible(&self) -> Vec<ValueId> {
        let function = self.builder.function();
        let is_usual =
            |value: &ValueId| function.dtype_of(*value).is_some() && !function.ty(*value).has_unknown_sizes();
        self.in_scope().into_iter().filter(is_usual).collect()
    }

    fn ty(&mut self) -> TensorType {
        let dtype = self.choices.one_of(&[
            DType::F64,
            DType::I64,
            DType::Bool,
            DType::F32,
            DType::I32,
            DType::U8,
            DType::F64,
            DType::I64,
        ]);
        TensorType::known(dtype, self.choices.one_of(&SHAPES))
    }

    fn any(&mut self) -> ValueId {
        let visible = self.visible();
        // The latest values are the most interesting.
        visible[visible.len() - 1 - self.choices.below(visible.len())]
    }

    fn type_of(&self, value: ValueId) -> TensorType {
        self.builder.function().tensor(value).clone()
    }

    fn dtype_of(&self, value: ValueId) -> DType {
        self.type_of(value).dtype
    }

    /// A visible value for which `fits` holds, or a random constant of the type.
    fn value_of(&mut self, otherwise: &TensorType, fits: impl Fn(&TensorType) -> bool) -> ValueId {
        let fitting: Vec<ValueId> =
            self.visible().into_iter().filter(|value| fits(self.builder.function().tensor(*value))).collect();
        if fitting.is_empty() || self.choices.below(6) == 5 {
            return self.constant(otherwise);
        }
        fitting[fitting.len() - 1 - self.choices.below(fitting.len())]
    }

    fn of_type(&mut self, ty: &TensorType) -> ValueId {
        self.value_of(ty, |other| other == ty)
    }

    fn of_dtype(&mut self, dtype: DType) -> ValueId {
        self.value_of(&TensorType::scalar(dtype), |other| other.dtype == dtype)
    }

    fn constant(&mut self, ty: &TensorType) -> ValueId {
        let array = self.choices.array(ty);
        let constant = Constant { dtype: array.dtype, sizes: array.sizes, bytes: array.bytes.into() };
        self.emit(Op::Constant(constant), &[]).unwrap()
    }

    fn integer(&mut self, value: i64) -> ValueId {
        let bytes = value.to_ne_bytes().to_vec();
        self.emit(Op::Constant(Constant { dtype: DType::I64, sizes: vec![], bytes: bytes.into() }), &[])
            .unwrap()
    }

    fn emit(&mut self, op: Op, operands: &[ValueId]) -> Option<ValueId> {
        self.emit_with_regions(op, operands, Vec::new())
    }

    /// Emits if the op takes these operands, and binds the results.
    fn emit_with_regions(&mut self, op: Op, operands: &[ValueId], regions: Vec<Block>) -> Option<ValueId> {
        let location = if self.choices.below(4) == 0 { None } else { Some(LocationId(self.locations)) };
        let results = self.builder.emit_with_regions(op, operands, regions, location).ok()?;
        self.locations += u32::from(location.is_some());
        for result in &results {
            self.bind(*result);
        }
        results.first().copied()
    }

    /// One random node, with what it needs. An op that the operands do not fit gives none.
    fn node(&mut self, depth: usize) {
        match self.choices.below(41) {
            39 | 40 => self.reduced_int(),
            36 | 37 if depth < 2 => self.twin_branches(depth),
            38 if depth < 2 => self.flagged(depth),
            34 => self.taped(depth),
            35 => self.for_gradients(depth),
            30..=33 => self.sized(depth),
            0 => {
                let ty = self.ty();
                self.constant(&ty);
            }
            1..=5 => self.binary(),
            6 | 7 => self.unary(),
            8 => {
                let x = self.any();
                let y = self.of_dtype(self.dtype_of(x));
                let op = self.choices.one_of(CompareOp::ALL);
                self.emit(Op::Compare(op), &[x, y]);
            }
            9 => {
                let x = self.any();
                let y = self.of_dtype(self.dtype_of(x));
                let test = self.of_dtype(DType::Bool);
                self.emit(Op::Select, &[test, x, y]);
            }
            10 | 11 => {
                let x = self.any();
                let dtype = self.choices.one_of(&DType::ALL);
                self.emit(Op::Cast(dtype), &[x]);
            }
            12..=16 => self.moving(),
            17 | 18 => self.indexing(),
            19 | 20 => self.reducing(),
            21 => self.effect(),
            22 if depth < 3 => self.branch(depth),
            23 | 24 if depth < 3 => self.counted(depth),
            25 if depth < 3 => self.unbounded(depth),
            27 | 28 => self.list(depth),
            26 => {
                let dtype = self.choices.one_of(&[DType::I64, DType::F64, DType::Bool, DType::U8]);
                let size = self.choices.below(4);
                self.emit(Op::Iota { dtype, size }, &[]);
            }
            _ => self.dot(),
        }
    }

    fn binary(&mut self) {
        let x = self.any();
        let y = self.of_dtype(self.dtype_of(x));
        let op = self.choices.one_of(BinaryOp::ALL);
        let checked = self.dtype_of(x) == DType::I64 && self.choices.below(3) == 1;
        self.emit(Op::Binary(op, if checked { Overflow::Check } else { Overflow::Wrap }), &[x, y]);
    }

    fn unary(&mut self) {
        let x = self.any();
        let op = match self.dtype_of(x) {
            DType::F32 | DType::F64 => self.choices.one_of(UnaryOp::ALL),
            DType::Bool => self.choices.one_of(&[UnaryOp::LogicalNot, UnaryOp::BitNot]),
            _ => self.choices.one_of(&[UnaryOp::Neg, UnaryOp::Abs, UnaryOp::Sign, UnaryOp::BitNot]),
        };
        let checked = self.dtype_of(x) == DType::I64 && self.choices.below(3) == 1;
        self.emit(Op::Unary(op, if checked { Overflow::Check } else { Overflow::Wrap }), &[x]);
    }

    /// Broadcast, reshape, transpose, slice, concatenate.
    fn moving(&mut self) {
        let x = self.any();
        let ty = self.type_of(x);
        let sizes = ty.sizes().unwrap();
        match self.choices.below(6) {
            0 => {
                let shape = self.choices.one_of(&SHAPES);
                self.emit(Op::Broadcast(known_shape(shape)), &[x]);
            }
            1 => {
                let count: usize = sizes.iter().product();
                let shapes = [vec![count], vec![1, count], vec![count, 1], sizes, vec![count / 2, 2]];
                let shape = self.choices.one_of(&shapes);
                self.emit(Op::Reshape(known_shape(&shape)), &[x]);
            }
            2 => {
                let mut axes: Vec<usize> = (0..ty.rank()).collect();
                if self.choices.below(4) != 3 {
                    axes.reverse();
                }
                self.emit(Op::Transpose(axes), &[x]);
            }
            3 => {
                let (start, size, step) = self.slice(&sizes);
                self.emit(Op::Slice { start, size: known_shape(&size), step }, &[x]);
            }
            4 => {
                let (start, size, step) = self.slice(&sizes);
                let update = self.of_type(&TensorType::known(ty.dtype, &size));
                self.emit(Op::UpdateSlice { start, step }, &[x, update]);
            }
            _ => {
                let y = self.of_type(&ty);
                let axis = self.choices.below(ty.rank());
                self.emit(Op::Concatenate(axis), &[x, y, x]);
                self.emit(Op::ArgSort(axis), &[x]);
            }
        }
    }

    fn slice(&mut self, sizes: &[usize]) -> (Vec<i64>, Vec<usize>, Vec<i64>) {
        let (mut start, mut size, mut step) = (Vec::new(), Vec::new(), Vec::new());
        for extent in sizes {
            let first = self.choices.below(*extent);
            let backwards = self.choices.below(3) == 2;
            let longest = if backwards { first + 1 } else { extent - first.min(*extent) };
            start.push(first as i64);
            size.push(if *extent == 0 { 0 } else { self.choices.below(longest + 1) });
            step.push(if backwards { -1 } else { 1 });
        }
        (start, size, step)
    }

    /// An index for an axis of this size, in range most of the time.
    fn index(&mut self, extent: usize, shape_matters: bool) -> ValueId {
        let index = match shape_matters {
            true => self.of_type(&TensorType::scalar(DType::I64)),
            false => self.of_dtype(DType::I64),
        };
        if self.choices.below(6) == 5 {
            return index;
        }
        let extent = self.integer(extent as i64);
        self.emit(Op::Binary(BinaryOp::Mod, Overflow::Wrap), &[index, extent]).unwrap()
    }

    fn indexing(&mut self) {
        let x = self.value_of(&TensorType::known(DType::F64, &[3]), |ty| ty.rank() > 0);
        let ty = self.type_of(x);
        let sizes = ty.sizes().unwrap();
        let axis = self.choices.below(ty.rank());
        match self.choices.below(5) {
            4 => {
                let index = self.index(sizes[axis], false);
                let update = self.of_dtype(ty.dtype);
                self.emit(Op::Scatter { axis, count: 1, store: Store::Add }, &[x, update, index]);
            }
            0 => {
                let index = self.index(sizes[axis], false);
                self.emit(Op::Gather { axis, count: 1 }, &[x, index]);
            }
            1 => {
                let index = self.index(sizes[axis], false);
                let update = self.of_dtype(ty.dtype);
                self.emit(Op::Scatter { axis, count: 1, store: Store::Replace }, &[x, update, index]);
            }
            2 => {
                let index = self.index(sizes[axis], true);
                self.emit(Op::DynamicSlice { axis, size: 1.min(sizes[axis]) }, &[x, index]);
            }
            _ => {
                let index = self.index(sizes[axis], true);
                let mut block = ty.clone();
                block.shape[axis] = ag_ir::Dim::Known(1.min(sizes[axis]));
                let update = self.of_type(&block);
                self.emit(Op::DynamicUpdateSlice { axis }, &[x, update, index]);
            }
        }
    }

    fn reducing(&mut self) {
        let x = self.any();
        let ty = self.type_of(x);
        let sizes = ty.sizes().unwrap();
        let axis = self.choices.below(ty.rank());
        let op = self.choices.one_of(ReduceOp::ALL);
        // The front end refuses these for axes without elements.
        let is_extreme = matches!(op, ReduceOp::Max | ReduceOp::Min);
        if is_extreme && sizes.contains(&0) {
            return;
        }
        match self.choices.below(5) {
            4 if ty.dtype.is_float() && matches!(sizes[..], [.., 2, n] if n > 0) => {
                let is_inverse = self.choices.below(2) == 1;
                self.emit(Op::Fourier { is_inverse }, &[x]);
            }
            0 if ty.rank() > 0 => {
                self.emit(Op::ArgReduce { op, axis }, &[x]);
            }
            1 if ty.rank() > 0 => {
                self.emit(Op::Cumulative { op, axis }, &[x]);
            }
            2 => {
                let axes = (0..ty.rank()).collect();
                self.emit(Op::Reduce { op, axes, keepdims: false }, &[x]);
            }
            _ => {
                let keepdims = self.choices.below(2) == 1;
                let axes = if ty.rank() == 0 { vec![] } else { vec![axis] };
                self.emit(Op::Reduce { op, axes, keepdims }, &[x]);
            }
        }
    }

    fn dot(&mut self) {
        let x = self.any();
        let y = self.of_dtype(self.dtype_of(x));
        let last = self.type_of(x).rank().saturating_sub(1);
        let axes = DotAxes {
            left_batch: vec![],
            right_batch: vec![],
            left_contract: vec![last],
            right_contract: vec![0],
        };
        self.emit(Op::Dot(axes), &[x, y]);
    }

    fn effect(&mut self) {
        let value = self.any();
        if self.choices.below(2) == 0 {
            self.emit(Op::Print { site: 3 }, &[value]);
            return;
        }
        let ok = self.of_type(&TensorType::scalar(DType::Bool));
        let check = Check { error: "ValueError".into(), message: "bad".into(), site: None };
        self.emit(Op::Check(check), &[ok, value]);
    }

    /// What only a gradient asks about.
    fn for_gradients(&mut self, depth: usize) {
        let value = self.any();
        if depth >= 3 || self.choices.below(3) > 0 {
            match self.choices.one_of(&[Identity::Plain, Identity::StopGradient, Identity::WithSlope]) {
                Identity::WithSlope => self.emit(Op::Identity(Identity::WithSlope), &[value, value]),
                kind => self.emit(Op::Identity(kind), &[value]),
            };
            return;
        }
        let (params, types) = self.carries();
        let results: Vec<Type> = (0..self.choices.below(3)).map(|_| self.any_type()).collect();
        let primal = self.region(&types, &results, depth);
        self.emit_with_regions(Op::Scope(Scope::Checkpoint), &params, vec![primal]);
    }

    /// Values put on a tape, perhaps saved, and taken off again after some nodes.
    fn taped(&mut self, depth: usize) {
        let ty = self.any_type();
        let tape = self.builder.new_tape();
        let count = 1 + self.choices.below(3);
        for _ in 0..count {
            let value = self.of_any_type(&ty);
            self.emit(Op::TapePush(tape), &[value]);
            if depth < 3 {
                self.node(depth + 1);
            }
        }
        if self.choices.below(2) == 0 {
            let bytes = self.emit(Op::TapeSave(tape), &[]);
            self.emit(Op::TapeLoad(tape), bytes.as_slice());
        }
        for _ in 0..count {
            self.emit(Op::TapePop(TapePop { tape, ty: ty.clone() }), &[]);
        }
    }

    /// A region with these parameters, and results of these types.
    fn region(&mut self, params: &[Type], results: &[Type], depth: usize) -> Block {
        self.builder.open();
        self.scopes.push(Vec::new());
        for ty in params {
            let param = self.builder.param(ty.clone());
            self.bind(param);
        }
        for _ in 0..self.choices.below(7) {
            self.node(depth + 1);
        }
        let results = results.iter().map(|ty| self.of_any_type(ty)).collect();
        self.scopes.pop();
        self.builder.close(results)
    }

    fn branch(&mut self, depth: usize) {
        let test = self.of_type(&TensorType::scalar(DType::Bool));
        self.branch_on(test, depth);
    }

    fn branch_on(&mut self, test: ValueId, depth: usize) {
        let results: Vec<Type> = (0..self.choices.below(3)).map(|_| self.any_type()).collect();
        let then = self.region(&[], &results, depth);
        let otherwise = self.region(&[], &results, depth);
        self.emit_with_regions(Op::If, &[test], vec![then, otherwise]);
    }

    /// An array type, or now and then that of a list of such arrays.
    fn any_type(&mut self) -> Type {
        let ty = self.ty().into();
        if self.choices.below(4) == 3 { Type::list_of(ty) } else { ty }
    }

    fn carries(&mut self) -> (Vec<ValueId>, Vec<Type>) {
        let all = self.in_scope();
        let carries: Vec<ValueId> =
            (0..self.choices.below(4)).map(|_| all[all.len() - 1 - self.choices.below(all.len())]).collect();
        let types = carries.iter().map(|carry| self.builder.function().ty(*carry).clone()).collect();
        (carries, types)
    }

    fn counted(&mut self, depth: usize) {
        let (carries, types) = self.carries();
        let (first, count) = (self.choices.below(5) as i64 - 2, self.choices.below(4) as i64);
        let step = self.choices.one_of(&[1_i64, 2, -1]);
        let bounds = [self.integer(first), self.integer(first + step * count), self.integer(step)];
        let mut params = vec![Type::scalar(DType::I64)];
        params.extend(types.iter().cloned());
        let body = self.region(&params, &types, depth);
        self.emit_with_regions(Op::For, &[&bounds[..], &carries].concat(), vec![body]);
    }

    /// A `while` that ends: it counts up beside whatever else it does.
    fn unbounded(&mut self, depth: usize) {
        let (mut carries, mut types) = self.carries();
        let limit = self.choices.below(4) as i64;
        let (zero, one) = (self.integer(0), self.integer(1));
        carries.insert(0, zero);
        types.insert(0, Type::scalar(DType::I64));

        self.builder.open();
        self.scopes.push(Vec::new());
        let params: Vec<ValueId> = types.iter().map(|ty| self.builder.param(ty.clone())).collect();
        for param in &params {
            self.bind(*param);
        }
        for _ in 0..self.choices.below(4) {
            self.node(depth + 1);
        }
        let end = self.integer(limit);
        let goes_on = self.emit(Op::Compare(CompareOp::Lt), &[params[0], end]).unwrap();
        self.scopes.pop();
        let test = self.builder.close(vec![goes_on]);

        let mut body = self.region(&types, &types, depth);
        let counter = body.params[0];
        let results = std::mem::take(&mut body.results);
        self.builder.reopen(body);
        self.scopes.push(Vec::new());
        let next = self.emit(Op::Binary(BinaryOp::Add, Overflow::Wrap), &[counter, one]).unwrap();
        self.scopes.pop();
        let body = self.builder.close([&[next], &results[1..]].concat());
        self.emit_with_regions(Op::While, &carries, vec![test, body]);
    }
}
