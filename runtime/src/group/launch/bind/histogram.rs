//! Binds histograms.

use super::{Bind, Role};
use crate::group::launch::Launch;
use crate::run::Value;
use crate::{Histogram, HistogramValue, Result};

/// The addresses of the totals, and the number of bins, which fits 32 bits.
impl<'a, T: HistogramValue> Bind<'a> for &'a mut Histogram<T> {
    fn bind(self, launch: &mut Launch<'a>, _: Role, name: &'static str) -> Result<()> {
        let bins = self.len() as u32;
        launch.gather(name, &mut self.totals)?;
        launch.push(Value::Number(bins));
        Ok(())
    }
}
