//! Measures the stack that edits with large values need in an unoptimised build, beside hecs, and writes a table.
//!
//! `cargo run -p ecs_benches --features hecs --bin stack`
//!
//! It starts itself for each call with ever other sizes of a thread's stack, and finds the least that suffices.

mod calls;

use calls::{CALLS, Call, LIBRARIES, SIZE};
use clap::Parser;
use ecs_benches::markdown::{self, digits, line, ratio};
use ecs_benches::program;
use std::error::Error;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Measures the stack that edits with values of 32 KiB need, beside hecs.
#[derive(Parser)]
struct Arguments {
    /// Calls to measure: names or beginnings of names [default: all].
    #[arg(long, num_args = 1.., value_name = "CALL")]
    only: Vec<String>,
    /// The folder of `stack.md` [default: benches/results for a whole run, none for a part of one].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Makes one call of a library on a stack of this many bytes, as this program starts itself.
    #[arg(long, num_args = 3, value_names = ["LIBRARY", "CALL", "BYTES"], hide = true)]
    run: Vec<String>,
}

/// The stack of threads has whole pages.
const PAGE: usize = 4 << 10;
/// Nothing needs as many pages.
const MOST: usize = 100 * SIZE / PAGE;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    if let [library, name, bytes] = &arguments.run[..] {
        let call = CALLS.iter().find(|call| call.name == name).ok_or("no such call")?;
        return call.run(library, bytes.parse()?);
    }
    let calls = program::named(CALLS, &arguments.only, "call", |call| call.name, program::begins)?;
    let table = table(&calls)?;
    println!("{table}");
    if let Some(out) = program::out(arguments.out, arguments.only.is_empty()) {
        program::write(&out, "stack.md", &table)?;
    }
    Ok(())
}

fn table(calls: &[&Call]) -> Result<String, Box<dyn Error>> {
    let mut text = markdown::head(
        "The stack of an unoptimised build",
        &[
            ("command", "`cargo run -p ecs_benches --features hecs --bin stack`".into()),
            (
                "values",
                format!("{} KiB; this multiple of their size suffices as stack", SIZE >> 10),
            ),
        ],
    );
    text.push('\n');
    line(&mut text, format_args!("| call | {} | ÷ hecs |", LIBRARIES.join(" | ")));
    text.push_str("|---|---:|---:|---:|\n");
    for call in calls {
        eprintln!("{}", call.name);
        let [mut ours, mut theirs] = [None; 2];
        for (needed, library) in [&mut ours, &mut theirs].into_iter().zip(LIBRARIES) {
            if call.is_of(library) {
                *needed = Some(needed_by(call, library)?);
            }
        }
        let [our_digits, their_digits] =
            [ours, theirs].map(|it| it.map_or_else(String::new, digits));
        line(
            &mut text,
            format_args!(
                "| {} | {our_digits} | {their_digits} | {} |",
                call.name,
                ratio(ours, theirs)
            ),
        );
    }
    Ok(text)
}

/// Returns the stack that a call needs, in sizes of a value.
fn needed_by(call: &Call, library: &str) -> Result<f64, Box<dyn Error>> {
    let program = std::env::current_exe()?;
    let suffices = |pages: usize| {
        let mut command = Command::new(&program);
        command.args(["--run", library, call.name, &(pages * PAGE).to_string()]);
        command.stderr(Stdio::null()).status().map(|status| status.success())
    };
    let [mut least, mut most] = [0, MOST];
    if !suffices(most)? {
        return Err(format!("`{}` of {library} fails", call.name).into());
    }
    while most - least > 1 {
        let middle = usize::midpoint(least, most);
        if suffices(middle)? {
            most = middle;
        } else {
            least = middle;
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "some hundreds of pages")]
    Ok((most * PAGE) as f64 / SIZE as f64)
}
