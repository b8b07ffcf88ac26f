//! The parameters of a kernel, as they are written, and the form that follows from them.

use super::marks;
use crate::kind::{exchanged, is_of_elements, name_set};
use crate::model::{Elements, End, Fold, Form, Members, Outputs, Parameter, Role, Shape};

/// The right parameters. A wrong one already has an error.
#[derive(Default)]
pub(super) struct Signature {
    /// Those that a launch takes.
    pub(super) parameters: Vec<Parameter>,
    /// The places of wrong ones among them.
    wrong: Vec<usize>,
    /// The folds.
    pub(super) folds: Vec<Fold>,
    /// Whether there are folds, including wrong ones.
    pub(super) has_folds: bool,
    /// The product of features.
    pub(super) product: Option<Fold>,
}

impl Signature {
    /// Adds a parameter that a launch takes: `None` for a wrong one.
    pub(super) fn add(&mut self, parameter: Option<Parameter>) {
        if parameter.is_none() {
            self.wrong.push(self.parameters.len() + self.wrong.len());
        }
        self.parameters.extend(parameter);
    }

    /// The same, whose outputs have the sets of pairs if there are many.
    pub(super) fn with_sets(mut self) -> Signature {
        if self.parameters.iter().any(|each| each.kind.has_sets()) {
            self.parameters.iter_mut().for_each(name_set);
        }
        self
    }

    /// Whether no parameter of a launch is wrong.
    pub(super) fn is_complete(&self) -> bool {
        self.wrong.is_empty()
    }

    /// Whether a parameter has this role.
    pub(super) fn has(&self, role: Role) -> bool {
        self.parameters.iter().any(|each| each.kind.role() == role)
    }

    /// Whether elements of such an end have results.
    pub(super) fn has_results(&self, is_end: fn(End) -> bool) -> bool {
        self.parameters.iter().any(|each| each.end().is_some_and(is_end))
    }

    /// The same parameters, with rows and columns exchanged.
    pub(super) fn exchanged(mut self) -> Signature {
        for each in &mut self.parameters {
            each.kind = exchanged(each.kind);
        }
        self
    }

    /// The form of the kernel.
    pub(super) fn form(&self) -> Form {
        let parameters = &self.parameters;
        let has = |is: fn(&Parameter) -> bool| parameters.iter().any(is);
        let shape = marks::shape(parameters);
        // Only a row can meet all columns.
        let needs_all = |each: &Parameter| is_of_elements(each) || each.neighbours_of().is_some();
        let meets_all =
            |end| parameters.iter().any(|each| needs_all(each) && each.side() == Some(end));
        Form {
            shape,
            is_exchanged: shape == Shape::Rectangle
                && meets_all(End::Column)
                && !meets_all(End::Row),
            members: if has(|each| each.kind.has_sets()) { Members::Many } else { Members::One },
            elements: match (has(|each| each.features().is_some()), &self.product) {
                (false, _) => Elements::Plain,
                (true, None) => Elements::Folded,
                (true, Some(_)) if self.has_folds => Elements::Quick,
                (true, Some(_)) => Elements::Product,
            },
            outputs: match () {
                () if has(is_of_elements) => Outputs::States,
                () if has(|each| each.neighbours_of().is_some()) => Outputs::Nearest,
                () if has(|each| {
                    each.kind.about().has_counters || each.kind.about().is_state_of_all()
                }) =>
                {
                    Outputs::BlockTotals
                }
                () => Outputs::Others,
            },
        }
    }

    /// The folds in a pair's registers. On devices without suitable tensor cores, a product is one, unless the kernel has others.
    pub(super) fn folded(&self) -> impl Iterator<Item = &Fold> {
        self.folds.iter().chain(self.product.as_ref().filter(|_| !self.has_folds))
    }

    /// All parameters of a launch in their places: `None` for each wrong one.
    pub(super) fn into_places(self) -> Vec<Option<Parameter>> {
        let mut places: Vec<_> = self.parameters.into_iter().map(Some).collect();
        for at in self.wrong {
            places.insert(at, None);
        }
        places
    }
}
