//! The table, in Markdown.

use ecs_benches::library::{Kind, Library};
use ecs_benches::markdown::{self, digits, line, ratio};
use ecs_benches::measure::Measured;

const PEERS: [Kind; 4] = [Kind::Archetypes, Kind::Arrays, Kind::SparseSets, Kind::Grouped];

/// Every library's median, and the ratios that matter.
pub fn overview(text: &mut String, results: &[Measured], libraries: &[Library]) {
    if results.is_empty() {
        return;
    }
    text.push_str(
        "\nMedian microseconds; the best peer is bold. *÷ peer* is our better way to iterate over \
         the best peer, *group ÷ peer* the same with a group declared, *÷ sparse* over the best \
         peer that packs components in sparse sets and has no group declared, *÷ floor* over the \
         same loop on plain `Vec`s of just the matches, *÷ sparse floor* over the same work by the \
         leanest sparse sets that one would write by hand for it: flat arrays without a world, in \
         safe Rust, with lookups, too.\n\n",
    );
    medians(text, results, libraries);
}

/// A line for each workload.
pub fn medians(text: &mut String, results: &[Measured], libraries: &[Library]) {
    let names: Vec<_> = libraries.iter().map(|library| library.name).collect();
    line(
        text,
        format_args!(
            "| workload | {} | ÷ peer | group ÷ peer | ÷ sparse | ÷ floor | ÷ sparse floor |",
            names.join(" | ")
        ),
    );
    line(text, format_args!("|---|{}", "---:|".repeat(names.len() + 5)));
    for result in results {
        let best = result.best(&PEERS);
        let cells = (0..libraries.len()).map(|library| match result.of(library) {
            Some(timing) if Some(timing.median) == best => format!("**{}**", digits(timing.median)),
            Some(timing) => digits(timing.median),
            None => String::new(),
        });
        let cells: Vec<_> = cells.collect();
        let ours = result.best(&[Kind::Ours]);
        let over = |other: Option<f64>| ratio(ours, other);
        line(
            text,
            format_args!(
                "| {} | {} | {} | {} | {} | {} | {} |",
                result.workload.name,
                cells.join(" | "),
                over(best),
                ratio(result.best(&[Kind::OursGrouped]), best),
                over(result.best(&[Kind::SparseSets])),
                over(result.best(&[Kind::Floor])),
                over(result.best(&[Kind::SparseFloor])),
            ),
        );
    }
}

/// Every library's median, spread and ratio.
pub fn details(text: &mut String, results: &[Measured], libraries: &[Library]) {
    for result in results {
        detail(text, result, libraries);
    }
}

fn detail(text: &mut String, result: &Measured, libraries: &[Library]) {
    line(text, format_args!("\n### {}\n\n{}\n", result.workload.name, result.workload.about));
    markdown::disagreement(text, result);
    let beside = result.workload.beside();
    let (name, rule) =
        beside.map_or_else(Default::default, |name| (format!(" ÷ {name} |"), "---:|"));
    line(text, format_args!("| library | median µs | spread µs | ÷ best peer |{name}"));
    line(text, format_args!("|---|---:|---:|---:|{rule}"));
    let best = result.best(&PEERS);
    for timing in &result.timings {
        let plain = result.beside(timing.index);
        let over_plain = plain.map_or_else(String::new, |plain| {
            format!(" {} |", ratio(Some(timing.median), Some(plain.median)))
        });
        line(
            text,
            format_args!(
                "| {} | {} | {} … {} | {} |{over_plain}",
                libraries[timing.index].name,
                digits(timing.median),
                digits(timing.least),
                digits(timing.most),
                ratio(Some(timing.median), best),
            ),
        );
    }
}
