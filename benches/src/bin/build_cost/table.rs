//! The table of the cost of queries in a build.

use crate::generate::{Form, Program, QUERIES};
use crate::measure::{Checked, ComponentCost, Cost};
use ecs_benches::markdown::{self, digits, line, ratio};

/// The table, with the facts of the run, the CPU seconds of our library's own build and hecs', and the cost of checking
/// lists.
pub fn table(
    results: &[(Program, Cost)],
    [[release, dev], hecs]: [[f64; 2]; 2],
    checked: Checked,
    components: [ComponentCost; 2],
    facts: &[(&'static str, String)],
) -> String {
    let mut text = markdown::head("The cost of queries in a build", facts);
    line(
        &mut text,
        format_args!(
            "\n{QUERIES} loops over two of 20 components, as a program of their own. CPU seconds are of its build \
             (default profiles), less the build of the same program without loops. Bytes are the ones that a further loop adds to the stripped program, lines the ones that it adds to LLVM's input.\n\nBuilding `ecs` from nothing, \
             with its derives and their dependencies: {} CPU seconds by `--release`, {} without. hecs with its derives: {} and {}.\n",
            digits(release),
            digits(dev),
            digits(hecs[0]),
            digits(hecs[1]),
        ),
    );
    text.push_str(
        "| library | loop | release, s | ÷ hecs | dev, s | ÷ hecs | check, s | bytes a loop | ÷ hecs | \
         LLVM lines a loop |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for (program, cost) in results {
        // Forms that hecs lacks are compared with its `for`.
        let of_hecs = |form| {
            let is_it =
                |(other, _): &&(Program, Cost)| other.library == "hecs" && other.form == form;
            results.iter().find(is_it).map(|(_, cost)| cost)
        };
        let hecs = of_hecs(program.form).or_else(|| of_hecs(Form::For));
        let over = |of: fn(&Cost) -> f64| ratio(Some(of(cost)), hecs.map(of));
        line(
            &mut text,
            format_args!(
                "| {} | `{}` | {} | {} | {} | {} | {} | {} | {} | {} |",
                program.library,
                program.form.name(),
                digits(cost.release),
                over(|cost| cost.release),
                digits(cost.dev),
                over(|cost| cost.dev),
                digits(cost.check),
                digits(cost.bytes),
                over(|cost| cost.bytes),
                digits(cost.lines),
            ),
        );
    }
    let more = |[functions, list]: [f64; 2]| digits((list - functions).max(0.0));
    line(
        &mut text,
        format_args!(
            "\n`cargo check` of {QUERIES} systems, each of two views of three terms, takes {} CPU seconds; as a \
             schedule {} more, and {} more where none of them was changed since.",
            digits(checked.new[0]),
            more(checked.new),
            more(checked.again),
        ),
    );
    line(&mut text, format_args!("\n{}", self::components(components)));
    text
}

/// Describes the cost of a saved component and of another one.
pub fn components(costs: [ComponentCost; 2]) -> String {
    let [saved, other] = costs.map(|ComponentCost { release, dev, bytes }| {
        let [release, dev, bytes] = [release, dev, bytes].map(digits);
        format!("{release} CPU seconds by `--release`, {dev} without, and {bytes} bytes")
    });
    format!("A further component that is saved costs {saved}; one that is not, {other}.")
}
