//! Elements with features among the arguments of a launch.

use super::{Launch, Value};
use crate::Error;
use crate::error::counted;
use crate::{DeviceType, Features, Result};

/// The sides of a pair.
const ROWS: usize = 0;
const COLUMNS: usize = 1;

/// The features of a launch.
#[derive(Clone, Copy)]
pub(super) struct Products {
    /// The indices of the values that are the addresses of features of rows and of columns.
    pub(super) values: [usize; 2],
    /// How many an element has.
    pub(super) width: u32,
}

impl<'a> Launch<'a> {
    /// Features of the elements that the pairs are made of.
    pub fn features_of_each<T: DeviceType>(
        &mut self,
        name: &'static str,
        features: &'a Features<T>,
    ) -> Result<()> {
        self.features(name, features, &[ROWS, COLUMNS])?;
        self.agree(name, features.len(), None)
    }

    /// Features of the elements that a rectangle's rows are for.
    pub fn features_of_rows<T: DeviceType>(
        &mut self,
        name: &'static str,
        features: &'a Features<T>,
    ) -> Result<()> {
        self.features(name, features, &[ROWS])?;
        self.agree_rows(name, features.len(), None)
    }

    /// Features of the elements that a rectangle's columns are for.
    pub fn features_of_columns<T: DeviceType>(
        &mut self,
        name: &'static str,
        features: &'a Features<T>,
    ) -> Result<()> {
        self.features(name, features, &[COLUMNS])?;
        self.agree_columns(name, features.len(), None)
    }

    /// The features that tensor cores multiply, where there are some of both sides.
    pub(super) fn products(&self) -> Option<Products> {
        match (self.features, self.width) {
            ([Some(rows), Some(columns)], Some((width, _))) => {
                Some(Products { values: [rows, columns], width })
            }
            _ => None,
        }
    }

    /// The width of the features just before.
    pub fn width(&mut self) {
        self.values.push(Value::Number(self.width.map_or(0, |(width, _)| width)));
    }

    /// Takes the address of features of these sides of a pair, and checks that all features have the same width.
    fn features<T: DeviceType>(
        &mut self,
        name: &'static str,
        features: &'a Features<T>,
        sides: &[usize],
    ) -> Result<()> {
        let before = self.values.len();
        self.read(name, features.memory.view())?;
        for &side in sides {
            self.features[side].get_or_insert(before);
        }
        // Features are made with no more than 31 bits of them for each element.
        let width = u32::try_from(features.width()).unwrap_or(u32::MAX);
        match self.width {
            None => self.width = Some((width, name)),
            Some((expected, first)) if expected != width => {
                let problem = format!(
                    "has {} for each element, but `{first}` has {expected}: a kernel folds both together, so give them the same width",
                    counted(features.width(), "feature")
                );
                return Err(Error::arguments(problem).about(self.kernel.info.name, name));
            }
            Some(_) => {}
        }
        Ok(())
    }
}
