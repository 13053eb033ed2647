//! Calls of NumPy that write in place, as the stores that they are.
//!
//! ```text
//! a[1:].fill(v)                       a[1:][...] = v
//! np.copyto(a, v)                     a[...] = v
//! np.fill_diagonal(a, v)              a[np.diag_indices(...)] = v
//! np.add.at(a, i, v)                  a[i] += v, also for an index that is there twice
//! y = np.multiply(x, w, out=a)        a[...] = np.multiply(x, w); y = a
//! ```
//!
//! The forward pass calls what the user has called, which casts by its own rule.

use ag_syntax::tree::{BinaryOp, ConstantKind, Expr, ExprKind, Keyword, Stmt, StmtKind};

use crate::adjoints::{helper, index_value};
use crate::callee::Callee;
use crate::normal::{Former, Outcome, operand_expr};
use crate::program::{Block, OpKind};
use crate::variables::{dotted, root_of};

/// A call that writes.
struct Writing<'e> {
    written: &'e Expr,
    value: Expr,
    kind: Kind<'e>,
}

enum Kind<'e> {
    /// `a.fill(v)`.
    Fill,
    /// `np.copyto(a, v)`.
    Copy,
    /// `np.fill_diagonal(a, v)`.
    Diagonal,
    /// `np.add.at(a, i, v)`.
    AddAt(&'e Expr),
}

impl Former<'_, '_> {
    /// The normal form of a statement that calls what writes in place; whether it is one.
    pub(crate) fn written_by_call(&mut self, stmt: &Stmt, made: &mut Block) -> Outcome<bool> {
        let (targets, call) = match &stmt.kind {
            StmtKind::Expr(call) => (None, call),
            StmtKind::Assign { targets, value } => (Some(targets), value),
            _ => return Ok(false),
        };
        let Some(writing) = self.writing(call, targets.is_some()) else { return Ok(false) };
        if !self.is_active(writing.written) {
            return Ok(false);
        }
        let base = self.written_base(writing.written, made)?;
        let value = self.operand(&writing.value, made)?;
        let b = self.b.at(stmt.span);
        let (array, given) = (b.name(base.clone()), operand_expr(b, &value));
        let numpy = |name: &str, args: [Expr; 2]| b.call(b.attribute(b.name("np"), name), args);
        let everything = || b.constant(ConstantKind::Ellipsis, "...");
        let (forward, index) = match writing.kind {
            Kind::Fill => {
                let guard = helper(b, "require_array", [array.clone(), b.string(&base)]);
                made.push(self.plain(b.expr_stmt(guard)));
                (b.call(b.attribute(array, "fill"), [given]), everything())
            }
            Kind::Copy => (numpy("copyto", [array, given]), everything()),
            Kind::Diagonal => {
                let of = |name: &str| b.call(b.attribute(b.name("np"), name), [array.clone()]);
                let places = numpy("diag_indices", [b.call(b.name("min"), [of("shape")]), of("ndim")]);
                let index = self.simple_index(&places, made)?;
                (numpy("fill_diagonal", [array, given]), index)
            }
            Kind::AddAt(index) => {
                let index = self.simple_index(index, made)?;
                let adding = b.attribute(b.attribute(b.name("np"), "add"), "at");
                let forward = b.call(adding, [array, index_value(b, &index), given]);
                let kind = OpKind::AugStore { base, index, op: BinaryOp::Add, value };
                self.push(made, b.expr_stmt(forward), kind);
                return Ok(true);
            }
        };
        self.push(made, b.expr_stmt(forward), OpKind::Store { base: base.clone(), index, value });
        if let Some(targets) = targets {
            self.assigned(targets, &b.name(base), made)?;
        }
        Ok(true)
    }

    /// What a call writes where, if that is all that it does, or if its value is what it wrote.
    fn writing<'e>(&self, call: &'e Expr, has_targets: bool) -> Option<Writing<'e>> {
        let ExprKind::Call { func, args, keywords } = &call.kind else { return None };
        let ExprKind::Attribute { value: owner, attr, .. } = &func.kind else { return None };
        let is_outside = !root_of(owner).is_some_and(|root| self.around.is_local(root));
        let path = dotted(func).filter(|_| is_outside).unwrap_or_default();
        let name = path.strip_prefix("np.").or(path.strip_prefix("numpy.")).unwrap_or_default();
        match (name, args.as_slice(), keywords.as_slice()) {
            ("", [value], []) if &**attr == "fill" && !is_outside && !has_targets => {
                Some(Writing { written: owner, value: value.clone(), kind: Kind::Fill })
            }
            ("copyto", [written, value], []) if !has_targets => {
                Some(Writing { written, value: value.clone(), kind: Kind::Copy })
            }
            ("fill_diagonal", [written, value], []) if !has_targets => {
                Some(Writing { written, value: value.clone(), kind: Kind::Diagonal })
            }
            ("add.at", [written, index, value], []) if !has_targets => {
                Some(Writing { written, value: value.clone(), kind: Kind::AddAt(index) })
            }
            _ => {
                let (written, others) = without_out(keywords)?;
                let has_rule = matches!(self.around.callee(func), Callee::Primitive { adjoint: Some(_), .. });
                let call = ExprKind::Call { func: func.clone(), args: args.clone(), keywords: others };
                let value = self.b.at(func.span).expr(call);
                has_rule.then_some(Writing { written, value, kind: Kind::Copy })
            }
        }
    }
}

/// What `out=` names, and the other keywords.
fn without_out(keywords: &[Keyword]) -> Option<(&Expr, Vec<Keyword>)> {
    let is_out = |keyword: &&Keyword| keyword.name.as_deref() == Some("out");
    let out = keywords.iter().find(is_out)?;
    let is_array = matches!(out.value.kind, ExprKind::Name { .. } | ExprKind::Subscript { .. });
    let others: Vec<Keyword> = keywords.iter().filter(|keyword| !is_out(keyword)).cloned().collect();
    // `where=` leaves some of the elements as they are.
    let is_whole = others.iter().all(|keyword| keyword.name.as_deref() != Some("where"));
    (is_array && is_whole).then_some((&out.value, others))
}
