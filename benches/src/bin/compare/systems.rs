//! The table of systems and of loops that threads share.

use ecs_benches::library::Library;
use ecs_benches::markdown::{digits, line, ratio};
use ecs_benches::measure::Measured;

const PACKAGES: [&str; 3] = ["ecs", "bevy_ecs", "shipyard"];

/// Each library on one thread and on all, what the threads gain, and ours over the others.
pub fn overview(text: &mut String, results: &[Measured], libraries: &[Library]) {
    if results.is_empty() {
        return;
    }
    text.push_str(
        "\n## Systems, and loops that threads share\n\nMedian microseconds on one thread, on all threads, and \
         how many times as fast these are: our schedules find out whether to share. bevy's executors are the \
         single-threaded one and the multi-threaded one; on one thread, shipyard's systems are called one by \
         one, and of those that do nothing nothing is left. *÷ bevy* is ours on all threads over bevy's on one \
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
}
