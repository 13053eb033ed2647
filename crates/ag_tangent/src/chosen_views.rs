//! Views that a branch has chosen: which it was is kept, and a write is told to that.
//!
//! ```text
//! if c:                       if c:
//!     row = a[0]                  row = a[0]
//!                                 chose_row = True
//! else:                       else:
//!     row = a[1]                  row = a[1]
//!                                 chose_row = False
//! row *= 2                    row *= 2
//!                             if chose_row:
//!                                 if tangent.is_view(row, a, 0):
//!                                     a[0] = row
//!                             else:
//!                                 …
//! ```
//!
//! What a branch that has made no such view has bound is not asked of the text: there it is looked for memory that the
//! two have in common (`tangent.require_told`).

use std::collections::BTreeSet;
use std::rc::Rc;

use ag_syntax::tree::{Name, Stmt};

use crate::adjoints::helper;
use crate::normal::Former;
use crate::program::Block;
use crate::saved::has_own_end;
use crate::views::{Known, View};

/// The branches through which a point is reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Path {
    /// Flags that say which branch ran, those of the branches around last.
    flags: Vec<Name>,
    /// Those of them that do not hold.
    failing: Vec<Name>,
}

impl Path {
    fn with(&self, flag: &Name, holds: bool) -> Self {
        let mut path = self.clone();
        path.flags.push(flag.clone());
        if !holds {
            path.failing.push(flag.clone());
        }
        path
    }

    /// Whether no point is reached through both.
    pub(crate) fn excludes(&self, other: &Self) -> bool {
        let differs = |flag: &Name| {
            self.flags.contains(flag) && self.failing.contains(flag) != other.failing.contains(flag)
        };
        other.flags.iter().any(differs)
    }

    /// The outermost flag of another path of which this one says nothing.
    pub(crate) fn open<'o>(&self, other: &'o Self) -> Option<&'o Name> {
        other.flags.iter().rfind(|flag| !self.flags.contains(*flag))
    }
}

impl Former<'_, '_> {
    /// Joins what is known after two branches: the views of both, and those of one with a flag that says which.
    pub(crate) fn join_known(&mut self, after: Known, then: &mut Block, orelse: &mut Block) {
        let other = std::mem::replace(&mut self.known, after);
        self.known.definite.keep_common(&other.definite);
        let is_in = |views: &[Rc<View>], view: &View| views.iter().any(|known| view.is_same(known));
        let mut of_then = std::mem::take(&mut self.known.views);
        let mut of_orelse = other.views;
        for view in &of_orelse {
            if is_in(&of_then, view) {
                self.known.views.push(view.clone());
            }
        }
        if self.is_telling || self.told.is_empty() || !has_own_end(then) || !has_own_end(orelse) {
            return;
        }
        for views in [&mut of_then, &mut of_orelse] {
            views.retain(|view| !is_in(&self.known.views, view));
            self.keep_views(views);
        }
        let Some(first) = of_then.iter().chain(&of_orelse).find(|view| self.is_kept(&view.name)) else {
            return;
        };
        let flag = self.naming.fresh(&format!("chose_{}", first.name));
        for (holds, block, views) in [(true, then, of_then), (false, orelse, of_orelse)] {
            let b = self.b.at(self.span);
            let node = self.plain(b.assign_name(flag.clone(), b.bool(holds)));
            block.push(node);
            for view in views {
                self.known.views.push(Rc::new(view.on(view.path.with(&flag, holds))));
            }
        }
    }

    /// Whether a variable may be written or read after the branches that have bound it.
    fn is_kept(&self, name: &Name) -> bool {
        (self.own.contains(name) || self.parts.contains(name)) && self.known.definite.contains(name)
    }

    /// Keeps the views of a branch that are asked for after it: those of variables, and what these were made of.
    fn keep_views(&self, views: &mut Vec<Rc<View>>) {
        let mut kept: BTreeSet<Name> = BTreeSet::new();
        // What a view was made of stands before it.
        for view in views.iter().rev() {
            if self.is_kept(&view.name) || kept.contains(&view.name) {
                kept.insert(view.name.clone());
                kept.insert(view.base.clone());
            }
        }
        views.retain(|view| kept.contains(&view.name));
    }

    /// The statements that tell what was written to the other ends of views that branches have made of one variable, or
    /// for it.
    ///
    /// # Arguments
    ///
    /// * `ends`: the variables that are told in the end.
    pub(crate) fn telling_chosen(&self, ends: &BTreeSet<Name>, known: &[Name], path: &Path) -> Vec<Stmt> {
        let b = self.b.at(self.span);
        let (mut flag, mut told) = (None, Vec::new());
        for view in &self.known.views {
            if !path.excludes(&view.path) && self.ends_of(view, known).as_ref() == Some(ends) {
                flag = flag.or(path.open(&view.path));
                told.push(view);
            }
        }
        let Some(flag) = flag else {
            let telling = |view: &Rc<View>| self.telling(view, known, path);
            return match told.is_empty() {
                true => self.require_told(ends, known),
                false => told.into_iter().flat_map(telling).collect(),
            };
        };
        let then = self.telling_chosen(ends, known, &path.with(flag, true));
        let orelse = self.telling_chosen(ends, known, &path.with(flag, false));
        let test = b.name(flag.clone());
        match (then.is_empty(), orelse.is_empty()) {
            (true, true) => Vec::new(),
            (true, false) => vec![b.if_stmt(b.not(test), orelse, then)],
            _ => vec![b.if_stmt(test, then, orelse)],
        }
    }

    /// What only a branch has bound is made again where it is told: its adjoint begins there.
    pub(crate) fn make_again(&self, name: &Name, known: &[Name], path: &Path, out: &mut Vec<Stmt>) {
        let is_made = |view: &&Rc<View>| {
            view.name == *name && !known.contains(&view.base) && path.open(&view.path).is_none()
        };
        if !self.known.definite.contains(name)
            && let Some(view) =
                self.known.views.iter().filter(is_made).find(|view| !path.excludes(&view.path))
        {
            self.make_again(&view.base, known, path, out);
            out.push(view.down(self.b.at(self.span)));
        }
    }

    /// On the paths that have made no such view: what was written is no part of what is told, and the other way round.
    fn require_told(&self, ends: &BTreeSet<Name>, known: &[Name]) -> Vec<Stmt> {
        let b = self.b.at(self.span);
        let Some(written) = known.last() else { return Vec::new() };
        let mut told = Vec::new();
        for end in ends {
            let given = [b.name(written.clone()), b.name(end.clone()), b.string(written), b.string(end)];
            told.push(b.expr_stmt(helper(b, "require_told", given)));
        }
        told
    }

    /// The first variables that every path has bound, on the way along a view and those of its other end; none if it is
    /// no view of what was written.
    pub(crate) fn ends_of(&self, view: &View, known: &[Name]) -> Option<BTreeSet<Name>> {
        let mut ends = BTreeSet::new();
        self.add_ends(self.told_by(view, known)?, known, &mut ends);
        Some(ends)
    }

    fn add_ends(&self, name: &Name, known: &[Name], ends: &mut BTreeSet<Name>) {
        if self.known.definite.contains(name) {
            ends.insert(name.clone());
            return;
        }
        let mut known = known.to_vec();
        known.push(name.clone());
        for view in &self.known.views {
            if let Some(other) = self.told_by(view, &known) {
                self.add_ends(other, &known, ends);
            }
        }
    }
}
