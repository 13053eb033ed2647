//! Tangents of decompositions of matrices, by Giles (2008), "Collected matrix derivative results for
//! forward and reverse mode algorithmic differentiation".
//!
//! ```text
//! P A = L U      E = L⁻¹ P dA U⁻¹          dL = L (E below the diagonal)     dU = (E from it on) U
//! A = L Lᵀ       E = L⁻¹ dA L⁻ᵀ            dL = L (E below the diagonal, half of it there)
//! ```
//!
//! `cholesky`, `eigh` and `eigenvalues` read only the lower triangle, so their derivatives with respect to
//! the elements above it are zero.
//!
//! Complex matrices are real ones of blocks `[[x, -y], [y, x]]`, whose transposes are the conjugate ones. The
//! rules of `cholesky` and `qr` hold for them as they stand: the blocks on the diagonal are real numbers. For the
//! others, the diagonal is that of the blocks. Vectors of a complex matrix have phases that it does not say;
//! the tangents are JAX's: `diag(Vᴴ dV) = 0` for `eigh`, and for `svd` too, where `U` takes what is
//! imaginary on the diagonal of `Uᴴ dA V`.

use ag_ir::{CompareOp, Decomposition, Op, ValueId};

use super::matrices::{
    Length, Stack, block_test, block_triangle, diagonal_of, embedded, exchange, product, sliced, transposed,
    triangle, unit_lower,
};
use super::{Emitted, Tangents};
use crate::error::GradientError;
use crate::site::Site;

pub(super) fn parts(site: &mut Site<'_>, kind: Decomposition, tangents: &[Option<ValueId>]) -> Tangents {
    let Some(t) = tangents[0] else { return Ok(vec![None]) };
    let shape = site.operand_type(0).tensor().map(|ty| ty.shape.clone()).unwrap_or_default();
    let (m, n) = (shape[shape.len() - 2], shape[shape.len() - 1]);
    let known = m.known().zip(n.known());
    let block = kind.block();
    let t = if block == 1 { t } else { embedding(site, t)? };
    let tangent = match kind.of_reals().0 {
        Decomposition::Lu => lu(site, t, block)?,
        Decomposition::Cholesky => cholesky(site, t, block)?,
        Decomposition::Qr => qr(site, t)?,
        Decomposition::CompleteQr if known.is_some_and(|(m, n)| m <= n) => qr(site, t)?,
        Decomposition::CompleteQr => {
            return site
                .refuse("the columns that complete `q` are not determined, so they have no derivative");
        }
        Decomposition::Svd => svd(site, t, block)?,
        Decomposition::FullSvd if known.is_some_and(|(m, n)| m == n) => svd(site, t, block)?,
        Decomposition::FullSvd => {
            return site.refuse(
                "the vectors that complete `u` or `vh` are not determined, so they have no derivative; \
                 `full_matrices=False` gives the others",
            );
        }
        Decomposition::SingularValues => singular_values(site, t, block)?,
        Decomposition::Eigh => eigh(site, t, block)?,
        _ => eigenvalues(site, t, block)?,
    };
    Ok(vec![Some(tangent)])
}

/// The tangent of the complex matrix that the op reads, embedded.
fn embedding(site: &mut Site<'_>, t: ValueId) -> Emitted {
    let (stack, m, n) = Stack::of_operand(site);
    embedded(site, &stack, t, m, n)
}

