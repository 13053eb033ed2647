//! An op from its word, the type of its result, and the attributes that follow its operands.

use super::{Read, Reader};
use crate::linear_algebra::Decomposition;
use crate::op::{
    BinaryOp, Call, Callback, Check, CompareOp, DotAxes, Identity, ListOp, Op, Overflow, ReduceOp, Scope,
    TapePop, UnaryOp, WithShape,
};
use crate::random::Draw;
use crate::types::Type;

impl Reader<'_> {
    /// The op with this word, which stands at `start`; the operands have been read.
    pub(super) fn op(&mut self, start: usize, word: &str, ty: Option<&Type>, operands: usize) -> Read<Op> {
        let (name, overflow) = match word.strip_suffix(".checked") {
            Some(name) => (name, Overflow::Check),
            None => (word, Overflow::Wrap),
        };
        if let Some(op) = UnaryOp::named(name) {
            return Ok(Op::Unary(op, overflow));
        }
        if let Some(op) = BinaryOp::named(name) {
            return Ok(Op::Binary(op, overflow));
        }
        let reduction = |prefix: &str| word.strip_prefix(prefix).and_then(ReduceOp::named);
        if let Some(op) = CompareOp::named(word) {
            return Ok(Op::Compare(op));
        }
        if let Some(op) = ReduceOp::named(word) {
            let axes = self.places("axes")?;
            let keepdims = self.scan.at_keyword("keepdims");
            if keepdims {
                self.scan.keyword("keepdims")?;
            }
            return Ok(Op::Reduce { op, axes, keepdims });
        }
        if let Some(op) = reduction("arg") {
            return Ok(Op::ArgReduce { op, axis: self.place("axis")? });
        }
        if let Some(op) = reduction("cum") {
            return Ok(Op::Cumulative { op, axis: self.place("axis")? });
        }
        if let Some(kind) = Decomposition::named(word) {
            return Ok(Op::Decompose(kind));
        }
        if let Some(op) = self.list_op(start, word, ty)? {
            return Ok(Op::List(op));
        }
        if word == "tape_pop" {
            let Some(ty) = ty.cloned() else {
                return Err(self.scan.fault_at(start, "tape_pop needs a result with a type"));
            };
            return Ok(Op::TapePop(TapePop { tape: self.tape()?, ty }));
        }
        if let Some(op) = self.typed_op(start, word, ty)? {
            return Ok(op);
        }
        match self.other_op(word, operands)? {
            Some(op) => Ok(op),
            None => Err(self.scan.fault_at(start, format!("no op is named {word}"))),
        }
    }

    /// Ops whose attributes the result's type gives.
    fn typed_op(&mut self, start: usize, word: &str, ty: Option<&Type>) -> Read<Option<Op>> {
        let draw = Draw::named(word);
        if draw.is_none()
            && !matches!(
                word,
                "constant" | "iota" | "iota_to" | "cast" | "broadcast" | "reshape" | "with_shape"
            )
        {
            return Ok(None);
        }
        let Some(ty) = ty.and_then(Type::tensor) else {
            return Err(self.scan.fault_at(start, format!("{word} needs a result with an array type")));
        };
        let sizes = || ty.sizes().ok_or_else(|| self.scan.fault_at(start, format!("{word} of unknown size")));
        if let Some(draw) = draw {
            return Ok(Some(Op::Random { draw, dtype: ty.dtype, shape: ty.shape.clone() }));
        }
        Ok(Some(match word {
            "constant" => {
                let sizes = sizes()?;
                Op::Constant(self.constant(ty.dtype, sizes)?)
            }
            "iota" => match sizes()?.as_slice() {
                [size] => Op::Iota { dtype: ty.dtype, size: *size },
                _ => return Err(self.scan.fault_at(start, "the result of iota has one dimension")),
            },
            "iota_to" => Op::IotaTo(ty.dtype),
            "cast" => Op::Cast(ty.dtype),
            "with_shape" => {
                self.key("message")?;
                let message = self.scan.quoted()?.into();
                Op::WithShape(WithShape { shape: ty.shape.clone(), message })
            }
            "broadcast" => Op::Broadcast(ty.shape.clone()),
            _ => Op::Reshape(ty.shape.clone()),
        }))
    }

    fn list_op(&mut self, start: usize, word: &str, ty: Option<&Type>) -> Read<Option<ListOp>> {
        Ok(match word {
            "list_make" => match ty.and_then(Type::element) {
                Some(element) => Some(ListOp::Make(element.clone())),
                None => return Err(self.scan.fault_at(start, "list_make needs a result with a list type")),
            },
            "list_stack" => {
                let size = if self.scan.at_keyword("size") { Some(self.place("size")?) } else { None };
                Some(ListOp::Stack { size })
            }
            word => ListOp::PLAIN.into_iter().find(|op| op.name() == word),
        })
    }

    fn other_op(&mut self, word: &str, operands: usize) -> Read<Option<Op>> {
        Ok(Some(match word {
            "select" => Op::Select,
            "transpose" => Op::Transpose(self.places("axes")?),
            "slice" => Op::Slice {
                start: self.integers("start")?,
                size: self.list("size", Self::dim)?,
                step: self.integers("step")?,
            },
            "dynamic_slice" => Op::DynamicSlice { axis: self.place("axis")?, size: self.place("size")? },
            "slice_range" => Op::SliceRange { axis: self.place("axis")? },
            "size" => Op::Size(self.place("axis")?),
            "nonzero" => Op::Nonzero,
            "update_slice" => {
                Op::UpdateSlice { start: self.integers("start")?, step: self.integers("step")? }
            }
            "dynamic_update_slice" => Op::DynamicUpdateSlice { axis: self.place("axis")? },
            "gather" => Op::Gather { axis: self.place("axis")?, count: operands.saturating_sub(1) },
            "scatter_add" => Op::ScatterAdd { axis: self.place("axis")?, count: operands.saturating_sub(2) },
            "scatter" => Op::Scatter { axis: self.place("axis")?, count: operands.saturating_sub(2) },
            "argsort" => Op::ArgSort(self.place("axis")?),
            "concatenate" => Op::Concatenate(self.place("axis")?),
            "dot" => self.dot()?,
            "solve_lu" => Op::SolveLu,
            "fft" => Op::Fourier { is_inverse: false },
            "inverse_fft" => Op::Fourier { is_inverse: true },
            "identity" => Op::Identity(Identity::Plain),
            "stop_gradient" => Op::Identity(Identity::StopGradient),
            "tape_push" => Op::TapePush(self.tape()?),
            "checkpoint" => Op::Scope(Scope::Checkpoint),
            "memory_limit" => Op::Scope(Scope::MemoryLimit(self.bytes()?)),
            "custom_vjp" => Op::Scope(Scope::CustomVjp),
            "custom_jvp" => Op::Scope(Scope::CustomJvp),
            "if" => Op::If,
            "while" => Op::While,
            "for" => Op::For,
            "call" => Op::Call(Call { callee: self.place("callee")?, results: Vec::new() }),
            "callback" => Op::Callback(Callback { site: self.site()?.unwrap_or(0), results: Vec::new() }),
            "check" => self.check()?,
            "keep" => Op::Keep(self.slot()?),
            "keep_end" => Op::KeepEnd(self.slot()?),
            "print" => Op::Print { site: self.site()?.unwrap_or(0) },
            _ => return Ok(None),
        }))
    }

    fn dot(&mut self) -> Read<Op> {
        let batched = self.scan.at_keyword("left_batch");
        let (left_batch, right_batch) = if batched {
            (self.places("left_batch")?, self.places("right_batch")?)
        } else {
            (Vec::new(), Vec::new())
        };
        let (left_contract, right_contract) = (self.places("left_contract")?, self.places("right_contract")?);
        Ok(Op::Dot(DotAxes { left_batch, right_batch, left_contract, right_contract }))
    }

    fn check(&mut self) -> Read<Op> {
        self.key("error")?;
        let error = self.scan.quoted()?.into();
        self.key("message")?;
        let message = self.scan.quoted()?.into();
        Ok(Op::Check(Check { error, message, site: self.site()? }))
    }

    fn site(&mut self) -> Read<Option<u32>> {
        if !self.scan.at_keyword("site") {
            return Ok(None);
        }
        self.key("site")?;
        self.scan.number("the number of a site").map(Some)
    }

    fn tape(&mut self) -> Read<u32> {
        self.key("tape")?;
        self.scan.number("the number of a tape")
    }

    fn slot(&mut self) -> Read<u32> {
        self.key("slot")?;
        self.scan.number("the number of a slot")
    }

    fn bytes(&mut self) -> Read<u64> {
        self.key("bytes")?;
        self.scan.number("a number of bytes")
    }

    fn key(&mut self, key: &str) -> Read<()> {
        self.scan.keyword(key)?;
        self.scan.symbol("=")
    }

    /// `key=3`.
    fn place(&mut self, key: &str) -> Read<usize> {
        self.key(key)?;
        self.scan.number("a number")
    }

    /// `key=[0, 1]`.
    fn places(&mut self, key: &str) -> Read<Vec<usize>> {
        self.list(key, |reader| reader.scan.number("a number"))
    }

    /// `key=[0, -1]`.
    fn integers(&mut self, key: &str) -> Read<Vec<i64>> {
        self.list(key, |reader| {
            let start = reader.scan.here();
            let numeral = reader.scan.numeral()?;
            numeral.parse().map_err(|_| reader.scan.fault_at(start, format!("{numeral} is not an integer")))
        })
    }

    fn list<T>(&mut self, key: &str, mut item: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        self.key(key)?;
        self.scan.symbol("[")?;
        let mut items = Vec::new();
        while !self.scan.take("]") {
            if !items.is_empty() {
                self.scan.symbol(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }
}
