//! The lines of a source that earlier sources have, but for names, numbers and indentation.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// At least this many consecutive known lines are not shown.
const KNOWN: usize = 2;

/// At most this many words differ in a run of known lines.
const RENAMED: usize = 4;

/// A line as numbers: of its text without words, and of each word.
struct Line {
    shape: usize,
    words: Vec<usize>,
}

/// Consecutive lines of an earlier source, some of whose words are others here.
#[derive(Clone)]
struct Run {
    source: usize,
    count: usize,
    renamed: BTreeMap<String, String>,
    /// Its lines less the words that no earlier run has renamed.
    value: usize,
}

/// The lines of all sources so far.
pub(super) struct Known {
    keywords: BTreeSet<String>,
    helpers: BTreeSet<String>,
    /// The number of each shape and word, and the reverse.
    numbers: HashMap<String, usize>,
    texts: Vec<String>,
    names: Vec<String>,
    sources: Vec<Vec<Line>>,
    /// The sources and the lines in them that have each shape.
    places: HashMap<usize, Vec<(usize, usize)>>,
}

impl Known {
    pub(super) fn new(keywords: BTreeSet<String>) -> Self {
        Self {
            keywords,
            helpers: BTreeSet::new(),
            numbers: HashMap::new(),
            texts: Vec::new(),
            names: Vec::new(),
            sources: Vec::new(),
            places: HashMap::new(),
        }
    }

    /// Adds a source. Returns its lines: all, or with one line instead of consecutive known lines.
    pub(super) fn add(&mut self, name: &str, lines: &[String], is_whole: bool) -> String {
        let source = self.sources.len();
        let lines = self.with_helpers(lines, is_whole);
        let mut rest: Vec<_> = lines.iter().map(|line| self.line(line)).collect();
        self.names.push(name.to_owned());
        self.sources.push(Vec::new());
        let (mut text, mut runs) = (String::new(), Vec::new());
        // The runs and the lines that are in the text.
        let (mut shown_runs, mut shown, mut at) = (0, 0, 0);
        while !rest.is_empty() {
            let run = if is_whole { None } else { self.longest(&rest, &runs) };
            let (count, is_known) = run.as_ref().map_or((1, false), |run| (run.count, true));
            runs.extend(run);
            for line in rest.drain(..count) {
                let place = (source, self.sources[source].len());
                self.places.entry(line.shape).or_default().push(place);
                self.sources[source].push(line);
            }
            if !is_known {
                text += &self.summary(&lines[shown..at], &runs[shown_runs..]);
                text += &format!("{}\n", lines[at]);
                (shown_runs, shown) = (runs.len(), at + 1);
            }
            at += count;
        }
        text + &self.summary(&lines[shown..], &runs[shown_runs..])
    }

    /// Joins the lines that name helpers, without those of earlier sources unless all are shown.
    fn with_helpers(&mut self, lines: &[String], is_whole: bool) -> Vec<String> {
        let helper = |line: &String| line.strip_prefix("// codegen/cuda/").map(str::to_owned);
        let mut joined = Vec::new();
        for lines in lines.chunk_by(|a, b| helper(a).is_some() == helper(b).is_some()) {
            let mut helpers: Vec<_> = lines.iter().filter_map(helper).collect();
            if helpers.is_empty() {
                joined.extend_from_slice(lines);
                continue;
            }
            helpers.retain(|name| self.helpers.insert(name.clone()) || is_whole);
            if helpers.len() < lines.len() {
                helpers.insert(0, "...".to_owned());
            }
            joined.push(format!("// codegen/cuda/: {}", helpers.join(", ")));
        }
        joined
    }

    fn number(&mut self, text: &str) -> usize {
        let next = self.texts.len();
        let number = *self.numbers.entry(text.to_owned()).or_insert(next);
        if number == next {
            self.texts.push(text.to_owned());
        }
        number
    }

    fn line(&mut self, text: &str) -> Line {
        // New helpers are shown, but the line of a body in its file is not.
        if text.starts_with("// codegen/") || text.starts_with("#line ") {
            let text = if text.starts_with('#') { "#line" } else { text };
            return Line { shape: self.number(text), words: Vec::new() };
        }
        let (mut shape, mut words) = (String::new(), Vec::new());
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut rest = text.trim_start();
        while let Some(start) = rest.find(is_word) {
            let end = rest[start..].find(|c| !is_word(c)).map_or(rest.len(), |end| start + end);
            let word = &rest[start..end];
            shape += &rest[..start];
            if self.keywords.contains(word) {
                shape += word;
            } else {
                shape += "_";
                words.push(self.number(word));
            }
            rest = &rest[end..];
        }
        Line { shape: self.number(&(shape + rest)), words }
    }