fn lu(site: &mut Site<'_>, t: ValueId, block: usize) -> Emitted {
    let (stack, _, n) = Stack::of_operand(site);
    let packed = site.result(0);
    let (none, square) = (Length::none(site), n.times(site, n));
    let matrix = stack.part(site, packed, none, &[n, n])?;
    let order = stack.part(site, packed, square, &[n])?;
    let exchange = exchange(site, &stack, order, n)?;
    let lower = unit_lower(site, matrix, n, block)?;
    let upper = block_triangle(site, matrix, n, CompareOp::Le, block)?;
    let exchanged = product(site, (exchange, false), (t, false))?;
    let left = stack.packed_in_order(site, lower, n)?;
    // Solve with `L` alone: the diagonal and the part above it are those of the identity.
    let left = site.emit(Op::SolveLu, &[left, exchanged])?;
    let left = transposed(site, left)?;
    let upper_turned = transposed(site, upper)?;
    let both = if block == 1 {
        stack.solve_lower(site, upper_turned, n, left)?
    } else {
        // A triangle of blocks is no triangle.
        let factors = site.emit(Op::Decompose(Decomposition::Lu), &[upper_turned])?;
        site.emit(Op::SolveLu, &[factors, left])?
    };
    let both = transposed(site, both)?;
    let below = block_triangle(site, both, n, CompareOp::Gt, block)?;
    let rest = block_triangle(site, both, n, CompareOp::Le, block)?;
    let below = product(site, (lower, false), (below, false))?;
    let rest = product(site, (rest, false), (upper, false))?;
    let tangent = site.add(below, rest)?;
    let dtype = site.dtype(packed);
    let zeros = stack.zeros(site, dtype, &[n])?;
    stack.packed(site, tangent, zeros, n)
}

/// The tangent of the solution of `L U x = P b`. With respect to `b` it is the solution for `db`; with
/// respect to the factors, minus the solution for `dL U x + L dU x`.
pub(super) fn solution(site: &mut Site<'_>, tangents: &[Option<ValueId>]) -> Tangents {
    let packed = site.operand(0);
    let of_side = match tangents[1] {
        Some(u) => Some(site.emit(Op::SolveLu, &[packed, u])?),
        None => None,
    };
    let of_factors = match tangents[0] {
        Some(t) => Some(solution_by_factors(site, packed, t)?),
        None => None,
    };
    Ok(vec![site.sum_of([of_side, of_factors])?])
}

fn solution_by_factors(site: &mut Site<'_>, packed: ValueId, t: ValueId) -> Emitted {
    let x = site.result(0);
    let rank = site.shape(x).len();
    let stack = Stack::of(site, x, 2);
    let (n, none) = (Length::of(site, x, rank - 2), Length::none(site));
    let matrix = stack.part(site, packed, none, &[n, n])?;
    let change = stack.part(site, t, none, &[n, n])?;
    let (lower, upper) = (unit_lower(site, matrix, n, 1)?, triangle(site, matrix, n, CompareOp::Le)?);
    let (below, rest) =
        (triangle(site, change, n, CompareOp::Gt)?, triangle(site, change, n, CompareOp::Le)?);
    let upper_x = product(site, (upper, false), (x, false))?;
    let below = product(site, (below, false), (upper_x, false))?;
    let rest = product(site, (rest, false), (x, false))?;
    let rest = product(site, (lower, false), (rest, false))?;
    let sum = site.add(below, rest)?;
    let factors = stack.packed_in_order(site, matrix, n)?;
    let solution = site.emit(Op::SolveLu, &[factors, sum])?;
    site.neg(solution)
}

/// The symmetric matrices whose lower triangles are those of `x`; blocks on the diagonal become real numbers.
fn symmetric(site: &mut Site<'_>, x: ValueId, n: Length, block: usize) -> Emitted {
    let below = block_triangle(site, x, n, CompareOp::Gt, block)?;
    let diagonal = triangle(site, x, n, CompareOp::Eq)?;
    let (with, above) = (site.add(below, diagonal)?, transposed(site, below)?);
    site.add(with, above)
}

fn cholesky(site: &mut Site<'_>, t: ValueId, block: usize) -> Emitted {
    let (stack, _, n) = Stack::of_operand(site);
    let row = site.result(0);
    let lower = stack.reshape(site, row, &[n, n])?;
    let change = symmetric(site, t, n, block)?;
    let left = stack.solve_lower(site, lower, n, change)?;
    let left = transposed(site, left)?;
    let both = stack.solve_lower(site, lower, n, left)?;
    let below = triangle(site, both, n, CompareOp::Gt)?;
    let diagonal = triangle(site, both, n, CompareOp::Eq)?;
    let half = site.times(0.5, diagonal)?;
    let inner = site.add(below, half)?;
    let tangent = product(site, (lower, false), (inner, false))?;
    let square = n.times(site, n);
    stack.reshape(site, tangent, &[square])
}

