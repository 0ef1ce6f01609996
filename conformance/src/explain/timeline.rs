//! A firing as a time line in characters: one row a hook, one axis for all.
//!
//! The axis is as long as the firing. A stretch that would leave no room for the others (a wait of
//! a day, a budget that was hardly touched) is broken and drawn as `//`.

use hookproof_model::kernel::Millis;

use super::words;

/// What the characters mean.
const LEGEND: &[(char, &str)] = &[
    ('|', "asked"),
    ('-', "waiting"),
    ('=', "parked"),
    ('*', "answer"),
    ('x', "timeout"),
    ('s', "silenced"),
    ('#', "failure"),
    ('!', "deadline"),
    ('>', "goes on"),
    ('/', "break"),
];

/// The longest name that a row starts with.
const MAX_NAME: usize = 24;
/// How much longer than all the others a stretch is that is broken.
const BREAK: u64 = 5;
/// How a broken stretch is drawn.
const BROKEN: usize = 4;

/// How a hook's turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// It answered in time.
    Answered,
    /// It did not.
    TimedOut,
    /// Its answer was discarded.
    Silenced,
    /// It failed otherwise.
    Failed,
}

impl Mark {
    const fn character(self) -> char {
        match self {
            Self::Answered => '*',
            Self::TimedOut => 'x',
            Self::Silenced => 's',
            Self::Failed => '#',
        }
    }
}

/// A hook on the time line. Moments count from the beginning of the firing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// When it was asked.
    pub asked: Option<Millis>,
    /// From when on it parked the work.
    pub parked: Option<Millis>,
    /// When its turn ended, and how; `None` while it is waited for.
    pub settled: Option<(Millis, Mark)>,
    /// By when it must have answered.
    pub until: Option<Millis>,
}

/// The time line of a firing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timeline {
    /// The hooks that were asked, in chain order.
    pub rows: Vec<Row>,
    /// When the firing ended; `None` while it is parked.
    pub ended: Option<Millis>,
}

/// A moment on the axis: where its cell begins, and how many marks it has room for.
#[derive(Debug, Clone, Copy)]
struct Tick {
    at: Millis,
    column: usize,
    width: usize,
    /// Whether the stretch behind it is broken.
    broken: bool,
}

impl Timeline {
    /// The time line in lines of at most `width` characters: the rows, the axis, the legend. A
    /// firing with more moments than fit says so instead.
    #[must_use]
    pub fn draw(&self, width: usize) -> Vec<String> {
        let names: Vec<_> = self.rows.iter().map(|row| short(&row.name, MAX_NAME)).collect();
        let margin = names.iter().map(|name| name.chars().count()).max().unwrap_or_default() + 1;
        // What is still waited for goes on behind the axis.
        let behind = usize::from(self.ended.is_none());
        let Some(ticks) = self.axis(width.saturating_sub(margin + behind)) else {
            return vec!["(too many moments for a line of this width)".to_owned()];
        };
        let pad = |name: &str| format!("{name}{}", " ".repeat(margin.saturating_sub(name.chars().count())));
        let mut lines: Vec<_> = self
            .rows
            .iter()
            .zip(&names)
            .map(|(row, name)| format!("{}{}", pad(name), self.line(row, &ticks)).trim_end().to_owned())
            .collect();
        let drawn: String = lines.iter().flat_map(|line| line.chars().skip(margin)).collect();
        lines.push(format!("{}{}", pad(""), labels(&ticks, width.saturating_sub(margin))));
        let legend: Vec<_> = LEGEND
            .iter()
            .filter(|(mark, _)| drawn.contains(*mark))
            .map(|(mark, means)| format!("{mark} {means}"))
            .collect();
        lines.extend(words::wrap_items(&legend, "   ", width));
        lines
    }

    /// The moments that are drawn.
    fn moments(&self) -> Vec<Millis> {
        let mut moments = vec![Millis::ZERO];
        moments.extend(self.ended);
        for row in &self.rows {
            moments.extend(row.asked.into_iter().chain(row.parked).chain(row.settled.map(|(at, _)| at)));
        }
        let end = moments.iter().max().copied().unwrap_or_default();
        let deadlines = self.rows.iter().filter_map(|row| self.deadline(row));
        let (within, mut behind): (Vec<_>, Vec<_>) = deadlines.partition(|until| *until <= end);
        moments.extend(within);
        // A deadline behind the end is drawn where it is the only one.
        behind.sort_unstable();
        behind.dedup();
        if let [only] = behind.as_slice() {
            moments.push(*only);
        }
        moments.sort_unstable();
        moments.dedup();
        moments
    }

