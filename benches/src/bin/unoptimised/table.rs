//! The table, in Markdown.

use crate::libraries::WORKLOADS;
use ecs_benches::library::Library;
use ecs_benches::markdown::{self, digits, line, ratio};
use ecs_benches::measure::Measured;

/// A row for each workload that was measured.
pub fn table(results: &[Measured], libraries: &[Library], head: &[(&str, String)]) -> String {
    let mut text = markdown::head("Without optimisation", head);
    text.push_str(
        "\n10k entities, components of 3 × `f32`, all compiled with `opt-level = 0`: the libraries, their \
         dependencies and the loops. Median microseconds.\n\n",
    );
    let names: Vec<_> = libraries.iter().map(|library| library.name).collect();
    line(
        &mut text,
        format_args!("| workload | | {} | ÷ hecs | at most | spread |", names.join(" | ")),
    );
    line(&mut text, format_args!("|---|---|{}", "---:|".repeat(names.len() + 3)));
    for result in results {
        let workload = WORKLOADS.iter().find(|(known, _)| known.name == result.workload.name);
        let most = workload.and_then(|&(_, most)| most);
        let medians: Vec<_> = result.timings.iter().map(|timing| digits(timing.median)).collect();
        let [ours, hecs] = [0, 1].map(|library| result.of(library).map(|timing| timing.median));
        let spread = result.of(0).map_or_else(String::new, |timing| {
            format!("{} … {}", digits(timing.least), digits(timing.most))
        });
        line(
            &mut text,
            format_args!(
                "| {} | {} | {} | {} | {} | {spread} |",
                result.workload.name,
                result.workload.about,
                medians.join(" | "),
                ratio(ours, hecs),
                most.map_or_else(String::new, digits),
            ),
        );
    }
    for result in results {
        markdown::disagreement(&mut text, result);
    }
    text
}
