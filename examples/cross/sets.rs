//! The two sets of points: built in, from files, or at random.

use td_kernel_examples::memory::collected;
use td_kernel_examples::text::shown;
use td_kernel_examples::{Place, Points, Problem, Result, Table, data};

use crate::arguments::Arguments;

/// Two sets of points with as many features.
#[derive(Debug)]
pub(crate) struct Sets {
    /// The points that have a row each.
    pub(crate) rows: Points,
    /// The points that have a column each.
    pub(crate) columns: Points,
}

impl Sets {
    /// The sets that the arguments ask for.
    pub(crate) fn choose(arguments: &Arguments) -> Result<Sets> {
        if let Some([rows, columns]) = arguments.random.as_deref() {
            return Sets::random([*rows, *columns], arguments.features.into(), arguments.seed);
        }
        let options = &arguments.table;
        let (Some(first), Some(second)) = (&arguments.first, &arguments.second) else {
            let name = data::IRIS.name;
            let table = Table::parse(name, data::IRIS.text.as_bytes())?;
            let wanted = options.columns.as_deref();
            return Sets::halves(&Points::from_table(table, wanted, None)?);
        };
        let read = |path| Points::read(path, options, None);
        let sets = Sets { rows: read(first)?, columns: read(second)? };
        if sets.rows.features != sets.columns.features {
            let problem = Problem::OtherFeatures {
                found: sets.columns.features,
                other: shown(first),
                expected: sets.rows.features,
            };
            return Err(problem.at(Place::file(&second.display().to_string())));
        }
        if let (Some(first), Some(second)) = (&sets.rows.taken, &sets.columns.taken) {
            second.expect_same(first)?;
        }
        Ok(sets)
    }

    /// How many features each point has.
    pub(crate) fn features(&self) -> usize {
        self.rows.features
    }

    /// Two sets that have no points in common, from one sequence of numbers.
    fn random([rows, columns]: [u32; 2], features: usize, seed: u64) -> Result<Sets> {
        let (rows, columns) = (rows as usize, columns as usize);
        let mut first = Points::random(rows + columns, features, seed)?;
        let values = collected(columns * features, first.values.drain(rows * features..))?;
        let second = Points {
            values,
            features,
            origin: first.origin.clone(),
            left_out: Vec::new(),
            taken: None,
        };
        Ok(Sets { rows: first, columns: second })
    }

    /// The points with an even index, and those with an odd one.
    fn halves(all: &Points) -> Result<Sets> {
        let half = |start: usize, which: &str| -> Result<Points> {
            let points = all.values.chunks(all.features).skip(start).step_by(2);
            Ok(Points {
                values: collected(all.values.len(), points.flatten().copied())?,
                features: all.features,
                origin: format!("rows with an {which} index, {}", all.origin),
                left_out: Vec::new(),
                taken: None,
            })
        };
        Ok(Sets { rows: half(0, "even")?, columns: half(1, "odd")? })
    }
}