    /// The run at the start of `lines` with the most known lines for the fewest new names, from the latest source.
    fn longest(&self, lines: &[Line], before: &[Run]) -> Option<Run> {
        let places = self.places.get(&lines[0].shape)?.iter();
        let runs = places.filter_map(|(source, start)| self.run(*source, *start, lines, before));
        runs.max_by_key(|run| {
            let latest = before.iter().rposition(|known| known.source == run.source);
            (run.value, usize::MAX - run.renamed.len(), latest, run.source)
        })
    }

    /// The best run from this place on. In a run, a word has one other name.
    fn run(&self, source: usize, start: usize, lines: &[Line], before: &[Run]) -> Option<Run> {
        let (mut words, mut renamed) = (HashMap::new(), BTreeMap::new());
        let (mut best, mut new) = (None::<Run>, 0);
        for (at, (known, line)) in self.sources[source][start..].iter().zip(lines).enumerate() {
            if known.shape != line.shape {
                break;
            }
            for (from, to) in known.words.iter().zip(&line.words) {
                if *words.entry(*from).or_insert(*to) != *to {
                    return best;
                }
                if from == to {
                    continue;
                }
                let (from, to) = self.difference(*from, *to);
                match renamed.get(&from) {
                    Some(known) if *known == to => continue,
                    None if renamed.len() < RENAMED => {}
                    _ => return best,
                }
                let is_known =
                    |run: &Run| run.source == source && run.renamed.get(&from) == Some(&to);
                new += usize::from(!before.iter().any(is_known));
                renamed.insert(from, to);
            }
            let (count, value) = (at + 1, (at + 1).saturating_sub(new));
            if value > best.as_ref().map_or(0, |run| run.value) {
                best = Some(Run { source, count, renamed: renamed.clone(), value });
            }
        }
        best
    }

    /// The parts of two names in which they differ.
    fn difference(&self, from: usize, to: usize) -> (String, String) {
        let parts = |word: usize| self.texts[word].split('_').collect::<Vec<_>>();
        let (mut from, mut to) = (parts(from), parts(to));
        while from.len().min(to.len()) > 1 && from.last() == to.last() {
            from.pop();
            to.pop();
        }
        while from.len().min(to.len()) > 1 && from.first() == to.first() {
            from.remove(0);
            to.remove(0);
        }
        (from.join("_"), to.join("_"))
    }

    /// One line for known lines, or these lines if they are few.
    fn summary(&self, lines: &[String], runs: &[Run]) -> String {
        if lines.len() < KNOWN {
            return lines.iter().map(|line| format!("{line}\n")).collect();
        }
        let mut parts: Vec<Run> = Vec::new();
        for run in runs {
            let fits = |part: &&mut Run| {
                let mut renamed = run.renamed.iter();
                part.source == run.source
                    && renamed.all(|(from, to)| part.renamed.get(from).is_none_or(|own| own == to))
            };
            match parts.iter_mut().find(fits) {
                Some(part) => {
                    part.count += run.count;
                    part.renamed.extend(run.renamed.clone());
                }
                None => parts.push(run.clone()),
            }
        }
        let is_short = |run: &Run| run.count < KNOWN && run.renamed.is_empty();
        let others: usize = parts.iter().filter(|run| is_short(run)).map(|run| run.count).sum();
        parts.retain(|run| !is_short(run));
        let mut parts: Vec<_> = parts.iter().map(|run| self.part(run)).collect();
        if others > 0 {
            parts.push(format!("{others} of others"));
        }
        format!("... {}\n", parts.join("; ").replacen(" of", " lines of", 1))
    }

    /// The lines of one source in a summary.
    fn part(&self, Run { source, count, renamed, .. }: &Run) -> String {
        let renamed: Vec<_> = renamed.iter().map(|(from, to)| format!("{to} for {from}")).collect();
        let names = match &renamed[..] {
            [] => String::new(),
            _ => format!(" ({})", renamed.join(", ")),
        };
        format!("{count} of {}{names}", self.names[*source])
    }
}
