//! Which operands have the shape of the result, so that nothing has to undo a broadcast.
//!
//! Shapes are not known when the source is made; that two of them are the same often is. A shape is a set of
//! unknown ones that were broadcast together: of `x * x` that of `x`, of a number the empty set, of `x + y` both.
//! Equal sets are equal shapes.

use std::collections::{BTreeMap, BTreeSet};

use ag_syntax::tree::{ConstantKind, Expr, ExprKind, Name, StmtKind};

use crate::callee::Callee;
use crate::name_sets::IntoSet;
use crate::persistent::{Map, Set};
use crate::program::{Argument, Block, Head, Loop, Node, Op, OpKind, Operand, Over, bound};
use crate::sources::Surroundings;

/// A shape, as the set of unknown shapes that it is broadcast from.
type Shape = Set<u32>;
/// The shapes of variables.
pub(crate) type Shapes = Map<Name, Shape>;

/// By the place of an operation, its active operands whose shape may differ from that of its result.
pub(crate) type Reduced = BTreeMap<usize, BTreeSet<Name>>;

/// Finds the operands whose shapes may differ from that of the result, and the shapes at the end.
pub(crate) fn reduced_operands(block: &Block, around: &Surroundings<'_>) -> (Reduced, Shapes) {
    let mut walk =
        Walk { around, reduced: Reduced::new(), next: 0, jumps: Vec::new(), changing: BTreeMap::new() };
    let mut shapes = Shapes::new();
    walk.block(block, &mut shapes);
    (walk.reduced, shapes)
}

struct Walk<'s, 'r> {
    around: &'s Surroundings<'r>,
    reduced: Reduced,
    next: u32,
    /// For each loop around, the shapes where it is left or begun again in the middle.
    jumps: Vec<Vec<Shapes>>,
    /// By place, the variables whose shapes change from one iteration of a loop to the next, as far as it is known: a
    /// loop in a loop is met again.
    changing: BTreeMap<usize, BTreeSet<Name>>,
}

impl Walk<'_, '_> {
    fn unknown(&mut self) -> Shape {
        self.next += 1;
        Shape::from_iter([self.next])
    }

    fn of_name(&mut self, name: &Name, shapes: &mut Shapes) -> Shape {
        if let Some(known) = shapes.get(name) {
            return known.clone();
        }
        let new = self.unknown();
        shapes.insert(name.clone(), new.clone());
        new
    }

    fn block(&mut self, block: &Block, shapes: &mut Shapes) {
        for node in block {
            match node {
                Node::Plain { stmt, binds, .. } => {
                    let value = match &stmt.kind {
                        StmtKind::Assign { value, .. } if binds.len() == 1 => {
                            Some(self.of_expr(value, shapes))
                        }
                        _ => None,
                    };
                    for name in binds {
                        let shape = value.clone().unwrap_or_else(|| self.unknown());
                        shapes.insert(name.clone(), shape);
                    }
                }
                Node::Op(op) => self.op(op, shapes),
                Node::If(choice) => {
                    let mut otherwise = shapes.clone();
                    self.block(&choice.then.block, shapes);
                    self.block(&choice.orelse.block, &mut otherwise);
                    self.join(shapes, &otherwise);
                }
                Node::Loop(looped) => self.looped(looped, shapes),
                Node::Again(again) => self.block(&again.block, shapes),
                Node::With { body, binds, .. } => {
                    binds.iter().for_each(|name| {
                        shapes.remove(name);
                    });
                    self.block(body, shapes);
                }
                Node::Finally { body, last, .. } => {
                    self.block(body, shapes);
                    self.block(last, shapes);
                }
                Node::Exit { .. } => {
                    if let Some(jumps) = self.jumps.last_mut() {
                        jumps.push(shapes.clone());
                    }
                }
                Node::Injected { .. } => {}
            }
        }
    }

    /// Where two paths meet, what is the same on both is known.
    fn join(&mut self, shapes: &mut Shapes, other: &Shapes) {
        for (name, ..) in shapes.differences(other) {
            let new = self.unknown();
            shapes.insert(name, new);
        }
    }

