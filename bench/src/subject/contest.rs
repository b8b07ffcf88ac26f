//! Kernels on one subject, checked and timed side by side.

use std::cell::RefCell;

use super::{Launch, Subject};
use crate::Failure;
use crate::measure::gpu::{ROUNDS, Way};
use crate::measure::times::Times;

/// Kernels on a subject, side by side.
pub(crate) struct Contest<'a, S: Subject> {
    subject: &'a S,
    kernels: Vec<(String, Launch<S>)>,
    /// One for each kernel, or one for all.
    outputs: Vec<RefCell<S::Output>>,
}

impl<'a, S: Subject> Contest<'a, S> {
    /// Each kernel has an output of its own.
    pub(crate) fn new(
        subject: &'a S,
        kernels: Vec<(String, Launch<S>)>,
    ) -> Result<Contest<'a, S>, Failure> {
        let outputs = kernels.iter().map(|_| Ok(RefCell::new(subject.output()?)));
        let outputs = outputs.collect::<Result<_, Failure>>()?;
        Ok(Contest { subject, kernels, outputs })
    }

    /// All kernels write to the same memory, and are checked one after another before they are timed.
    pub(crate) fn in_one_place(
        subject: &'a S,
        kernels: Vec<(String, Launch<S>)>,
    ) -> Result<Contest<'a, S>, Failure> {
        Ok(Contest { subject, kernels, outputs: vec![RefCell::new(subject.output()?)] })
    }

    fn output(&self, kernel: usize) -> &RefCell<S::Output> {
        &self.outputs[kernel.min(self.outputs.len() - 1)]
    }

    /// Launches a kernel once. An error if its results are wrong.
    pub(crate) fn check(&self, kernel: usize) -> Result<(), Failure> {
        let (name, launch) = &self.kernels[kernel];
        self.subject.check(name, launch, &mut self.output(kernel).borrow_mut())
    }

    pub(crate) fn check_each(&self) -> impl Iterator<Item = Result<(), Failure>> {
        (0..self.kernels.len()).map(|kernel| self.check(kernel))
    }

    pub(crate) fn way(&self, kernel: usize) -> Way<'_> {
        let ((name, launch), output) = (&self.kernels[kernel], self.output(kernel));
        Way::new(name, || launch(self.subject, &mut output.borrow_mut()))
    }

    pub(crate) fn ways(&self) -> impl Iterator<Item = Way<'_>> {
        (0..self.kernels.len()).map(|kernel| self.way(kernel))
    }

    /// Verifies the results of the timed launches.
    pub(crate) fn verify(&self) -> Result<(), Failure> {
        let mut all = self.kernels.iter().zip(&self.outputs);
        all.try_for_each(|((name, _), output)| self.subject.verify(name, &output.borrow()))
    }

    /// The times of floors and kernels in the same rounds. Results are verified after the timing, so that the timed launches
    /// are checked; if they accumulate, before it.
    pub(crate) fn time<'b>(
        &'b self,
        floors: Vec<Way<'b>>,
        repeats: u32,
    ) -> Result<Vec<Times>, Failure> {
        if S::ADDS_UP {
            self.check_each().collect::<Result<(), _>>()?;
        }
        let mut ways = floors;
        ways.extend(self.ways());
        let times = self.subject.gpu().time(ROUNDS, repeats, ways)?;
        if !S::ADDS_UP {
            self.verify()?;
        }
        Ok(times)
    }
}
