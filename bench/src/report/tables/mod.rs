//! The tables, each a section by itself.

mod factors;
mod limits;
mod peers;

use super::Sources;
use crate::record::Machine;

/// A table with its heading.
pub(super) struct Section {
    /// What a page asks for it by.
    pub(super) name: &'static str,
    pub(super) heading: String,
    pub(super) text: String,
}

impl Section {
    fn new(name: &'static str, heading: impl Into<String>, text: String) -> Section {
        Section { name, heading: heading.into(), text }
    }
}

/// Every section whose figures are there.
pub(super) fn sections(sources: &Sources) -> Vec<Section> {
    let mut sections = vec![Section::new("machine", "Where", machines(sources))];
    if let Some(file) = &sources.figures {
        sections.extend(factors::sections(&file.figures));
    }
    if let Some(file) = &sources.limits {
        sections.extend(limits::sections(&file.figures));
        if let Some(figures) = &sources.figures {
            sections.extend(limits::starting(&figures.figures, &file.figures));
        }
    }
    if let Some(file) = &sources.ladder {
        sections.push(limits::ladder(&file.figures));
    }
    if let Some(file) = &sources.peers {
        sections.extend(peers::sections(&file.figures));
    }
    if let Some(file) = &sources.cpu {
        sections.push(peers::cpu(&file.machine, &file.figures.0));
    }
    sections
}

/// All sections under each other, and the plots.
pub(super) fn page(sections: &[Section], plots: &[String]) -> String {
    let mut text = "# Figures\n\nMade by `td-bench report` from the JSON beside it.\n".to_owned();
    for Section { heading, text: section, .. } in sections {
        text += &format!("\n## {heading}\n\n{}\n", section.trim_end());
    }
    text += "\n## Plots\n";
    for plot in plots {
        text += &format!("\n![{}]({plot})\n", plot.trim_end_matches(".svg"));
    }
    text
}

fn machines(sources: &Sources) -> String {
    let Sources { figures, limits, ladder, peers, cpu } = sources;
    let machines: Vec<&Machine> = [
        figures.as_ref().map(|file| &file.machine),
        limits.as_ref().map(|file| &file.machine),
        ladder.as_ref().map(|file| &file.machine),
        peers.as_ref().map(|file| &file.machine),
        cpu.as_ref().map(|file| &file.machine),
    ]
    .into_iter()
    .flatten()
    .collect();
    let mut lines: Vec<String> = Vec::new();
    for machine in &machines {
        if !lines.contains(&machine.line()) {
            lines.push(machine.line());
        }
    }
    let commands = machines.iter().map(|machine| format!("`{}`", machine.command));
    format!("{}.\n\nBy {}.\n", lines.join("; "), commands.collect::<Vec<_>>().join(", "))
}
