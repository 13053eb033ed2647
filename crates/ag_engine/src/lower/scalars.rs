//! Scalar arithmetic as instructions.
//!
//! An op that the processor has becomes an instruction. Functions of floats (`sin`, `pow`, `//`, …) are
//! called with scalars in registers; the rest calls the loop of the array kernel with a count of one. Both
//! have the definition of the array kernel, so that scalars and arrays of `float32` agree to the last bit.

use ag_ir::{BinaryOp, CompareOp, Constant, DType, Node, Op, Overflow, UnaryOp, ValueId};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::lowerer::Lowerer;
use super::scalar_type::scalar_type;
use crate::error::CompileError;
use crate::isa::Isa;
use crate::kernels::elementwise::{ScalarFn, can_fail, function_of, scalar_function_of};
use crate::runtime::context::FailureCode;

impl Lowerer<'_, '_> {
    pub(super) fn lower_scalar(&mut self, node: &Node) -> Result<(), CompileError> {
        let result = node.results[0];
        let code = match &node.op {
            Op::Constant(constant) => self.constant(result, constant, node)?,
            Op::Unary(op, overflow) => {
                let (a, dtype) = (self.get(node.operands[0])?, self.dtype(node.operands[0]));
                match self.unary(*op, *overflow, dtype, a, node) {
                    Some(code) => code,
                    None => self.call_function(node)?,
                }
            }
            Op::Binary(op, overflow) => {
                let (a, b) = (self.get(node.operands[0])?, self.get(node.operands[1])?);
                let emitted = if self.dtype(node.operands[0]).is_float() {
                    self.binary_float(*op, a, b)
                } else {
                    self.binary_integer(*op, *overflow, a, b, node)
                };
                match emitted {
                    Some(code) => code,
                    None => self.call_function(node)?,
                }
            }
            Op::Compare(op) => {
                if let Some(truth) = self.truth_of(*op, node) {
                    self.int(types::I8, i64::from(truth))
                } else {
                    let (a, b) = (self.get(node.operands[0])?, self.get(node.operands[1])?);
                    self.compare(*op, self.dtype(node.operands[0]), a, b)
                }
            }
            Op::Select => {
                let [condition, a, b] = [0, 1, 2].map(|operand| self.get(node.operands[operand]));
                let (condition, a, b) = (condition?, a?, b?);
                self.builder.ins().select(condition, a, b)
            }
            Op::MulAddMod => self.mul_add_mod(node)?,
            Op::Cast(to) => {
                let (a, from) = (self.get(node.operands[0])?, self.dtype(node.operands[0]));
                if let (Some(known), true, true) =
                    (self.known.get(&node.operands[0]).copied(), from == DType::I64, *to == DType::I64)
                {
                    self.known.insert(result, known);
                }
                self.convert(a, from, *to)
            }
            op => return Err(CompileError::new(format!("{op:?} is no scalar arithmetic"), node.location)),
        };
        self.set(result, code);
        Ok(())
    }

    fn constant(&mut self, result: ValueId, constant: &Constant, node: &Node) -> Result<Value, CompileError> {
        let malformed = || CompileError::new("a literal has too few bytes", node.location);
        let bytes = &constant.bytes;
        let code = match constant.dtype {
            DType::F64 => {
                let bits = u64::from_ne_bytes(bytes[..].try_into().map_err(|_| malformed())?);
                self.builder.ins().f64const(f64::from_bits(bits))
            }
            DType::F32 => {
                let bits = u32::from_ne_bytes(bytes[..].try_into().map_err(|_| malformed())?);
                self.builder.ins().f32const(f32::from_bits(bits))
            }
            dtype => {
                let number = match dtype {
                    DType::I64 => i64::from_ne_bytes(bytes[..].try_into().map_err(|_| malformed())?),
                    DType::I32 => {
                        i64::from(i32::from_ne_bytes(bytes[..].try_into().map_err(|_| malformed())?))
                    }
                    _ => i64::from(*bytes.first().ok_or_else(malformed)?),
                };
                self.known.insert(result, number);
                let ty = scalar_type(dtype);
                // Cranelift expects the unsigned bits of a narrow constant.
                let bits = match dtype {
                    DType::I32 => i64::from(number as u32),
                    _ => number,
                };
                self.int(ty, bits)
            }
        };
        Ok(code)
    }

