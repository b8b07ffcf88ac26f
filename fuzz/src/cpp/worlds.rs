//! Phase 4 but for macros: directives, in every combination of conditions.

use super::lexer::Line;
use super::macros::Macros;

/// How many conditions are tried with both outcomes independently of each other.
const INDEPENDENT: usize = 5;

/// How the body leaves its function, if it does in any combination of conditions.
pub(super) fn leave(lines: &[Line]) -> Option<String> {
    let asks = |line: &&Line| {
        directive(line).is_some_and(|name| name.starts_with("if") || name.starts_with("elif"))
    };
    let conditions = lines.iter().filter(asks).count().min(INDEPENDENT);
    (0..1_usize << conditions).find_map(|world| World::new(world).read(lines).err())
}

fn directive(line: &Line) -> Option<&str> {
    match line.first().map(String::as_str) {
        Some("#" | "%:") => Some(line.get(1).map_or("", String::as_str)),
        _ => None,
    }
}

/// A part between `#if` and `#endif`.
struct Group {
    /// Whether what stands around it is read.
    outer: bool,
    /// Whether one of its branches was taken.
    taken: bool,
    /// Whether the present branch is read.
    live: bool,
}

struct World {
    /// The outcomes of conditions, one a bit.
    outcomes: usize,
    asked: usize,
    depth: usize,
    groups: Vec<Group>,
    macros: Macros,
    pending: Line,
}

impl World {
    fn new(outcomes: usize) -> World {
        let macros = Macros::default();
        World { outcomes, asked: 0, depth: 0, groups: Vec::new(), macros, pending: Line::new() }
    }

    fn is_live(&self) -> bool {
        self.groups.last().is_none_or(|group| group.live)
    }

    fn outcome(&mut self) -> bool {
        let outcome = self.outcomes >> (self.asked % INDEPENDENT) & 1 != 0;
        self.asked += 1;
        outcome
    }

    fn read(mut self, lines: &[Line]) -> Result<(), String> {
        for (at, line) in lines.iter().enumerate() {
            let Some(name) = directive(line) else {
                if self.is_live() {
                    self.pending.extend_from_slice(line);
                }
                continue;
            };
            self.conditional(name)?;
            if !self.is_live() || name.is_empty() {
                continue;
            }
            if name == "line" && line.get(2).is_some_and(|number| number == "4294967") {
                return self.end(&lines[at + 1..]);
            }
            match name {
                "define" | "undef" => {
                    self.flush()?;
                    self.macros.change(name, &line[2..]);
                }
                "pragma" if line.iter().any(|word| word == "pop_macro") => {
                    return Err("brings a macro back".into());
                }
                _ => {}
            }
        }
        Err("hides the end of the function".into())
    }

    fn conditional(&mut self, name: &str) -> Result<(), String> {
        match name {
            "if" | "ifdef" | "ifndef" => {
                let (outer, outcome) = (self.is_live(), self.outcome());
                self.groups.push(Group { outer, taken: outcome, live: outer && outcome });
            }
            "elif" | "elifdef" | "elifndef" | "else" => {
                let outcome = name == "else" || self.outcome();
                let group =
                    self.groups.last_mut().ok_or("goes on with a condition from before it")?;
                group.live = group.outer && !group.taken && outcome;
                group.taken |= outcome;
            }
            "endif" => {
                self.groups.pop().ok_or("ends a condition from before it")?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Expands the macros in what was read, and counts its braces.
    fn flush(&mut self) -> Result<(), String> {
        let written = std::mem::take(&mut self.pending);
        // Text that macros make too long to follow is looked at as it is written.
        let tokens = self.macros.expand(written.clone()).unwrap_or(written);
        for token in tokens {
            match token.as_str() {
                "{" | "<%" => self.depth += 1,
                "}" | "%>" => {
                    self.depth = self.depth.checked_sub(1).ok_or("closes its function")?;
                }
                text if text.contains("pop_macro") && text.starts_with(['"', '\'']) => {
                    return Err("may bring a macro back".into());
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// At the directive that follows the body.
    fn end(mut self, rest: &[Line]) -> Result<(), String> {
        self.flush()?;
        let rest: Vec<&String> = rest.iter().flatten().collect();
        match () {
            () if self.depth > 0 => Err("leaves a brace open".into()),
            () if !self.groups.is_empty() => Err("leaves a condition open".into()),
            () if self.macros.any() => Err("leaves a macro behind".into()),
            () if rest != ["}"] => Err("hides the end of the function".into()),
            () => Ok(()),
        }
    }
}
