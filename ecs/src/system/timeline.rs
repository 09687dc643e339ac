//! The times of a run's steps, and their picture.

use crate::system::plan::{Step, escaped};
use crate::system::time_stats::TimeStats;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Write as _;
use core::time::Duration;
use std::thread::{self, ThreadId};
use std::time::Instant;

/// A run of one step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lap {
    began: Option<(Instant, ThreadId)>,
    pub(crate) took: Duration,
}

impl Lap {
    /// Returns the span of a step that began at `start`, on this thread, and has just ended.
    pub(crate) fn since(start: Instant) -> Self {
        let took = start.elapsed();
        Self { began: Some((start, thread::current().id())), took }
    }
}

/// The last run of each step of a list, and the times of all its runs.
#[derive(Debug, Default)]
pub(crate) struct Laps {
    last: Vec<Lap>,
    stats: Vec<TimeStats>,
}

/// The measures of a picture, in pixels.
const WIDTH: f64 = 1_000.0;
const ROW: f64 = 24.0;

impl Laps {
    pub(crate) const NONE: Self = Self { last: Vec::new(), stats: Vec::new() };

    pub(crate) fn of(steps: usize) -> Self {
        Self { last: vec![Lap::default(); steps], stats: vec![TimeStats::default(); steps] }
    }

    pub(crate) fn all(&self) -> &[Lap] {
        &self.last
    }

    pub(crate) fn stats(&self) -> &[TimeStats] {
        &self.stats
    }

    /// Forgets the last run.
    pub(crate) fn begin(&mut self) {
        self.last.fill(Lap::default());
    }

    pub(crate) fn set(&mut self, step: usize, lap: Lap) {
        self.last[step] = lap;
        self.stats[step].add(lap.took);
    }

    /// A bar a step, and a row a thread.
    #[inline]
    pub(crate) fn draw(&self, steps: &[Step]) -> String {
        let laps = self.last.iter().zip(steps);
        let bars: Vec<_> = laps
            .filter_map(|(lap, step)| {
                lap.began.map(|(start, thread)| (start, thread, lap.took, step.name()))
            })
            .collect();
        let Some(begin) = bars.iter().map(|bar| bar.0).min() else { return String::new() };
        let end = bars.iter().map(|(start, _, took, _)| *start - begin + *took).max();
        let scale = WIDTH / end.unwrap_or_default().as_secs_f64().max(1e-9);
        let mut threads: Vec<ThreadId> = Vec::new();
        let mut picture = String::new();
        for (at, (start, thread, took, name)) in bars.into_iter().enumerate() {
            let row = threads.iter().position(|it| *it == thread).unwrap_or_else(|| {
                threads.push(thread);
                threads.len() - 1
            });
            let (x, width) = ((start - begin).as_secs_f64() * scale, took.as_secs_f64() * scale);
            #[expect(clippy::cast_precision_loss, reason = "threads and systems are few")]
            let (y, hue) = (row as f64 * ROW, (at * 47 % 360) as f64);
            let name = escaped(name);
            // A picture within the picture cuts off a name that is too long.
            let _ = writeln!(
                picture,
                "<svg x=\"{x:.2}\" y=\"{y}\" width=\"{:.2}\" height=\"{}\"><title>{name}: {took:?}</title>\
                 <rect width=\"100%\" height=\"100%\" fill=\"hsl({hue},60%,75%)\"/>\
                 <text x=\"3\" y=\"15\">{name}</text></svg>",
                width.max(0.5),
                ROW - 2.0,
            );
        }
        #[expect(clippy::cast_precision_loss, reason = "threads are few")]
        let height = threads.len() as f64 * ROW;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n{picture}</svg>\n"
        )
    }
}
