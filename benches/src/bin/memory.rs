//! The memory of the frames' worlds: bytes for each entity, before the first frame and after many.
//!
//! `cargo run --release -p ecs_benches --features peers --bin memory`

#[path = "../../../ecs/tests/counting/mod.rs"]
mod counting;

use ecs_benches::frames::{PLANS, Plan};
use ecs_benches::libraries;
use ecs_benches::library::Library;
use ecs_benches::machine::facts;
use ecs_benches::markdown::{digits, head};

const WORKLOADS: [&str; 4] = ["frame_2k", "frame_20k", "frame_200k", "frame_200k_churn_1pct"];

/// The number of frames between the two looks at a world.
const FRAMES: usize = 200;

/// Returns the bytes for each entity that a library's world holds, before the first frame and after the last.
#[expect(clippy::cast_precision_loss, reason = "bytes of a world")]
fn measure(library: &Library, plan: &Plan) -> Option<[f64; 2]> {
    let case = library.case(plan.workload.name)?;
    let before = counting::bytes();
    let mut scene = case.scene();
    let held = || {
        let world = counting::bytes() - before - plan.handle_bytes().cast_signed();
        world as f64 / plan.entities as f64
    };
    let first = held();
    for _ in 0..FRAMES {
        scene.run();
        scene.take_frames();
    }
    Some([first, held()])
}

fn main() {
    // flecs_ecs allocates in C: that is not counted.
    let libraries = libraries::all().into_iter().filter(|it| it.package != Some("flecs_ecs"));
    let libraries: Vec<_> = libraries.collect();
    let mut packages: Vec<_> = libraries.iter().filter_map(|library| library.package).collect();
    packages.dedup();
    println!(
        "{}",
        head("The memory of worlds in which frames are played", &facts("memory", &packages))
    );
    println!("Bytes for each entity: before the first frame, and after {FRAMES}.\n");
    println!("| library | {} |", WORKLOADS.join(" | "));
    println!("|---|{}", "---:|".repeat(WORKLOADS.len()));
    let plans = PLANS.iter().filter(|plan| WORKLOADS.contains(&plan.workload.name));
    let plans: Vec<_> = plans.collect();
    for library in &libraries {
        let held = plans.iter().filter_map(|plan| measure(library, plan));
        let cells: Vec<_> = held.map(|bytes| bytes.map(digits).join(", ")).collect();
        if !cells.is_empty() {
            println!("| {} | {} |", library.name, cells.join(" | "));
        }
    }
}
