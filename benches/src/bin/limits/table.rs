//! The tables, in Markdown.

use ecs_benches::ladders::Ladder;
use ecs_benches::markdown::{self, digits, line};
use ecs_benches::measure::Measured;

/// A table for each ladder.
pub fn table(results: &[Measured], ladders: &[Ladder], head: &[(&str, String)]) -> String {
    let mut text = markdown::head("The cost of each promise", head);
    text.push_str(
        "\nThe same work, written by hand in safe Rust with one promise more on each rung, from a \
         bare floor of the comparison to the library.\n",
    );
    for (result, ladder) in results.iter().zip(ladders) {
        one(&mut text, result, ladder);
    }
    text
}

fn one(text: &mut String, result: &Measured, ladder: &Ladder) {
    let Ladder { workload, operation, .. } = ladder;
    line(text, format_args!("\n## {}\n\n{}; ns {operation}\n", workload.name, workload.about));
    markdown::disagreement(text, result);
    text.push_str("| rung | added promise | median ns | spread ns | ÷ bare |\n");
    text.push_str("|---|---|---:|---:|---:|\n");
    let nanoseconds = |micros: f64| micros * 1e3 / operations(ladder);
    let Some(bare) = result.timings.first() else { return };
    for timing in &result.timings {
        let median = nanoseconds(timing.median);
        line(
            text,
            format_args!(
                "| {} | {} | {} | {} … {} | {} |",
                ladder.rungs[timing.index].name,
                ladder.adds[timing.index],
                digits(median),
                digits(nanoseconds(timing.least)),
                digits(nanoseconds(timing.most)),
                digits(timing.median / bare.median),
            ),
        );
    }
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
fn operations(ladder: &Ladder) -> f64 {
    ladder.operations as f64
}
