//! Loops whose rows run side by side: the kernel runs them, and says which rows the loop has to run.

use cranelift_codegen::entity::EntityRef;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::lowerer::{Lowerer, flags};
use crate::error::CompileError;
use crate::kernels::rows::NOT_BEGUN;
use crate::plan::step::RowsPlan;

impl Lowerer<'_, '_> {
    /// Runs the rows, up to the first that the loop has to run; `slots` are the pointers of the loop's slots.
    pub(super) fn first_row(&mut self, rows: &RowsPlan, slots: &[Value]) -> Result<Value, CompileError> {
        let scratch = self.memory(rows.scratch);
        let not_begun = self.int(types::I64, NOT_BEGUN);
        self.builder.ins().store(flags(), not_begun, scratch, 0);
        self.next_row(rows, slots)
    }

    /// The next row that the loop has to run, or where the rows end.
    pub(super) fn next_row(&mut self, rows: &RowsPlan, slots: &[Value]) -> Result<Value, CompileError> {
        let mut pointers = Vec::new();
        for (number, value) in rows.reads.iter().enumerate() {
            let code = self.get(*value)?;
            pointers.push(if self.is_scalar(*value) { self.spill(code, number) } else { code });
        }
        pointers.extend(rows.writes.iter().map(|slot| slots[slot.index()]));
        let scratch = self.memory(rows.scratch);
        pointers.push(scratch);
        for (number, pointer) in pointers.into_iter().enumerate() {
            self.builder.ins().stack_store(types::I64, pointer, self.pointers, number as i32 * 8);
        }
        self.run_kernel(rows.kernel);
        Ok(self.load(types::I64, scratch, 0))
    }
}