    fn unary(
        &mut self,
        op: UnaryOp,
        overflow: Overflow,
        dtype: DType,
        a: Value,
        node: &Node,
    ) -> Option<Value> {
        if dtype.is_float() {
            return self.unary_float(op, dtype, a);
        }
        let ty = scalar_type(dtype);
        if dtype == DType::Bool {
            return match op {
                UnaryOp::LogicalNot | UnaryOp::BitNot => Some(self.builder.ins().bxor_imm_s(a, 1)),
                _ => None,
            };
        }
        match op {
            UnaryOp::BitNot => Some(self.builder.ins().bnot(a)),
            UnaryOp::Neg => {
                if overflow == Overflow::Check {
                    let is_least = self.builder.ins().icmp_imm_s(IntCC::Equal, a, i64::MIN);
                    self.overflow_if(is_least, node.location);
                }
                Some(self.builder.ins().ineg(a))
            }
            UnaryOp::Abs if dtype != DType::U8 => {
                if overflow == Overflow::Check {
                    let is_least = self.builder.ins().icmp_imm_s(IntCC::Equal, a, i64::MIN);
                    self.overflow_if(is_least, node.location);
                }
                let zero = self.int(ty, 0);
                let is_negative = self.builder.ins().icmp(IntCC::SignedLessThan, a, zero);
                let opposite = self.builder.ins().ineg(a);
                Some(self.builder.ins().select(is_negative, opposite, a))
            }
            _ => None,
        }
    }

    fn unary_float(&mut self, op: UnaryOp, dtype: DType, a: Value) -> Option<Value> {
        let infinity = match dtype {
            DType::F32 => self.builder.ins().f32const(f32::INFINITY),
            _ => self.builder.ins().f64const(f64::INFINITY),
        };
        Some(match op {
            UnaryOp::Neg => self.builder.ins().fneg(a),
            UnaryOp::Abs => self.builder.ins().fabs(a),
            UnaryOp::Sqrt => self.builder.ins().sqrt(a),
            UnaryOp::Floor => self.builder.ins().floor(a),
            UnaryOp::Ceil => self.builder.ins().ceil(a),
            UnaryOp::Trunc => self.builder.ins().trunc(a),
            UnaryOp::Rint => self.builder.ins().nearest(a),
            UnaryOp::IsNan => self.builder.ins().fcmp(FloatCC::Unordered, a, a),
            UnaryOp::IsInf => {
                let magnitude = self.builder.ins().fabs(a);
                self.builder.ins().fcmp(FloatCC::Equal, magnitude, infinity)
            }
            UnaryOp::IsFinite => {
                let magnitude = self.builder.ins().fabs(a);
                self.builder.ins().fcmp(FloatCC::LessThan, magnitude, infinity)
            }
            _ => return None,
        })
    }

    fn binary_float(&mut self, op: BinaryOp, a: Value, b: Value) -> Option<Value> {
        Some(match op {
            BinaryOp::Add => self.builder.ins().fadd(a, b),
            BinaryOp::Sub => self.builder.ins().fsub(a, b),
            BinaryOp::Mul => self.builder.ins().fmul(a, b),
            BinaryOp::Div => self.builder.ins().fdiv(a, b),
            BinaryOp::Maximum => self.extreme(FloatCC::GreaterThanOrEqual, a, b),
            BinaryOp::Minimum => self.extreme(FloatCC::LessThanOrEqual, a, b),
            _ => return None,
        })
    }

    /// `a` if it compares as `wins` or is a NaN, else `b`.
    fn extreme(&mut self, wins: FloatCC, a: Value, b: Value) -> Value {
        let is_better = self.builder.ins().fcmp(wins, a, b);
        let is_nan = self.builder.ins().fcmp(FloatCC::Unordered, a, a);
        let takes = self.builder.ins().bor(is_better, is_nan);
        self.builder.ins().select(takes, a, b)
    }

