//! The plots, each from the figures alone.

mod bars;
mod factors;
mod lines;
mod shares;

use super::Sources;
use super::canvas::Plot;
use crate::Failure;

/// A plot by the name of its files.
pub(super) type Named = (&'static str, Plot);

/// Every plot whose figures are there.
pub(super) fn all(sources: &Sources) -> Result<Vec<Named>, Failure> {
    let mut plots = Vec::new();
    if let Some(figures) = &sources.figures {
        plots.extend(factors::plots(&figures.figures)?);
    }
    if let Some(limits) = &sources.limits {
        plots.push(("roofline", shares::roofline(&limits.figures)?));
    }
    if let Some(ladder) = &sources.ladder {
        plots.push(("edm-square", shares::ladder(&ladder.figures)?));
    }
    if let Some(peers) = &sources.peers {
        plots.push(("peers", shares::peers(&peers.figures)?));
    }
    Ok(plots)
}
