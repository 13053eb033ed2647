//! The contract of a kernel's memory, checked at a call. The rules are on the page `docs/kernels.md`.
//!
//! The check runs in builds with debug assertions, and in any other build with `AUTOGRAPH_CHECKS=1`:
//! generated code then runs kernels through a checking function. Otherwise the contract costs nothing.

use std::ops::Range;

use crate::lists::{CELL_BYTES, Cell, Element};

/// What a kernel assumes about one of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OperandRule {
    /// The size in bytes.
    pub(crate) bytes: usize,
    /// The required alignment of the address.
    pub(crate) alignment: usize,
    /// What the address points to.
    pub(crate) content: Content,
    /// How the kernel accesses it.
    pub(crate) access: Access,
}

/// What the address of an operand points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// The elements of a dense array.
    Elements,
    /// The cell of an array, with its rank and the bytes of an element.
    ArrayCell(usize, usize),
    /// The cell of a list, with its element type; none if its values have no size.
    ListCell(Option<Element>),
    /// Memory for the kernel's own use.
    Scratch,
}

/// What a kernel does with an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// The kernel reads it.
    Read,
    /// The kernel writes it, and reads it if the kernel is an update.
    Write,
    /// The kernel writes it over the operand of this number, which starts at the same address.
    WriteOver(usize),
}

/// The first rule that a call breaks, in words; none if it breaks no rule. `buffers` are the known address
/// ranges: the arena, the arguments and the results of the run.
///
/// # Safety
/// Cells are readable. K2 and K3 are checked first, but cannot be for memory outside of `buffers`.
pub(crate) unsafe fn broken_rule(
    rules: &[OperandRule],
    operands: &[*mut u8],
    buffers: &[Range<usize>],
) -> Option<String> {
    if rules.len() != operands.len() {
        return Some(format!("K1: {} operands, not {}", operands.len(), rules.len()));
    }
    let places = || rules.iter().zip(operands).enumerate();
    let of_one = places().find_map(|(number, (rule, operand))| {
        let words = outside(*rule, *operand, buffers)?;
        Some(format!("{words} (operand {number})"))
    });
    if of_one.is_some() {
        return of_one;
    }
    let of_cell = places().find_map(|(number, (rule, operand))| {
        // SAFETY: K2 and K3 were checked as far as `buffers` allow.
        let words = unsafe { wrong_cell(*rule, *operand)? };
        Some(format!("{words} (operand {number})"))
    });
    of_cell.or_else(|| overlap(rules, operands))
}

/// Which rule the address of an operand breaks, if any.
fn outside(rule: OperandRule, operand: *mut u8, buffers: &[Range<usize>]) -> Option<String> {
    let (start, bytes) = (operand.addr(), rule.bytes);
    if bytes == 0 {
        return None;
    }
    if operand.is_null() {
        return Some(format!("K2: {bytes} bytes at no address"));
    }
    if !start.is_multiple_of(rule.alignment) {
        return Some(format!("K3: address {start:#x} is no multiple of {}", rule.alignment));
    }
    let mut around = buffers.iter().filter(|buffer| buffer.contains(&start)).peekable();
    around.peek()?;
    let is_inside = around.any(|buffer| bytes <= buffer.end - start);
    (!is_inside).then(|| format!("K2: {bytes} bytes at {start:#x} go beyond their buffer"))
}

/// Which rule the contents of a cell break, if any; only for a cell that is read.
///
/// # Safety
/// If the operand is a cell, it is readable.
unsafe fn wrong_cell(rule: OperandRule, operand: *mut u8) -> Option<String> {
    if rule.access != Access::Read {
        return None;
    }
    let element_bytes = match rule.content {
        Content::Elements | Content::Scratch => return None,
        Content::ArrayCell(_, element_bytes) => element_bytes,
        Content::ListCell(element) => element?.stride(),
    };
    // SAFETY: the caller's.
    let cell = unsafe { &*operand.cast::<Cell>() };
    let bytes = cell.length.saturating_mul(element_bytes);
    if bytes > 0 && cell.data.is_null() {
        return Some(format!("K5: a cell of {} values at no address", cell.length));
    }
    if cell.capacity > 0 && bytes > cell.capacity {
        return Some(format!("K5: a cell of {bytes} bytes with room for {}", cell.capacity));
    }
    let Content::ArrayCell(rank, _) = rule.content else { return None };
    let count = cell.sizes[..rank].iter().try_fold(1_usize, |count, size| count.checked_mul(*size));
    (count != Some(cell.length))
        .then(|| format!("K5: a cell of {} elements with sizes {:?}", cell.length, &cell.sizes[..rank]))
}