/// From `A R⁻¹ = Q`, for as many columns as `Q` has: `Qᵀ dQ` is skew-symmetric, and `dR` is upper triangular.
fn qr(site: &mut Site<'_>, t: ValueId) -> Emitted {
    let (stack, m, n) = Stack::of_operand(site);
    let k = m.least(site, n);
    let row = site.result(0);
    let (none, start) = (Length::none(site), m.times(site, k));
    let q = stack.part(site, row, none, &[m, k])?;
    let r = stack.part(site, row, start, &[k, n])?;
    let last = site.shape(q).len() - 1;
    let (first, square) = match (m.known(), n.known()) {
        (Some(m), Some(n)) if m >= n => (t, r),
        _ => (sliced(site, t, last, none, k)?, sliced(site, r, last, none, k)?),
    };
    let (first, square) = (transposed(site, first)?, transposed(site, square)?);
    let solved = stack.solve_lower(site, square, k, first)?;
    let solved = transposed(site, solved)?;
    let inner = product(site, (q, true), (solved, false))?;
    let below = triangle(site, inner, k, CompareOp::Gt)?;
    let above = transposed(site, below)?;
    let skew = site.sub(below, above)?;
    let rest = site.sub(skew, inner)?;
    let inside = product(site, (q, false), (rest, false))?;
    let dq = site.add(inside, solved)?;
    let (whole, turned) = (product(site, (q, true), (t, false))?, product(site, (skew, false), (r, false))?);
    let dr = site.sub(whole, turned)?;
    let (q_size, r_size) = (m.times(site, k), k.times(site, n));
    stack.joined(site, &[(dq, q_size), (dr, r_size)])
}

/// Values as rows and as columns that broadcast with matrices.
fn beside(
    site: &mut Site<'_>,
    stack: &Stack,
    values: ValueId,
    n: Length,
) -> Result<[ValueId; 2], GradientError> {
    let one = Length::one(site);
    Ok([stack.reshape(site, values, &[one, n])?, stack.reshape(site, values, &[n, one])?])
}

/// 1 over differences, 0 on the diagonal of blocks.
fn inverse_off_diagonal(site: &mut Site<'_>, differences: ValueId, n: Length, block: usize) -> Emitted {
    let diagonal = block_test(site, n, CompareOp::Eq, block)?;
    let (zero, one) = (site.number(differences, 0.0)?, site.number(differences, 1.0)?);
    let safe = site.choose(diagonal, one, differences)?;
    let inverse = site.div(one, safe)?;
    site.choose(diagonal, zero, inverse)
}

fn svd(site: &mut Site<'_>, t: ValueId, block: usize) -> Emitted {
    let (stack, m, n) = Stack::of_operand(site);
    let k = m.least(site, n);
    let row = site.result(0);
    let (none, u_size) = (Length::none(site), m.times(site, k));
    let u = stack.part(site, row, none, &[m, k])?;
    let s = stack.part(site, row, u_size, &[k])?;
    let start = u_size.plus(site, k);
    let vh = stack.part(site, row, start, &[k, n])?;
    let [s_row, s_column] = beside(site, &stack, s, k)?;
    let turned = product(site, (u, true), (t, false))?;
    let inner = product(site, (turned, false), (vh, true))?;
    let (sum, difference) = (site.add(s_row, s_column)?, site.sub(s_row, s_column)?);
    let squares = site.mul(sum, difference)?;
    let inverse = inverse_off_diagonal(site, squares, k, block)?;
    let of_u = site.mul(inner, s_row)?;
    let mut of_u = weighted(site, of_u, inverse)?;
    if block > 1 {
        let turning = turning(site, inner, s_row, k, block)?;
        of_u = site.add(of_u, turning)?;
    }
    let of_v = site.mul(inner, s_column)?;
    let of_v = weighted(site, of_v, inverse)?;
    let mut du = product(site, (u, false), (of_u, false))?;
    let mut dvh = product(site, (of_v, true), (vh, false))?;
    // The part outside of the space that the vectors span, if they do not span all.
    let is_wide = m.known().zip(n.known()).is_some_and(|(m, n)| m <= n);
    let is_tall = m.known().zip(n.known()).is_some_and(|(m, n)| m >= n);
    if !is_wide {
        let (all, inside) =
            (product(site, (t, false), (vh, true))?, product(site, (u, false), (inner, false))?);
        let outside = site.sub(all, inside)?;
        let outside = site.div(outside, s_row)?;
        du = site.add(du, outside)?;
    }
    if !is_tall {
        let inside = product(site, (inner, false), (vh, false))?;
        let outside = site.sub(turned, inside)?;
        let outside = site.div(outside, s_column)?;
        dvh = site.add(dvh, outside)?;
    }
    let ds = diagonal_of(site, inner, k, true)?;
    let vh_size = k.times(site, n);
    stack.joined(site, &[(du, u_size), (ds, k), (dvh, vh_size)])
}

