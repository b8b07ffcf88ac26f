//! The peers that are Python.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::{Answer, Outcome, Work};
use crate::measure::times::Spread;
use crate::python;

/// A peer, and where it is written.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) name: &'static str,
    script: &'static str,
    pub(super) works: &'static [Work],
}

const EDM: &[Work] = &[Work::Edm];
const BOTH: &[Work] = &[Work::Edm, Work::Collision];

const fn peer(name: &'static str, script: &'static str, works: &'static [Work]) -> Peer {
    Peer { name, script, works }
}

/// Those for a GPU.
pub(super) const PEERS: &[Peer] = &[
    peer("torch.pdist", "torch_pairs.py", EDM),
    peer("torch.cdist, with a product", "torch_pairs.py", EDM),
    peer("torch.cdist, without", "torch_pairs.py", EDM),
    peer("torch.compile", "torch_pairs.py", BOTH),
    peer("Triton, packed, linear", "triton_pairs.py", EDM),
    peer("Triton, tiled", "triton_pairs.py", BOTH),
    peer("CuPy, elementwise", "cupy_pairs.py", EDM),
    peer("numba-cuda", "numba_pairs.py", EDM),
];

/// The one for a CPU.
pub(super) const SCIPY: Peer = peer("SciPy pdist, one core, f64", "scipy_pairs.py", EDM);

/// torch.compile may take half a minute; what takes longer than this hangs.
const LIMIT: Duration = Duration::from_secs(120);

/// An answer as a script prints it.
#[derive(Deserialize)]
struct Printed {
    outcome: Outcome,
    #[serde(default)]
    detail: String,
    ms: Option<Spread>,
    variant: Option<String>,
    #[serde(default)]
    versions: BTreeMap<String, String>,
}

impl Peer {
    /// Asks for a work at n, timed so often; of 0 rounds, for what happens. Adds the versions that the peer names.
    pub(super) fn ask(
        &self,
        python: &Path,
        work: Work,
        n: usize,
        rounds: usize,
        versions: &mut BTreeMap<String, String>,
    ) -> Answer {
        let step = json!({ "work": work, "n": n, "rounds": rounds }).to_string();
        match python::run::<Printed>(python, self.script, &[step, self.name.into()], LIMIT) {
            Ok(Printed { outcome, detail, ms, variant, versions: named }) => {
                versions.extend(named);
                let (peer, ms) = (self.name.into(), ms.map(Spread::rounded));
                Answer { peer, variant, work, n, outcome, detail, ms }
            }
            Err(detail) => Answer::of(self.name, work, n, Err(detail)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_python_that_is_not_there_is_an_error() {
        let python = Path::new("no-such-python");
        let answer = PEERS[0].ask(python, Work::Edm, 1000, 3, &mut BTreeMap::new());
        assert_eq!((answer.outcome, answer.n), (Outcome::Error, 1000));
        assert!(answer.detail.starts_with("cannot run no-such-python"), "{answer:?}");
    }
}
