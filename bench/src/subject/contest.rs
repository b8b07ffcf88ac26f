//! Kernels on one subject, checked and timed side by side.

use std::cell::RefCell;

use anyhow::Result;

use super::{Launch, Subject};
use crate::measure::gpu::{ROUNDS, Way};
use crate::measure::times::Times;

/// Kernels on a subject, side by side. All of them write to the same memory.
pub(crate) struct Contest<'a, S: Subject> {
    subject: &'a S,
    kernels: Vec<(String, Launch<S>)>,
    output: RefCell<S::Output>,
}

impl<'a, S: Subject> Contest<'a, S> {
    pub(crate) fn new(subject: &'a S, kernels: Vec<(String, Launch<S>)>) -> Result<Contest<'a, S>> {
        Ok(Contest { subject, kernels, output: RefCell::new(subject.output()?) })
    }

    /// Launches each kernel once. An error for each whose results are wrong.
    pub(crate) fn check_each(&self) -> impl Iterator<Item = Result<()>> {
        self.kernels
            .iter()
            .map(|(name, launch)| self.subject.check(name, launch, &mut self.output.borrow_mut()))
    }

    pub(crate) fn way(&self, kernel: usize) -> Way<'_> {
        let (name, launch) = &self.kernels[kernel];
        Way::new(name, || launch(self.subject, &mut self.output.borrow_mut()))
    }

    pub(crate) fn ways(&self) -> impl Iterator<Item = Way<'_>> {
        (0..self.kernels.len()).map(|kernel| self.way(kernel))
    }

    /// The times of floors and kernels in the same rounds. Each kernel is checked before and after.
    pub(crate) fn time<'b>(&'b self, mut floors: Vec<Way<'b>>, repeats: u32) -> Result<Vec<Times>> {
        self.check_each().collect::<Result<(), _>>()?;
        floors.extend(self.ways());
        let times = self.subject.gpu().time(ROUNDS, repeats, floors)?;
        self.check_each().collect::<Result<(), _>>()?;
        Ok(times)
    }
}
