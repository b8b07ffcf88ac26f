//! What the user wrote, and the kernel that follows from it.

use super::item::Function;
use super::{Bodies, Keys, Signature, dot};
use crate::attributes::Attributes;
use crate::model::{Form, Kernel, NearBoxes, Variants};

/// What the user wrote, after the checks, with rows and columns as the kernel has them.
pub(super) struct Spec {
    /// The keys of the attribute.
    pub(super) keys: Keys,
    /// The parameters.
    pub(super) signature: Signature,
    /// The domain, the elements and the outputs, from the parameters.
    pub(super) form: Form,
    /// The bodies.
    pub(super) bodies: Bodies,
    /// The boxes, if the lower bound is for boxes.
    pub(super) near: Option<NearBoxes>,
}

impl Spec {
    /// These parts, with rows and columns exchanged if only columns meet all others.
    pub(super) fn new(
        keys: Keys,
        signature: Signature,
        form: Form,
        bodies: Bodies,
        near: Option<NearBoxes>,
    ) -> Spec {
        if !form.is_exchanged {
            return Spec { keys, signature, form, bodies, near };
        }
        let near = near.map(|mut near| {
            near.sets.reverse();
            near
        });
        Spec { keys, signature: signature.exchanged(), form, bodies, near }
    }

    /// The kernel of this function, with these variants.
    pub(super) fn into_kernel(self, function: Function, variants: Variants) -> Kernel {
        let Spec { keys, signature, form, bodies, near } = self;
        let parameters = signature.parameters;
        let Bodies { feature, lower, quick, pair: body } = bodies;
        let (dot, of_product, feature) = match (signature.product, &quick) {
            (None, _) => (None, Vec::new(), feature),
            (Some(product), Some(quick)) => {
                (Some(dot::described(&product.name, &parameters, quick)), Vec::new(), feature)
            }
            (Some(product), None) => {
                let (dot, folds, feature) = dot::folded(product, &parameters, &body);
                (Some(dot), folds, Some(feature))
            }
        };
        Kernel {
            name: function.name,
            attributes: Attributes::of(&function.attributes),
            visibility: function.visibility,
            options: keys.options,
            form,
            variants,
            parameters,
            folds: signature.folds.into_iter().chain(of_product).collect(),
            dot,
            constants: keys.constants,
            prelude: keys.prelude.map(|(prelude, _)| prelude),
            feature,
            lower,
            quick,
            near,
            body,
        }
    }
}