    pub(super) fn compare(&mut self, op: CompareOp, dtype: DType, a: Value, b: Value) -> Value {
        if dtype.is_float() {
            // `>` is written as `<`: that is what the code generator knows as half of a minimum or maximum.
            let (condition, a, b) = match op {
                CompareOp::Eq => (FloatCC::Equal, a, b),
                CompareOp::Ne => (FloatCC::NotEqual, a, b),
                CompareOp::Lt => (FloatCC::LessThan, a, b),
                CompareOp::Le => (FloatCC::LessThanOrEqual, a, b),
                CompareOp::Gt => (FloatCC::LessThan, b, a),
                CompareOp::Ge => (FloatCC::LessThanOrEqual, b, a),
            };
            return self.builder.ins().fcmp(condition, a, b);
        }
        let is_signed = matches!(dtype, DType::I32 | DType::I64);
        let condition = match (op, is_signed) {
            (CompareOp::Eq, _) => IntCC::Equal,
            (CompareOp::Ne, _) => IntCC::NotEqual,
            (CompareOp::Lt, true) => IntCC::SignedLessThan,
            (CompareOp::Le, true) => IntCC::SignedLessThanOrEqual,
            (CompareOp::Gt, true) => IntCC::SignedGreaterThan,
            (CompareOp::Ge, true) => IntCC::SignedGreaterThanOrEqual,
            (CompareOp::Lt, false) => IntCC::UnsignedLessThan,
            (CompareOp::Le, false) => IntCC::UnsignedLessThanOrEqual,
            (CompareOp::Gt, false) => IntCC::UnsignedGreaterThan,
            (CompareOp::Ge, false) => IntCC::UnsignedGreaterThanOrEqual,
        };
        self.builder.ins().icmp(condition, a, b)
    }

    /// Calls the function of an op.
    fn call_function(&mut self, node: &Node) -> Result<Value, CompileError> {
        let dtype = self.dtype(node.operands[0]);
        // A `float64` scalar is computed by the C library, as `math.tanh` does it.
        let isa = if dtype == DType::F64 { Isa::Base.min(self.isa) } else { self.isa };
        let Some(ScalarFn(function)) = scalar_function_of(&node.op, dtype, isa) else {
            return self.call_loop(node, dtype, isa);
        };
        let ty = scalar_type(dtype);
        let operands = node.operands.iter().map(|operand| self.get(*operand));
        let operands = operands.collect::<Result<Vec<_>, _>>()?;
        let result = self.call(function, &vec![ty; operands.len()], Some(ty), &operands);
        result.ok_or_else(|| CompileError::new("a function of scalars gives nothing", node.location))
    }

    /// Calls the array loop of an op for one element.
    fn call_loop(&mut self, node: &Node, dtype: DType, isa: Isa) -> Result<Value, CompileError> {
        let function = function_of(&node.op, dtype, isa).ok_or_else(|| {
            CompileError::new(format!("{:?} is not defined on {dtype}", node.op), node.location)
        })?;
        let result = self.scalar_address(3);
        let mut args = vec![result];
        for place in 0..3 {
            let operand = node.operands.get(place).copied().unwrap_or(node.operands[0]);
            let scalar = self.get(operand)?;
            let address = self.spill(scalar, place);
            args.push(address);
        }
        let one = self.int(types::I64, 1);
        args.push(one);
        let failed = self.call(function as *const u8, &[types::I64; 5], Some(types::I8), &args);
        if let (true, Some(failed)) = (can_fail(&node.op, dtype), failed) {
            self.fail_scalar(failed, node)?;
        }
        let ty = scalar_type(self.dtype(node.results[0]));
        Ok(self.load(ty, result, 0))
    }

    fn fail_scalar(&mut self, failed: Value, node: &Node) -> Result<(), CompileError> {
        let (failing, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(failing);
        self.builder.ins().brif(failed, failing, &[], next, &[]);
        self.builder.switch_to_block(failing);
        let mut code = self.int(types::I64, FailureCode::Overflow as i64);
        if let Op::Binary(BinaryOp::Pow, _) = node.op {
            let exponent = self.get(node.operands[1])?;
            let is_negative = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, exponent, 0);
            let negative = self.int(types::I64, FailureCode::NegativePower as i64);
            code = self.builder.ins().select(is_negative, negative, code);
        }
        self.fail_with(code, node.location, &[]);
        self.builder.switch_to_block(next);
        Ok(())
    }
}
