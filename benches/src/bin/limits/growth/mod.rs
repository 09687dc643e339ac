//! The cost of each public batch for n elements, and for four times as many, in instructions.
//!
//! It starts this program under `valgrind` for each batch and number. Unlike times, the counts are the same on a busy
//! machine. Another compiler gives others.

mod others;
mod scenes;

use ecs_benches::machine;
use ecs_benches::markdown::{digits, line};
use std::error::Error;
use std::fs;
use std::process::Command;

/// The numbers of elements.
const COUNTS: [u32; 2] = [4_000, 16_000];
/// A cost of n log n grows 1.17 times an element, a cost of n² 4 times.
const MOST_GROWTH: f64 = 1.3;

/// An edit of a world that was prepared for it.
pub type Edit = Box<dyn FnMut()>;

/// A batch.
pub struct Batch {
    pub name: &'static str,
    /// The kind of world, if there are batches of this name in several.
    pub scene: &'static str,
    /// Prepares the edit of this many elements.
    pub prepare: Box<dyn Fn(usize) -> Edit>,
}

fn all() -> Vec<Batch> {
    scenes::batches().into_iter().chain(others::batches()).collect()
}

/// Calls an edit: only instructions in here are counted.
#[inline(never)]
fn counted_edit(edit: &mut Edit) {
    edit();
}

/// Returns `true` if the name of a batch contains one of these texts, or there is none.
fn is_named(batch: &Batch, named: &[String]) -> bool {
    named.is_empty() || named.iter().any(|part| batch.name.contains(part))
}

/// Does these batches of this many elements, as this program starts itself.
pub fn run(count: &str, named: &[String]) -> Result<(), Box<dyn Error>> {
    let count = count.parse()?;
    for batch in all().iter().filter(|batch| is_named(batch, named)) {
        counted_edit(&mut (batch.prepare)(count));
    }
    Ok(())
}

/// The heading of the section.
pub const HEADING: &str = "\n## How batches grow\n";

/// Returns the section with the tables of the batches whose names contain one of these texts, or of all; and those
/// batches that grow faster than n log n.
pub fn section(named: &[String]) -> Result<(String, Vec<String>), Box<dyn Error>> {
    let (tables, faster) = tables(named)?;
    let [few, many] = COUNTS.map(|count| digits(count.into()));
    let text = format!(
        "{HEADING}
* command: `cargo run --release -p ecs_benches --bin limits -- --growth`
* compiler: {}

The instructions of an element of a batch of {few}, and how many times as many they are in one of {many}: with a cost of \
         n log n 1.17 times, of n² 4 times. \"Alone\" are batches of a component that nothing observes.

{tables}",
        machine::compiler(),
    );
    Ok((text, faster))
}

/// Returns tables of the batches whose names contain one of these texts, or of all, and the batches that grow faster
/// than n log n.
fn tables(named: &[String]) -> Result<(String, Vec<String>), Box<dyn Error>> {
    let [few, many] = [counted(COUNTS[0], named)?, counted(COUNTS[1], named)?];
    let batches: Vec<_> = all().into_iter().filter(|batch| is_named(batch, named)).collect();
    let counts: Vec<_> = few.into_iter().zip(many).collect();
    let of_all: Vec<_> = batches.iter().zip(counts).collect();
    let (of_scenes, others): (Vec<_>, Vec<_>) =
        of_all.iter().partition(|(batch, _)| !batch.scene.is_empty());
    let grows = |(_, (few, many)): &&&(&Batch, (f64, f64))| many / few > MOST_GROWTH;
    let faster = of_all.iter().collect::<Vec<_>>();
    let faster = faster
        .iter()
        .filter(grows)
        .map(|(batch, (few, many))| format!("{}, {}: {:.2}", batch.name, batch.scene, many / few));

    let mut text = String::new();
    let mut scenes: Vec<&str> = Vec::new();
    for (batch, _) in &of_scenes {
        if !scenes.contains(&batch.scene) {
            scenes.push(batch.scene);
        }
    }
    if !scenes.is_empty() {
        line(&mut text, format_args!("| batch | {} |", scenes.join(" | ")));
        line(&mut text, format_args!("|---|{}", "---:|".repeat(scenes.len())));
        for row in of_scenes.chunk_by(|(a, _), (b, _)| a.name == b.name) {
            let cells: Vec<_> = row.iter().map(|(_, counts)| cell(*counts)).collect();
            line(&mut text, format_args!("| {} | {} |", row[0].0.name, cells.join(" | ")));
        }
        text.push('\n');
    }
    text.push_str("| batch | an element |\n|---|---:|\n");
    for (batch, counts) in &others {
        line(&mut text, format_args!("| {} | {} |", batch.name, cell(*counts)));
    }
    Ok((text, faster.collect()))
}

/// Writes the instructions of an element of the smaller batch, and how they grow.
fn cell((few, many): (f64, f64)) -> String {
    format!("{} × {:.2}", digits(few), many / few)
}

/// Returns the instructions of these batches of this many elements, for each element.
fn counted(count: u32, named: &[String]) -> Result<Vec<f64>, Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("ecs-growth-{}-{count}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let mut command = Command::new("valgrind");
    command.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}/of", folder.display()));
    let function = "limits::growth::counted_edit";
    command.arg("--collect-atstart=no").arg(format!("--toggle-collect={function}"));
    command.arg(format!("--dump-after={function}"));
    command.arg(std::env::current_exe()?).arg("--batches-of").arg(count.to_string());
    if !named.is_empty() {
        command.arg("--batches").args(named);
    }
    let output = command.output().map_err(|error| format!("cannot run valgrind: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let batches = all().iter().filter(|batch| is_named(batch, named)).count();
    let counts = (1..=batches).map(|at| {
        let dump = fs::read_to_string(folder.join(format!("of.{at}")))?;
        let total = dump.lines().rev().find_map(|line| line.strip_prefix("totals: "));
        let total: f64 = total.ok_or("valgrind counted nothing")?.trim().parse()?;
        Ok(total / f64::from(count))
    });
    let counts = counts.collect();
    fs::remove_dir_all(&folder)?;
    counts
}