/// Twice the symmetric part, times weights.
fn weighted(site: &mut Site<'_>, x: ValueId, weights: ValueId) -> Emitted {
    let turned = transposed(site, x)?;
    let sum = site.add(x, turned)?;
    site.mul(sum, weights)
}

/// What is imaginary on the diagonal, over the singular values, or 0 for those that are 0.
fn turning(site: &mut Site<'_>, inner: ValueId, values: ValueId, k: Length, block: usize) -> Emitted {
    let turned = transposed(site, inner)?;
    let twice = site.sub(inner, turned)?;
    let half = site.times(0.5, twice)?;
    let imaginary = block_triangle(site, half, k, CompareOp::Eq, block)?;
    let (zero, one) = (site.number(values, 0.0)?, site.number(values, 1.0)?);
    let is_zero = site.compare(CompareOp::Eq, values, zero)?;
    let safe = site.choose(is_zero, one, values)?;
    let quotient = site.div(imaginary, safe)?;
    site.choose(is_zero, zero, quotient)
}

fn singular_values(site: &mut Site<'_>, t: ValueId, block: usize) -> Emitted {
    let (stack, m, n) = Stack::of_operand(site);
    let k = m.least(site, n);
    let x = site.operand(0);
    // The vectors, which the forward pass does not compute.
    let kind = if block == 1 { Decomposition::Svd } else { Decomposition::ComplexSvd };
    let row = site.emit(Op::Decompose(kind), &[x])?;
    let (none, u_size) = (Length::none(site), m.times(site, k));
    let u = stack.part(site, row, none, &[m, k])?;
    let start = u_size.plus(site, k);
    let vh = stack.part(site, row, start, &[k, n])?;
    let turned = product(site, (u, true), (t, false))?;
    let terms = site.mul(turned, vh)?;
    let last = site.shape(terms).len() - 1;
    site.total(terms, vec![last], false)
}

fn eigh(site: &mut Site<'_>, t: ValueId, block: usize) -> Emitted {
    let (stack, _, n) = Stack::of_operand(site);
    let row = site.result(0);
    let none = Length::none(site);
    let values = stack.part(site, row, none, &[n])?;
    let vectors = stack.part(site, row, n, &[n, n])?;
    let change = symmetric(site, t, n, block)?;
    let turned = product(site, (vectors, true), (change, false))?;
    let inner = product(site, (turned, false), (vectors, false))?;
    let [value_row, value_column] = beside(site, &stack, values, n)?;
    let differences = site.sub(value_row, value_column)?;
    let inverse = inverse_off_diagonal(site, differences, n, block)?;
    let weighted = site.mul(inner, inverse)?;
    let of_vectors = product(site, (vectors, false), (weighted, false))?;
    let of_values = diagonal_of(site, inner, n, true)?;
    let square = n.times(site, n);
    stack.joined(site, &[(of_values, n), (of_vectors, square)])
}

fn eigenvalues(site: &mut Site<'_>, t: ValueId, block: usize) -> Emitted {
    let (stack, _, n) = Stack::of_operand(site);
    let x = site.operand(0);
    // The vectors, which the forward pass does not compute.
    let kind = if block == 1 { Decomposition::Eigh } else { Decomposition::ComplexEigh };
    let row = site.emit(Op::Decompose(kind), &[x])?;
    let vectors = stack.part(site, row, n, &[n, n])?;
    let change = symmetric(site, t, n, block)?;
    let turned = product(site, (change, false), (vectors, false))?;
    let terms = site.mul(turned, vectors)?;
    let rank = site.shape(terms).len();
    site.total(terms, vec![rank - 2], false)
}