    /// A hook's deadline, as far as it is drawn: not where the hook was done before it, but where all
    /// have the same one.
    fn deadline(&self, row: &Row) -> Option<Millis> {
        let until = row.until.filter(|until| *until != Millis::MAX)?;
        let shared = self.rows.iter().all(|other| other.until == Some(until));
        (shared || row.settled.is_none_or(|(at, _)| at >= until)).then_some(until)
    }

    /// Lays the moments out on `width` columns; `None` if they do not fit.
    fn axis(&self, width: usize) -> Option<Vec<Tick>> {
        let moments = self.moments();
        let cells: Vec<_> = moments.iter().map(|at| self.marks_at(*at)).collect();
        let stretches: Vec<_> =
            moments.iter().zip(moments.iter().skip(1)).map(|(from, to)| to.since(*from).0).collect();
        let broken = breaks(&stretches);
        let fixed: usize = cells.iter().sum::<usize>()
            + broken.iter().map(|broken| if *broken { BROKEN } else { 1 }).sum::<usize>();
        let room = width.checked_sub(fixed)? as u128;
        let scaled = stretches.iter().zip(&broken).filter(|(_, broken)| !**broken);
        let whole = scaled.map(|(stretch, _)| u128::from(*stretch)).sum::<u128>().max(1);
        let mut ticks = Vec::new();
        let mut column = 0;
        for (place, (at, width)) in moments.into_iter().zip(cells).enumerate() {
            let broken = broken.get(place).copied().unwrap_or_default();
            ticks.push(Tick { at, column, width, broken });
            let stretch = match stretches.get(place) {
                Some(_) if broken => BROKEN,
                Some(stretch) => {
                    let share = u128::from(*stretch) * room / whole;
                    1 + usize::try_from(share).unwrap_or_default()
                }
                None => 0,
            };
            column += width + stretch;
        }
        Some(ticks)
    }

    /// The most marks that a row has at one moment.
    fn marks_at(&self, at: Millis) -> usize {
        self.rows.iter().map(|row| self.marks(row, at).len()).max().unwrap_or_default().max(1)
    }

    /// What a row shows at one moment.
    fn marks(&self, row: &Row, at: Millis) -> Vec<char> {
        let mut marks = Vec::new();
        marks.extend(row.asked.filter(|asked| *asked == at).map(|_| '|'));
        marks.extend(row.parked.filter(|parked| *parked == at).map(|_| '='));
        marks.extend(row.settled.filter(|(settled, _)| *settled == at).map(|(_, mark)| mark.character()));
        marks.extend(self.deadline(row).filter(|until| *until == at).map(|_| '!'));
        marks
    }

    fn line(&self, row: &Row, ticks: &[Tick]) -> String {
        let waits_until = row.settled.map_or_else(|| self.ended.unwrap_or(Millis::MAX), |(at, _)| at);
        let fill = |from: Millis| match (row.asked, row.parked) {
            (Some(asked), _) if from < asked || from >= waits_until => ' ',
            (Some(_), Some(parked)) if from >= parked => '=',
            (Some(_), _) => '-',
            (None, _) => ' ',
        };
        let mut line = String::new();
        let mut drawn = 0;
        for (place, tick) in ticks.iter().enumerate() {
            let marks = self.marks(row, tick.at);
            let end = ticks.get(place + 1).map_or(tick.column + tick.width, |next| next.column);
            // While it waits, a moment of others is one of waiting, too.
            let filler = fill(tick.at);
            line.extend(marks.iter());
            drawn += marks.len();
            let rest = end.saturating_sub(drawn);
            let stretch: String = std::iter::repeat_n(filler, rest).collect();
            if tick.broken && rest >= BROKEN {
                line.push_str(&broken(&stretch));
            } else {
                line.push_str(&stretch);
            }
            drawn = end;
        }
        if row.settled.is_none() && self.ended.is_none() {
            line.push('>');
        }
        line
    }
}

/// Which stretches are broken: as long as the longest is many times as long as all others together,
/// it is.
fn breaks(stretches: &[u64]) -> Vec<bool> {
    let mut broken = vec![false; stretches.len()];
    loop {
        let left = || stretches.iter().zip(&broken).enumerate().filter(|(_, (_, broken))| !**broken);
        let whole: u64 = left().fold(0, |sum, (_, (stretch, _))| sum.saturating_add(*stretch));
        let longest = left().max_by_key(|(_, (stretch, _))| **stretch);
        let Some((place, (longest, _))) = longest else { return broken };
        let others = whole.saturating_sub(*longest);
        if others == 0 || *longest <= others.saturating_mul(BREAK) {
            return broken;
        }
        match broken.get_mut(place) {
            Some(broken) => *broken = true,
            None => return broken,
        }
    }
}