    fn looped(&mut self, looped: &Loop, shapes: &mut Shapes) {
        let bound = bound(&looped.body.block);
        let mut changing = self.changing.get(&looped.site).cloned().unwrap_or_default();
        // Parameters that are met in the body only are what they are from the start.
        let before = shapes.clone();
        loop {
            for name in &changing {
                let new = self.unknown();
                shapes.insert(name.clone(), new);
            }
            self.head(looped, shapes);
            let start = shapes.clone();
            let mut end = shapes.clone();
            self.jumps.push(Vec::new());
            self.block(&looped.body.block, &mut end);
            let mut ends = self.jumps.pop().unwrap_or_default();
            ends.push(end);
            let changed: Vec<Name> = bound
                .iter()
                .filter(|name| before.contains_key(name) && !changing.contains(*name))
                .filter(|name| ends.iter().any(|end| end.get(*name) != start.get(*name)))
                .cloned()
                .collect();
            if changed.is_empty() {
                for name in bound.iter().filter(|name| !before.contains_key(name) || changing.contains(*name))
                {
                    let new = self.unknown();
                    shapes.insert(name.clone(), new);
                }
                self.changing.insert(looped.site, changing);
                return;
            }
            changing.extend(changed);
        }
    }

    fn head(&mut self, looped: &Loop, shapes: &mut Shapes) {
        let is_number = matches!(&looped.head, Head::For { over: Over::Range, .. });
        for name in looped.targets() {
            let shape = if is_number { Shape::new() } else { self.unknown() };
            shapes.insert(name, shape);
        }
    }

    fn op(&mut self, op: &Op, shapes: &mut Shapes) {
        let (operands, result) = match &op.kind {
            OpKind::Rule { rule, operands, .. } => {
                let operands: Vec<Operand> =
                    operands.iter().flat_map(|(_, argument)| given(argument)).collect();
                let all = self.broadcast(&operands, shapes);
                let has = |name: &str| rule.template.params.iter().any(|param| &*param.name == name);
                let is_sum = has("axis") && has("keepdims") && operands.len() == 1;
                let result = match (rule.is_elementwise, is_sum) {
                    (true, _) => all,
                    (false, true) => Shape::new(),
                    (false, false) => self.unknown(),
                };
                (if rule.is_elementwise { operands } else { Vec::new() }, result)
            }
            OpKind::Copy { source, .. } => (Vec::new(), self.of_name(source, shapes)),
            OpKind::Augment { target, value, .. } => {
                let operands = vec![Operand::Active(target.clone()), value.clone()];
                let all = self.broadcast(&operands, shapes);
                (operands, all)
            }
            OpKind::Constant { target } => {
                let value = match &op.forward.kind {
                    StmtKind::Assign { value, .. } => self.of_expr(value, shapes),
                    _ => self.unknown(),
                };
                shapes.insert(target.clone(), value);
                return;
            }
            _ => (Vec::new(), self.unknown()),
        };
        let differing = operands.iter().filter_map(|operand| match operand {
            Operand::Active(name) => Some(name.clone()),
            Operand::Plain(_) => None,
        });
        let differing: BTreeSet<Name> =
            differing.filter(|name| self.of_name(name, shapes) != result).into_set();
        self.reduced.insert(op.site, differing);
        for name in op.binds() {
            shapes.insert(name, result.clone());
        }
    }

    fn broadcast(&mut self, operands: &[Operand], shapes: &mut Shapes) -> Shape {
        let mut all = Shape::new();
        for operand in operands {
            let shape = match operand {
                Operand::Active(name) => self.of_name(name, shapes),
                Operand::Plain(value) => self.of_expr(value, shapes),
            };
            all.add_all(&shape);
        }
        all
    }

    fn of_expr(&mut self, expr: &Expr, shapes: &mut Shapes) -> Shape {
        match &expr.kind {
            ExprKind::Constant {
                kind: ConstantKind::Int | ConstantKind::Float | ConstantKind::True | ConstantKind::False,
                ..
            } => Shape::new(),
            ExprKind::Name { name, .. } => self.of_name(name, shapes),
            ExprKind::Unary { operand, .. } => self.of_expr(operand, shapes),
            ExprKind::Binary { left, right, .. } => {
                let mut shape = self.of_expr(left, shapes);
                shape.add_all(&self.of_expr(right, shapes));
                shape
            }
            ExprKind::Call { func, args, keywords } if keywords.is_empty() => {
                match self.around.callee(func) {
                    Callee::Primitive { adjoint: Some(rule), .. }
                        if rule.is_elementwise && !self.around.is_method(func) =>
                    {
                        let mut shape = Shape::new();
                        args.iter().for_each(|arg| shape.add_all(&self.of_expr(arg, shapes)));
                        shape
                    }
                    _ => self.unknown(),
                }
            }
            ExprKind::Subscript { value, .. } if matches!(&value.kind, ExprKind::Attribute { attr, .. } if &**attr == "shape") => {
                Shape::new()
            }
            _ => self.unknown(),
        }
    }
}

fn given(argument: &Argument) -> Vec<Operand> {
    match argument {
        Argument::One(operand) => vec![operand.clone()],
        Argument::Many(operands) => operands.clone(),
    }
}
