//! Closure conversion of the regions of a rule: what they use of the values around becomes an operand.
//!
//! ```text
//! custom_jvp %2 primal(%3) { … } tangent(%4, %5) { … mul %5, %1 … }
//!
//! custom_jvp %2, %1 primal(%3, %6) { … } tangent(%4, %7, %5, %8) { … mul %5, %7 … }
//! ```
//!
//! The rule then takes these values for constants: their tangents (`%8`) are not used. Derivatives around the one
//! that uses the rule differentiate it by them, as by any operand. That is right where the rule's derivative by
//! them is zero, as in the implicit function theorem, whose linear map multiplies a zero.

use std::collections::BTreeMap;

use ag_ir::{Block, Builder, ValueId};

use crate::captures::free_values;
use crate::inline::rename_uses;

/// The operands and the two regions of a `custom_jvp` that uses no value around it.
pub fn closed(
    builder: &mut Builder,
    operands: &[ValueId],
    [mut primal, mut tangent]: [Block; 2],
) -> (Vec<ValueId>, [Block; 2]) {
    let free: Vec<ValueId> =
        free_values(builder, &primal).union(&free_values(builder, &tangent)).copied().collect();
    let mut own = |value: &ValueId| {
        let ty = builder.function().ty(*value).clone();
        builder.function_mut().new_value(ty)
    };
    for region in [&mut primal, &mut tangent] {
        let params: Vec<ValueId> = free.iter().map(&mut own).collect();
        let names: BTreeMap<ValueId, ValueId> = free.iter().copied().zip(params.iter().copied()).collect();
        rename_uses(region, &names);
        region.params.splice(operands.len()..operands.len(), params);
    }
    let smooth: Vec<&ValueId> =
        free.iter().filter(|value| builder.function().ty(**value).has_tangent()).collect();
    for value in smooth {
        let ty = builder.function().ty(*value).clone();
        tangent.params.push(builder.function_mut().new_value(ty));
    }
    ([operands, &free[..]].concat(), [primal, tangent])
}
