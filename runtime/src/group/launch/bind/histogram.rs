//! Binds histograms.

use super::{Axis, Bind, Exact};
use crate::group::launch::Launch;
use crate::run::Value;
use crate::{Histogram, HistogramValue, Result};

/// The addresses of the totals, and the number of bins, which fits 32 bits.
impl<'a, T: HistogramValue> Bind<'a> for &'a mut Histogram<T> {
    fn bind(self, launch: &mut Launch<'a>, _: Axis, name: &'static str) -> Result<()> {
        let bins = self.len() as u32;
        launch.gather(name, &mut self.totals)?;
        launch.push(Value::Number(bins));
        Ok(())
    }
}

/// The same in every run: the addresses of the digits.
impl<'a, T: HistogramValue> Bind<'a> for Exact<&'a mut Histogram<T>> {
    fn bind(self, launch: &mut Launch<'a>, _: Axis, name: &'static str) -> Result<()> {
        let Exact(histogram) = self;
        let bins = histogram.len() as u32;
        launch.expect_there(name, &histogram.totals)?;
        if let Some(exact) = histogram.exact(&launch.kernel.device)? {
            launch.gather(name, &mut exact.memory)?;
        }
        launch.push(Value::Number(bins));
        Ok(())
    }
}
