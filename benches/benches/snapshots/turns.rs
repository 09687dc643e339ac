//! Taking turns: every round runs each once, and the least time of its thread counts.

use ecs_benches::markdown::{digits, line};
use nix::time::{ClockId, clock_gettime};
use std::hint::black_box;
use std::time::Duration;

/// A measured function, and its least time.
struct Row<'w> {
    name: &'static str,
    run: Box<dyn FnMut() -> Duration + 'w>,
    least: Duration,
}

/// Functions that are measured in turns.
pub struct Turns<'w> {
    rows: Vec<Row<'w>>,
    /// Parts of the names of the requested functions; empty for all.
    asked: Vec<String>,
}

/// A bound on the time of one function, as a multiple of another's.
pub struct Promise {
    pub own: &'static str,
    pub over: &'static str,
    pub most: f64,
}

/// Returns the processor time of this thread. `getrusage` may count in ticks of some milliseconds, so it is not used.
fn used() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("a thread may ask for its own").into()
}

impl<'w> Turns<'w> {
    pub fn new(asked: Vec<String>) -> Self {
        Self { rows: Vec::new(), asked }
    }

    /// Adds a function to be run. Its result is dropped when the clock stands.
    pub fn add<R>(&mut self, name: &'static str, mut run: impl FnMut() -> R + 'w) {
        if !self.asked.is_empty() && !self.asked.iter().any(|part| name.contains(part.as_str())) {
            return;
        }
        let run = move || {
            let start = used();
            let made = black_box(run());
            let took = used().saturating_sub(start);
            drop(made);
            took
        };
        self.rows.push(Row { name, run: Box::new(run), least: Duration::MAX });
    }

    /// Runs all, in this many rounds.
    pub fn measure(&mut self, rounds: usize) {
        let count = self.rows.len();
        for round in 0..rounds {
            eprint!("{} ", round + 1);
            for turn in 0..count {
                let row = &mut self.rows[(round + turn) % count];
                row.least = row.least.min((row.run)());
            }
        }
        eprintln!();
    }

    fn millis(&self, name: &str) -> Option<f64> {
        let row = self.rows.iter().find(|row| row.name == name)?;
        Some(row.least.as_secs_f64() * 1e3)
    }

    /// Writes the time of each function.
    pub fn table(&self, text: &mut String) {
        line(text, format_args!("| | ms |"));
        line(text, format_args!("|---|---:|"));
        for Row { name, least, .. } in &self.rows {
            line(text, format_args!("| {name} | {} |", digits(least.as_secs_f64() * 1e3)));
        }
    }

    /// Writes the promises of the measured functions.
    pub fn promises(&self, promises: &[Promise], text: &mut String) {
        line(text, format_args!("\n| | ms | over | ms | ratio | at most |"));
        line(text, format_args!("|---|---:|---|---:|---:|---:|"));
        for Promise { own, over, most } in promises {
            let (Some(a), Some(b)) = (self.millis(own), self.millis(over)) else { continue };
            let [took, others, ratio, most] = [a, b, a / b, *most].map(digits);
            line(text, format_args!("| {own} | {took} | {over} | {others} | {ratio} | {most} |"));
        }
    }
}
