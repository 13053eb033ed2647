//! Writes to what passes give, in a derivative that is differentiated again.
//!
//! ```text
//! layer, saved = Layer_forward(Layer, x)      # `layer` holds `x`, as the object that `Layer(x)` makes
//! layer.w = v                                 # what is in `saved` is none of that
//! ```

use std::collections::BTreeSet;

use ag_syntax::tree::Name;

use crate::program::{Op, OpKind};
use crate::seen_writes::Walk;
use crate::shared::Origin;

/// The pair that a pass gives.
#[derive(Clone, Debug)]
pub(crate) struct Pass {
    /// The place of its call.
    site: usize,
    /// What the second item may be: tangents come of tangents.
    tangents: BTreeSet<Name>,
    /// Where the first is a new object: what that holds.
    held: Option<BTreeSet<Name>>,
    /// How often the first item is a pair again, with it.
    times: u32,
}

impl Walk<'_, '_> {
    /// Notes the pair that a call of a pass gives, and what the pair is bound to.
    pub(crate) fn note_pass(&mut self, op: &Op, given: &BTreeSet<Name>) {
        let OpKind::Call { target, active, passes, is_maker, .. } = &op.kind else { return };
        let held = is_maker.then(|| self.held_by_new(op));
        if *passes > 0 {
            // What a pass keeps is kept from the writes of its caller.
            let is_tangent = |(parameter, _): &&(Name, Name)| {
                let of = parameter.strip_prefix('d');
                of.is_some_and(|of| active.iter().any(|(one, _)| **one == *of))
            };
            let tangents: BTreeSet<Name> =
                active.iter().filter(is_tangent).map(|(_, name)| name.clone()).collect();
            let held = held.as_ref().map(|held| held.difference(&tangents).cloned().collect());
            self.passes.insert(target.clone(), Pass { site: op.site, tangents, held, times: *passes });
        }
        match held {
            Some(held) => {
                self.now.unbind(target);
                held.iter().for_each(|one| self.now.hold(target, one));
            }
            None => self.now.bind(target, given, &Origin::Guarded(BTreeSet::from([op.site]))),
        }
    }

    /// Notes what the items of such a pair are bound to.
    pub(crate) fn unpack_pass(&mut self, pass: Pass, targets: &[Option<Name>], source: &Name) {
        let [first, second] = targets else { return };
        let origin = Origin::Guarded(BTreeSet::from([pass.site]));
        match (first, &pass.held) {
            (Some(first), Some(held)) => {
                self.now.unbind(first);
                held.iter().for_each(|one| self.hold_in(first, one));
                if pass.times > 1 {
                    let inner = Pass { times: pass.times - 1, ..pass.clone() };
                    self.passes.insert(first.clone(), inner);
                }
            }
            (Some(first), None) => self.now.bind(first, &BTreeSet::from([source.clone()]), &Origin::Always),
            (None, _) => {}
        }
        let Some(second) = second else { return };
        if pass.held.is_some() {
            // The tangent of an object is a dict of tangents.
            self.now.unbind(second);
            pass.tangents.iter().for_each(|one| self.hold_in(second, one));
        } else {
            self.now.bind(second, &pass.tangents, &origin);
        }
    }

    /// A variable is bound to what holds another.
    fn hold_in(&mut self, holder: &Name, one: &Name) {
        self.now.hold(holder, one);
        self.holders.entry(one.clone()).or_default().insert(holder.clone());
    }
}