/// A stretch with a break in its middle.
fn broken(stretch: &str) -> String {
    let length = stretch.chars().count();
    let before = (length - 2) / 2;
    let head: String = stretch.chars().take(before).collect();
    let tail: String = stretch.chars().skip(before + 2).collect();
    format!("{head}//{tail}")
}

/// The moments under the axis, as many as fit beside each other, the first and the last before all.
fn labels(ticks: &[Tick], width: usize) -> String {
    let mut placed: Vec<(usize, String)> = Vec::new();
    let mut order: Vec<_> = ticks.iter().collect();
    // The last, then the others from the first on.
    order.rotate_right(1.min(ticks.len()));
    for tick in order {
        let text = words::time(tick.at);
        let length = text.chars().count();
        let start = tick.column.min(width.saturating_sub(length));
        let free = placed
            .iter()
            .all(|(at, other)| start >= at + other.chars().count() + 2 || at >= &(start + length + 2));
        if free {
            placed.push((start, text));
        }
    }
    placed.sort();
    let mut line = String::new();
    for (start, text) in placed {
        let gap = start.saturating_sub(line.chars().count());
        line.extend(std::iter::repeat_n(' ', gap));
        line.push_str(&text);
    }
    line
}

/// A name of at most `width` characters; a longer one loses its beginning, which tells less.
fn short(name: &str, width: usize) -> String {
    let length = name.chars().count();
    if length <= width {
        return name.to_owned();
    }
    let tail: String = name.chars().skip(length + 1 - width).collect();
    format!("…{tail}")
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn row(name: &str, asked: u64, settled: Option<(u64, Mark)>, until: u64) -> Row {
        Row {
            name: name.to_owned(),
            asked: Some(Millis(asked)),
            parked: None,
            settled: settled.map(|(at, mark)| (Millis(at), mark)),
            until: Some(Millis(until)),
        }
    }

    fn drawn(rows: Vec<Row>, ended: Option<u64>, width: usize) -> Vec<String> {
        Timeline { rows, ended: ended.map(Millis) }.draw(width)
    }

    #[test]
    fn hooks_stand_under_each_other_on_one_axis() {
        let rows = vec![
            row("a", 0, Some((30, Mark::Answered)), 100),
            row("longer", 30, Some((100, Mark::TimedOut)), 100),
        ];
        assert_eq!(
            drawn(rows, Some(100), 40),
            [
                "a      |---------*                   !",
                "longer           |-------------------x!",
                "       0 ms      30 ms            100 ms",
                "| asked   - waiting   * answer",
                "x timeout   ! deadline",
            ]
        );
    }

    #[test]
    fn a_firing_of_no_length_shows_question_and_answer_side_by_side() {
        let rows = vec![row("a", 0, Some((0, Mark::Answered)), u64::MAX)];
        assert_eq!(drawn(rows, Some(0), 40), ["a |*", "  0 ms", "| asked   * answer"]);
    }

    #[test]
    fn a_wait_of_a_day_is_broken_so_that_the_rest_can_be_seen() {
        let waits = Row { parked: Some(Millis(50)), ..row("b", 50, None, 86_400_050) };
        let rows = vec![row("a", 0, Some((50, Mark::Answered)), 10_000), waits];
        let lines = drawn(rows, None, 60);
        assert!(lines[0].starts_with("a |---") && lines[0].contains('*'), "{lines:?}");
        assert!(lines[1].ends_with("|==//=!>"), "{lines:?}");
        assert!(lines[2].ends_with(" 24 h 50 ms"), "{lines:?}");
    }

    #[test]
    fn sixteen_hooks_fit_a_narrow_page_and_what_does_not_fit_says_so() {
        let rows: Vec<_> = (0..16)
            .map(|n| row("com.example.a-rather-long-name", n * 7, Some((n * 7 + 7, Mark::Answered)), 500))
            .collect();
        for width in [72, 78, 120] {
            let lines = drawn(rows.clone(), Some(112), width);
            assert_eq!(lines.len(), 16 + 2, "{lines:#?}");
            assert!(lines.iter().all(|line| line.chars().count() <= width), "{lines:#?}");
        }
        assert_eq!(drawn(rows, Some(112), 30), ["(too many moments for a line of this width)"]);
    }
}
