//! Bars: how near kernels come to their floors, and how long others take.

use super::bars::{Bar, Group, WIDTH};
use crate::Failure;
use crate::edm_square::EdmSquare;
use crate::limits::Limits;
use crate::peers::{Answer, Peers, Work};
use crate::report::canvas::{BLUE, Draw, GREY, Plot, plot};
use crate::report::words::{thousands, three_digits};

fn groups(all: &[Group]) -> Result<Plot, Failure> {
    if all.is_empty() {
        let text = "there are no times of the generated kernels to compare the others with\n to do: run `td-bench peers` again";
        return Err(text.into());
    }
    let height: f64 = all.iter().map(Group::height).sum();
    plot((WIDTH, height as u32), &|draw: &mut dyn Draw| {
        let mut top = 0.0;
        for group in all {
            group.draw(draw, (0.0, top))?;
            top += group.height();
        }
        Ok(())
    })
}

/// The share of its floor's speed that each generated kernel reaches.
pub(super) fn roofline(limits: &Limits) -> Result<Plot, Failure> {
    let bar = |floor: &crate::limits::Floor| {
        let (share, beside) = (floor.share()?, floor.beside.as_ref()?);
        let ms = three_digits(beside.ms.median);
        let text = format!("{:.1} %, {ms} ms", 100.0 * share);
        Some(Bar { name: floor.name.clone(), value: 100.0 * share, text, colour: BLUE })
    };
    groups(&[Group {
        title: "How near the generated kernels come to what bounds them".into(),
        unit: "% of the speed of the floor: a fill of the same bytes; 8 FP32 instructions a pair; empty blocks".into(),
        bars: limits.floors.iter().filter_map(bar).collect(),
        mark: Some((100.0, "the floor")),
        multiplies: false,
    }])
}

/// The ladder of square distances.
pub(super) fn ladder(ladder: &EdmSquare) -> Result<Plot, Failure> {
    let rungs = ladder.rungs.iter().filter(|rung| rung.wrong.is_none() && rung.name != "fill");
    let bars = rungs.map(|rung| Bar {
        name: rung.name.clone(),
        value: 100.0 * rung.share_of_fill,
        text: format!("{:.1} %, {} GB/s", 100.0 * rung.share_of_fill, three_digits(rung.gb_per_s)),
        colour: if rung.name.starts_with("generated") { BLUE } else { GREY },
    });
    let n = thousands(ladder.n as u64);
    groups(&[Group {
        title: format!("Square distances of {n} points with {} features", ladder.features),
        unit: "% of the speed of a fill of the same bytes".into(),
        bars: bars.collect(),
        mark: Some((100.0, "the fill")),
        multiplies: false,
    }])
}

/// The times of all that do the same, as multiples of ours.
pub(super) fn peers(peers: &Peers) -> Result<Plot, Failure> {
    let mut all = Vec::new();
    for (work, name, unit) in [
        (
            Work::Edm,
            "Distances, 4 features",
            "times as long as the generated kernel, on a scale that multiplies; torch.cdist and torch.compile write the whole square",
        ),
        (
            Work::Collision,
            "Collisions in space",
            "times as long as the generated kernel, on a scale that multiplies",
        ),
    ] {
        let timed = |answer: &&Answer| answer.work == work && answer.ms.is_some();
        let largest = peers.answers.iter().filter(timed).map(|answer| answer.n).max();
        let answers: Vec<&Answer> =
            peers.answers.iter().filter(timed).filter(|answer| Some(answer.n) == largest).collect();
        let ours = answers.iter().find(|answer| answer.peer == "generated");
        let Some((ours, n)) = ours.and_then(|ours| ours.ms).zip(largest) else { continue };
        let bar = |answer: &&Answer| {
            let times = answer.ms?.median / ours.median;
            let text = format!("{} x, {} ms", three_digits(times), three_digits(answer.ms?.median));
            let colour = if answer.peer == "generated" { BLUE } else { GREY };
            Some(Bar { name: answer.peer.clone(), value: times, text, colour })
        };
        all.push(Group {
            title: format!("{name}, n = {}", thousands(n as u64)),
            unit: unit.into(),
            bars: answers.iter().filter_map(bar).collect(),
            mark: None,
            multiplies: true,
        });
    }
    groups(&all)
}
