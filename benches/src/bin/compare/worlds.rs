//! The tables of worlds as programs have them.

use crate::table;
use ecs_benches::library::{Library, PARTS};
use ecs_benches::markdown::{digits, line};
use ecs_benches::measure::{FrameTimes, Measured};

/// Every library's median, and the parts of the frames.
pub fn overview(text: &mut String, results: &[Measured], libraries: &[Library]) {
    if results.is_empty() {
        return;
    }
    text.push_str(
        "\n## Worlds as programs have them\n\nNo loop has these worlds to itself: entities of many kinds, several \
         loops, and edits in each frame. Microseconds and ratios as above; of a frame, the median of all frames.\n\n",
    );
    table::medians(text, results, libraries);
    parts(text, results, libraries);
}

/// The medians of frames and of their parts, in the libraries that play frames.
fn parts(text: &mut String, results: &[Measured], libraries: &[Library]) {
    let frames = |result: &Measured, library| result.of(library).and_then(|it| it.frames);
    let plays = |&library: &usize| results.iter().any(|it| frames(it, library).is_some());
    let players: Vec<_> = (0..libraries.len()).filter(plays).collect();
    if players.is_empty() {
        return;
    }
    line(
        text,
        format_args!(
            "\nThe parts of frames: each the median of all frames. *mean* is the mean of whole frames, without the \
             slowest twentieth: unlike a median it counts rare work.\n"
        ),
    );
    let names: Vec<_> = players.iter().map(|&library| libraries[library].name).collect();
    line(text, format_args!("| workload | part | {} |", names.join(" | ")));
    line(text, format_args!("|---|---|{}", "---:|".repeat(names.len())));
    for result in results {
        let mut row = |part: &str, time: &dyn Fn(FrameTimes) -> f64| {
            let cell = |&library: &usize| frames(result, library).map(|it| digits(time(it)));
            let cells: Vec<_> = players.iter().map(|it| cell(it).unwrap_or_default()).collect();
            if cells.iter().any(|cell| !cell.is_empty()) {
                let name = result.workload.name;
                line(text, format_args!("| {name} | {part} | {} |", cells.join(" | ")));
            }
        };
        for (at, part) in PARTS.into_iter().enumerate() {
            row(part, &|frames| frames.parts[at]);
        }
        row("mean", &|frames| frames.mean);
    }
}
