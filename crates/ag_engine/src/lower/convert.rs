//! Conversion of scalars, as `kernels/elementwise/cast.rs` does it for arrays.

use ag_ir::DType;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Type, Value, types};

use super::lowerer::Lowerer;
use super::scalar_type::scalar_type;

impl Lowerer<'_, '_> {
    pub(super) fn convert(&mut self, a: Value, from: DType, to: DType) -> Value {
        match (from.is_float(), to) {
            _ if from == to => a,
            (false, DType::Bool) => self.builder.ins().icmp_imm_s(IntCC::NotEqual, a, 0),
            (true, DType::Bool) => {
                let zero = self.float(from, 0.0);
                self.builder.ins().fcmp(FloatCC::NotEqual, a, zero)
            }
            (false, DType::F32 | DType::F64) => {
                let wide = if matches!(from, DType::Bool | DType::U8) {
                    self.builder.ins().uextend(types::I32, a)
                } else {
                    a
                };
                self.builder.ins().fcvt_from_sint(scalar_type(to), wide)
            }
            (true, DType::F32) => self.builder.ins().fdemote(types::F32, a),
            (true, DType::F64) => self.builder.ins().fpromote(types::F64, a),
            (true, DType::U8) => {
                let wide = self.float_to_integer(a, from, types::I32);
                self.builder.ins().ireduce(types::I8, wide)
            }
            (true, _) => self.float_to_integer(a, from, scalar_type(to)),
            (false, _) => self.resize(a, from, scalar_type(to)),
        }
    }

    fn float(&mut self, dtype: DType, value: f64) -> Value {
        match dtype {
            DType::F32 => self.builder.ins().f32const(value as f32),
            _ => self.builder.ins().f64const(value),
        }
    }

    /// Converts a float; out of range and for NaN the result is the smallest integer, as in NumPy on x86.
    fn float_to_integer(&mut self, a: Value, from: DType, to: Type) -> Value {
        let (limit, least) = if to == types::I64 {
            (9_223_372_036_854_775_808.0, i64::MIN)
        } else {
            (2_147_483_648.0, i64::from(i32::MIN as u32))
        };
        let (low, high) = (self.float(from, -limit), self.float(from, limit));
        let is_above = self.builder.ins().fcmp(FloatCC::GreaterThanOrEqual, a, low);
        let is_below = self.builder.ins().fcmp(FloatCC::LessThan, a, high);
        let is_inside = self.builder.ins().band(is_above, is_below);
        let value = self.builder.ins().fcvt_to_sint_sat(to, a);
        let least = self.int(to, least);
        self.builder.ins().select(is_inside, value, least)
    }

    fn resize(&mut self, a: Value, from: DType, to: Type) -> Value {
        let own = scalar_type(from);
        if own == to {
            a
        } else if own.bits() > to.bits() {
            self.builder.ins().ireduce(to, a)
        } else if from == DType::I32 {
            self.builder.ins().sextend(to, a)
        } else {
            self.builder.ins().uextend(to, a)
        }
    }
}