/// Describes two operands that overlap and must not, if there are any.
fn overlap(rules: &[OperandRule], operands: &[*mut u8]) -> Option<String> {
    let range = |number: usize| {
        let start = operands[number].addr();
        start..start.saturating_add(rules[number].bytes)
    };
    for (written, rule) in rules.iter().enumerate() {
        let over = match rule.access {
            Access::Read => continue,
            Access::Write => None,
            Access::WriteOver(other) => Some(other),
        };
        for other in (0..rules.len()).filter(|other| *other != written) {
            let (a, b) = (range(written), range(other));
            let meets = !a.is_empty() && !b.is_empty() && a.start < b.end && b.start < a.end;
            if meets && !(over == Some(other) && a.start == b.start) {
                return Some(format!("K4: operand {written} is written over operand {other}"));
            }
        }
    }
    None
}

impl OperandRule {
    /// The rule for a dense array of `bytes` bytes.
    pub(crate) const fn elements(bytes: usize, element_bytes: usize, access: Access) -> Self {
        Self { bytes, alignment: element_bytes, content: Content::Elements, access }
    }

    /// The rule for a cell.
    pub(crate) const fn cell(content: Content, access: Access) -> Self {
        Self { bytes: CELL_BYTES, alignment: align_of::<Cell>(), content, access }
    }

    /// The rule for scratch, aligned for any element.
    pub(crate) const fn scratch(bytes: usize) -> Self {
        Self { bytes, alignment: align_of::<u64>(), content: Content::Scratch, access: Access::Write }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: OperandRule = OperandRule::elements(32, 8, Access::Read);
    const WRITTEN: OperandRule = OperandRule::elements(32, 8, Access::Write);

    /// The rule that operands at these offsets of a buffer of 128 bytes break.
    fn broken(rules: &[OperandRule], offsets: &[usize]) -> Option<String> {
        let mut memory = [0_u64; 16];
        let start = memory.as_mut_ptr().cast::<u8>();
        let operands: Vec<*mut u8> = offsets.iter().map(|offset| start.wrapping_add(*offset)).collect();
        let buffer = start.addr()..start.addr() + size_of_val(&memory);
        // SAFETY: no rule is of a cell.
        unsafe { broken_rule(rules, &operands, &[buffer]) }.map(|words| words[..2].to_owned())
    }

    #[test]
    fn a_call_that_keeps_all_rules_breaks_none() {
        assert_eq!(broken(&[READ, READ, WRITTEN], &[0, 0, 32]), None);
        assert_eq!(broken(&[READ, WRITTEN], &[0, 96]), None);
    }

    #[test]
    fn each_rule_is_found_broken() {
        assert_eq!(broken(&[READ], &[0, 32]).as_deref(), Some("K1"));
        assert_eq!(broken(&[READ], &[104]).as_deref(), Some("K2"), "beyond the end of the buffer");
        assert_eq!(broken(&[READ], &[4]).as_deref(), Some("K3"));
        assert_eq!(broken(&[READ, WRITTEN], &[0, 24]).as_deref(), Some("K4"));
        assert_eq!(broken(&[WRITTEN, WRITTEN], &[0, 0]).as_deref(), Some("K4"), "two results");
        assert_eq!(broken(&[READ, WRITTEN], &[0, 0]).as_deref(), Some("K4"));
    }

    #[test]
    fn a_result_may_be_where_its_operand_is_and_nowhere_near() {
        let over = OperandRule { access: Access::WriteOver(0), ..WRITTEN };
        assert_eq!(broken(&[READ, over], &[0, 0]), None);
        assert_eq!(broken(&[READ, over], &[0, 8]).as_deref(), Some("K4"));
        assert_eq!(broken(&[READ, READ, over], &[0, 0, 0]).as_deref(), Some("K4"), "twins");
    }

    #[test]
    fn a_cell_describes_what_it_holds() {
        let rule = OperandRule::cell(Content::ArrayCell(2, 8), Access::Read);
        let words = |cell: &mut Cell| {
            // SAFETY: the cell is one.
            unsafe { broken_rule(&[rule], &[std::ptr::from_mut(cell).cast()], &[]) }
        };
        let elements = [0_u64; 6];
        let mut cell = Cell::borrowed_array(elements.as_ptr().cast(), &[2, 3]);
        assert_eq!(words(&mut cell), None);
        cell.sizes[0] = 3;
        assert!(words(&mut cell).is_some_and(|words| words.starts_with("K5")));
        cell = Cell { capacity: 40, ..Cell::borrowed_array(elements.as_ptr().cast(), &[2, 3]) };
        assert!(words(&mut cell).is_some_and(|words| words.contains("room for 40")));
        cell = Cell { data: std::ptr::null_mut(), ..Cell::borrowed_array(elements.as_ptr().cast(), &[2, 3]) };
        assert!(words(&mut cell).is_some_and(|words| words.contains("no address")));
    }
}
