//! An explanation as text of at most [`WIDTH`] columns, but for values that have no space in them.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use super::{Cited, Explanation, StepExplained, WIDTH, words};

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = Page::default();
        page.explanation(self);
        f.write_str(&words::harmless(&page.text))
    }
}

#[derive(Default)]
struct Page {
    text: String,
    /// The clauses that stand here in full already.
    cited: BTreeSet<String>,
}

impl Page {
    fn line(&mut self, line: &str) {
        // Writing into a string cannot fail.
        let _ = writeln!(self.text, "{}", line.trim_end());
    }

    fn paragraph(&mut self, text: &str, first: &str, rest: &str) {
        for line in words::wrap(text, first, rest, WIDTH) {
            self.line(&line);
        }
    }

    fn explanation(&mut self, explanation: &Explanation) {
        if let Some(id) = &explanation.id {
            self.line(id);
            self.paragraph(&explanation.title, "  ", "  ");
        }
        let chosen = serde_json::to_value(explanation.readings).unwrap_or_default();
        for (id, alternative) in
            chosen.get(explanation.dialect.name()).and_then(|of| of.as_object()).into_iter().flatten()
        {
            let alternative = alternative.as_str().unwrap_or_default();
            self.line(&format!("  read with {id} = {alternative}"));
        }
        if let Some(by) = &explanation.by {
            let clauses = words::list(by.clauses);
            self.paragraph(
                &format!("as `{}` carries it out, which breaks {clauses}: {}", by.name, by.does),
                "  ",
                "  ",
            );
        }
        if let Some(departure) = &explanation.differs_from_vector {
            self.paragraph(&format!("This is not what the vector expects: {departure}."), "  ", "  ");
        }
        if !explanation.rests_on.is_empty() {
            self.line("");
            self.line("  It rests on");
            for cited in &explanation.rests_on {
                self.cited(cited);
            }
        }
        for step in &explanation.steps {
            self.step(step);
        }
        self.line("");
        self.readings(explanation);
    }

    fn step(&mut self, step: &StepExplained) {
        self.line("");
        self.paragraph(&step.does, &format!("Step {}: ", step.step), "  ");
        for sentence in &step.sentences {
            let within = sentence.len() - sentence.trim_start().len();
            let indent = " ".repeat(2 + within);
            self.paragraph(sentence, &indent, &format!("{indent}  "));
        }
        for timeline in &step.timelines {
            self.line("");
            if !timeline.title.is_empty() {
                self.line(&format!("  {}", timeline.title));
            }
            for line in &timeline.lines {
                self.line(&format!("  {line}"));
            }
        }
        if let Some(departure) = &step.departs {
            self.paragraph(&format!("Here it departs from the specification: {departure}."), "  ", "    ");
        }
        if !step.clauses.is_empty() {
            self.line("");
            self.line("  In question");
        }
        let known: BTreeSet<_> = self.cited.clone();
        let (again, fresh): (Vec<_>, Vec<_>) =
            step.clauses.iter().partition(|cited| known.contains(&cited.clause));
        for cited in fresh {
            self.cited(cited);
        }
        for cited in again {
            let otherwise = otherwise(cited);
            self.paragraph(&format!("{}, as above; {otherwise}", cited.clause), "    ", "      ");
        }
    }

    fn cited(&mut self, cited: &Cited) {
        self.paragraph(&format!("{} {}", cited.clause, cited.statement), "    ", "      ");
        for ground in &cited.grounds {
            self.paragraph(ground, "      - ", "        ");
        }
        if !cited.decided_by.is_empty() {
            self.paragraph(&otherwise(cited), "      - ", "        ");
        }
        self.cited.insert(cited.clause.clone());
    }

    fn readings(&mut self, explanation: &Explanation) {
        if explanation.depends_on.is_empty() {
            self.line("No other reading would change this transcript.");
            return;
        }
        self.line("Other readings would change this transcript:");
        let mut last = "";
        for depends in &explanation.depends_on {
            if depends.clause != last {
                self.paragraph(&format!("{} {}", depends.clause, depends.question), "  ", "    ");
                last = &depends.clause;
            }
            let change = format!("{} (here {}): {}", depends.alternative, depends.chosen, depends.changes);
            self.paragraph(&change, "    - ", "      ");
        }
    }
}

/// By whom the step would be another.
fn otherwise(cited: &Cited) -> String {
    let names: Vec<_> = cited.decided_by.iter().map(|name| format!("`{name}`")).collect();
    format!("otherwise by {}", words::list(&names))
}
