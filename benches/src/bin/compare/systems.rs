//! The table of systems and of loops that threads share.

use ecs_benches::library::Library;
use ecs_benches::markdown::{digits, line, ratio};
use ecs_benches::measure::Measured;

const PACKAGES: [&str; 3] = ["ecs", "bevy_ecs", "shipyard"];

/// A bound on this library's time on all threads.
enum Promise {
    /// In parts of the other one's time.
    Ratio(f64),
    /// A multiple of the other one's speed.
    Gain(f64),
    /// Hardly more than the other one.
    AsFast,
}

const OURS: &str = "ecs (one thread)";

/// Each workload, and the library that it is compared with.
const PROMISES: [(&str, &str, Promise); 15] = [
    ("systems_100", "bevy_ecs (one thread)", Promise::Ratio(0.25)),
    ("systems_100", "bevy_ecs (threads)", Promise::Ratio(0.01)),
    ("systems_10", OURS, Promise::AsFast),
    ("systems_100", OURS, Promise::AsFast),
    ("systems_conflicting", OURS, Promise::AsFast),
    ("systems_heavy", OURS, Promise::Gain(1.8)),
    ("systems_heavy_after_work", OURS, Promise::Gain(1.6)),
    ("loop_1k", OURS, Promise::AsFast),
    ("loop_30k", OURS, Promise::Gain(1.0)),
    ("loop_30k_medium", OURS, Promise::Gain(1.0)),
    ("loop_100k", OURS, Promise::Gain(1.0)),
    ("loop_1m", OURS, Promise::Gain(1.7)),
    ("loop_1m_medium", OURS, Promise::Gain(1.8)),
    ("loop_join_1m", OURS, Promise::Gain(1.6)),
    ("loop_64_slow", OURS, Promise::Gain(1.6)),
];

impl Promise {
    /// Returns the promise and the result as text, and `true` if it holds.
    fn told(&self, own: f64, other: f64) -> (String, String, bool) {
        match *self {
            Self::Ratio(most) => (
                format!("at most {most} ×"),
                format!("{} ×", digits(own / other)),
                own <= most * other,
            ),
            Self::Gain(least) => {
                let gain = other / own;
                (format!("{least} times as fast"), format!("{gain:.2} times"), gain >= least)
            }
            Self::AsFast => {
                let most = 1.05 * other + 0.2;
                (
                    "at most 1.05 × + 0.2 µs".to_owned(),
                    format!("{} ×", digits(own / other)),
                    own <= most,
                )
            }
        }
    }
}

/// Writes the promises whose two sides were both measured.
fn promises(text: &mut String, median: &dyn Fn(&str, &str) -> Option<f64>) {
    let kept = PROMISES.iter().filter_map(|(workload, other, promise)| {
        let (own, over) = (median(workload, "ecs (threads)")?, median(workload, other)?);
        Some((*workload, *other, promise, own, over))
    });
    let mut kept = kept.peekable();
    if kept.peek().is_none() {
        return;
    }
    text.push_str("\nPromises about them, by ours on all threads:\n\n");
    line(text, format_args!("| workload | µs | beside | µs | promised | came to | holds |"));
    line(text, format_args!("|---|---:|---|---:|---|---|---|"));
    for (workload, other, promise, own, over) in kept {
        let (promised, came_to, holds) = promise.told(own, over);
        let (own, over, holds) = (digits(own), digits(over), if holds { "yes" } else { "no" });
        line(
            text,
            format_args!(
                "| {workload} | {own} | {other} | {over} | {promised} | {came_to} | {holds} |"
            ),
        );
    }
}

/// Each library on one thread and on all, the gain by threads, and ours over the others.
pub fn overview(text: &mut String, results: &[Measured], libraries: &[Library]) {
    if results.is_empty() {
        return;
    }
    text.push_str(
        "\n## Systems, and loops that threads share\n\nMedian microseconds on one thread, on all threads, and \
         how many times as fast these are: our schedules find out whether to share. bevy's executors are the \
         single-threaded one and the multi-threaded one; on one thread, shipyard's systems are called one by \
         one, and empty ones vanish. *÷ bevy* is ours on all threads over bevy's on one \
         and on all, *÷ shipyard* over shipyard's on all.\n\n",
    );
    let columns = PACKAGES.map(|package| format!("{package} | threads | gain")).join(" | ");
    line(text, format_args!("| workload | {columns} | ÷ bevy, one | ÷ bevy | ÷ shipyard |"));
    line(text, format_args!("|---|{}", "---:|".repeat(3 * PACKAGES.len() + 3)));
    for result in results {
        let median = |package: &str, way: &str| {
            let name = format!("{package} ({way})");
            let index = libraries.iter().position(|library| library.name == name)?;
            result.of(index).map(|timing| timing.median)
        };
        let shown = |median: Option<f64>| median.map(digits).unwrap_or_default();
        let cells = PACKAGES.map(|package| {
            let [alone, shared] = ["one thread", "threads"].map(|way| median(package, way));
            format!("{} | {} | {}", shown(alone), shown(shared), ratio(alone, shared))
        });
        let over = |package, way| ratio(median("ecs", "threads"), median(package, way));
        line(
            text,
            format_args!(
                "| {} | {} | {} | {} | {} |",
                result.workload.name,
                cells.join(" | "),
                over("bevy_ecs", "one thread"),
                over("bevy_ecs", "threads"),
                over("shipyard", "threads"),
            ),
        );
    }
    promises(text, &|workload, library| {
        let result = results.iter().find(|it| it.workload.name == workload)?;
        let index = libraries.iter().position(|it| it.name == library)?;
        result.of(index).map(|timing| timing.median)
    });
}
