//! The ladder as it is kept.

use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::figures::Spread;
use crate::record::{Record, rounded};

/// The ladder.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct EdmSquare {
    pub(crate) n: usize,
    pub(crate) features: u32,
    pub(crate) rounds: usize,
    /// The fill first, then the kernels.
    pub(crate) rungs: Vec<Rung>,
}

/// One kernel.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rung {
    pub(crate) name: String,
    /// The median, and the quarters below and above.
    pub(crate) ms: f64,
    pub(crate) low_ms: f64,
    pub(crate) high_ms: f64,
    /// The bytes of the result over the time.
    pub(crate) gb_per_s: f64,
    /// The time of a fill of the same bytes, in the same rounds, over this one's.
    pub(crate) share_of_fill: f64,
    /// What is wrong with the results, if they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) wrong: Option<String>,
}

impl Record for EdmSquare {
    const FILE: &'static str = "edm-square.json";
    const WHAT: &'static str = "td-bench edm-square, format 1";
    const COMMAND: &'static str = "td-bench edm-square";
}

impl Rung {
    /// A kernel that was not timed.
    pub(super) fn failed(name: &str, error: &Failure) -> Rung {
        Rung {
            name: name.into(),
            ms: 0.0,
            low_ms: 0.0,
            high_ms: 0.0,
            gb_per_s: 0.0,
            share_of_fill: 0.0,
            wrong: Some(error.to_string()),
        }
    }
}

/// The rungs of the same bytes; the fill is the first.
pub(super) fn rungs(
    bytes: usize,
    names: &[String],
    samples: Vec<Vec<f64>>,
    wrong: Vec<Option<String>>,
) -> Result<Vec<Rung>, Failure> {
    let spreads: Option<Vec<Spread>> = samples.into_iter().map(Spread::of).collect();
    let spreads = spreads.ok_or("nothing was timed")?;
    let fill = spreads.first().ok_or("nothing was timed")?.median;
    let each = names.iter().zip(&spreads).zip(wrong);
    let rungs = each.map(|((name, spread), wrong)| Rung {
        name: name.clone(),
        ms: spread.median,
        low_ms: spread.low,
        high_ms: spread.high,
        gb_per_s: rounded(bytes as f64 / spread.median / 1e6),
        share_of_fill: rounded(fill / spread.median),
        wrong,
    });
    Ok(rungs.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_of_the_fill_of_the_same_bytes() {
        let names = ["fill".to_owned(), "kernel".to_owned()];
        let samples = vec![vec![1.0, 1.0, 1.0], vec![2.0, 2.0, 4.0]];
        let rungs = rungs(4_000_000, &names, samples, vec![None, Some("wrong".into())]).unwrap();
        assert_eq!((rungs[0].gb_per_s, rungs[0].share_of_fill), (4.0, 1.0));
        assert_eq!((rungs[1].gb_per_s, rungs[1].share_of_fill), (2.0, 0.5));
        assert_eq!(rungs[1].wrong.as_deref(), Some("wrong"));
    }
}
