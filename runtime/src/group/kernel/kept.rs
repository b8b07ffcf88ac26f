//! Kernels whose launches keep a list of near pairs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Kernel;
use super::share::{Chosen, Plans};
use crate::plan::extent::Extent;
use crate::types::info::{NearList, OTHERS, Refused};
use crate::{Error, ErrorKind, GivenPairs, Result};

/// What launches keep.
pub(crate) struct Kept {
    pub(crate) skin: f64,
    list: Mutex<Option<KeptList>>,
}

/// A list of near pairs, for some elements.
pub(crate) struct KeptList {
    /// The plans of the launch that made it. Their memory has the elements of that launch, in order.
    pub(crate) plans: Plans,
    pub(crate) pairs: GivenPairs,
    /// The bytes of the numbers that the lower bound has used.
    pub(crate) numbers: Vec<u8>,
}

impl Kept {
    /// The list of the latest launch, locked.
    pub(crate) fn list(&self) -> MutexGuard<'_, Option<KeptList>> {
        // Ignores poisoning: a launch takes the list out while it may change.
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kernel {
    /// The same kernel, whose launches keep a list of the pairs whose lower bound is at most `skin`.
    #[must_use]
    pub fn keep(&self, skin: f64) -> Kernel {
        let kept = Kept { skin, list: Mutex::default() };
        Kernel { kept: Some(Arc::new(kept)), given: None, ..self.clone() }
    }

    /// The list that the latest launch has visited, if the kernel keeps one.
    #[must_use]
    pub fn kept(&self) -> Option<GivenPairs> {
        self.kept.as_ref()?.list().as_ref().map(|list| list.pairs.clone())
    }

    /// Whether launches visit a list, which is given or kept.
    pub(crate) fn visits_list(&self) -> bool {
        self.given.is_some() || self.kept.is_some()
    }

    /// Why its launches, over all pairs or a list, do not support other ways of launching.
    #[doc(hidden)]
    #[must_use]
    pub fn refused(&self) -> &'static Refused {
        let [given, kept, _] = &OTHERS;
        match (&self.given, &self.kept) {
            (Some(_), _) => given,
            (None, Some(_)) => kept,
            (None, None) => &self.info.refused,
        }
    }

    /// An error if there is a reason why it cannot do `what`.
    pub(crate) fn expect(&self, what: &str, why: Option<&str>) -> Result<()> {
        why.map_or(Ok(()), |why| Err(self.cannot(what, why)))
    }

    /// An error if other processes share the launches, because this process alone chooses a variant.
    pub(super) fn expect_no_own_choice(&self, what: &str) -> Result<()> {
        let [.., shared] = &OTHERS;
        self.expect(what, shared.tuning.filter(|_| self.device.is_part()))
    }

    fn cannot(&self, what: &str, why: &str) -> Error {
        // Other launches may be refused for the same reason.
        let is_of_rows = self.refused().rows == Some(why);
        let kind = if is_of_rows { ErrorKind::NoRows } else { ErrorKind::Arguments };
        Error::new(kind, format!("it cannot {what}, because {why}")).of_kernel(self.info.name)
    }

    /// What lists pairs. An error if the kernel's lower bound does not support it, or if its devices differ.
    pub(crate) fn expect_near_list(&self) -> Result<&'static NearList> {
        let list = self.info.list().and_then(|list| match self.refused().mixed {
            Some(why) if self.loops().is_none() && !self.can_share(&list.variant) => Err(why),
            _ => Ok(list),
        });
        list.map_err(|why| self.cannot("keep a list", why))
    }

    /// The plans that list near pairs.
    pub(crate) fn plan_list(&self, list: &'static NearList, extent: Extent) -> Result<Plans> {
        self.share(extent, None, Chosen { variant: &list.variant, are_all: false })
    }
}
