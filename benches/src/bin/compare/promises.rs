//! Promises about observers, relations, changes and commands, and the measured figures.

use ecs_benches::library::Library;
use ecs_benches::markdown::{digits, line};
use ecs_benches::measure::Measured;

/// The entities of the workloads with [`Limit::More`].
const ENTITIES: f64 = 10_000.0;

/// A bound on this library's time, relative to another.
struct Promise {
    workload: &'static str,
    library: &'static str,
    over: Over,
    most: Limit,
}

#[derive(Clone, Copy)]
enum Limit {
    /// A multiple of the other's time.
    Times(f64),
    /// A number of nanoseconds an entity.
    More(f64),
}

/// The subject of a comparison.
enum Over {
    /// A peer, in turns with ours.
    Peer(&'static str),
    /// This library in the workload [beside](ecs_benches::workload::Workload::beside), in turns with this one.
    Plain,
    /// The microseconds of the prototype, on another machine.
    Prototype(f64),
}

const fn than_plain(workload: &'static str, library: &'static str) -> Promise {
    Promise { workload, library, over: Over::Plain, most: Limit::Times(1.05) }
}

const fn than_bevy(workload: &'static str, most: f64) -> Promise {
    Promise { workload, library: "ecs", over: Over::Peer("bevy_ecs"), most: Limit::Times(most) }
}

const fn than_prototype(workload: &'static str, micros: f64) -> Promise {
    let (over, most) = (Over::Prototype(micros), Limit::Times(1.0));
    Promise { workload, library: "ecs", over, most }
}

const fn than_unwatched(workload: &'static str, nanos: f64) -> Promise {
    Promise { workload, library: "ecs", over: Over::Plain, most: Limit::More(nanos) }
}

const PROMISES: [Promise; 28] = [
    than_unwatched("observe_hook", 5.0),
    than_unwatched("observe_fn", 12.0),
    than_unwatched("observe_closure", 20.0),
    than_unwatched("observe_ten", 9.0 * 3.0), // than with one: nine further
    than_unwatched("observe_batch", 1.0),
    than_unwatched("observe_batch_at_once", 1.0),
    than_bevy("relations_attach_10", 0.5),
    than_bevy("relations_attach_100", 0.5),
    than_bevy("relations_attach_10k", 0.5),
    than_bevy("relations_detach_10", 0.5),
    than_bevy("relations_detach_100", 0.5),
    than_bevy("relations_detach_10k", 0.5),
    than_plain("tracked_10k", "ecs"),
    than_plain("tracked_10k", "ecs (for)"),
    than_plain("tracked_1m", "ecs"),
    than_plain("tracked_1m", "ecs (for)"),
    than_bevy("changed_1m_random", 0.2),
    than_bevy("changed_1m_run", 0.05),
    than_bevy("changed_1m_none", 0.05),
    than_prototype("advance_1", 13.0),
    than_prototype("advance_4", 28.0),
    than_prototype("advance_16", 110.0),
    than_bevy("commands_insert", 0.5),
    than_bevy("commands_remove", 0.5),
    than_bevy("commands_spawn", 0.5),
    than_bevy("commands_respawn", 0.5),
    than_bevy("commands_despawn", 0.5),
    than_bevy("commands_mixed", 0.5),
];

/// Writes the promises whose two sides were both measured.
pub fn overview(text: &mut String, results: &[Measured], libraries: &[Library]) {
    let kept = PROMISES.iter().filter_map(|promise| {
        let result = results.iter().find(|it| it.workload.name == promise.workload)?;
        let index = |name| libraries.iter().position(|it| it.name == name);
        let own = index(promise.library)?;
        let (other, over) = match promise.over {
            Over::Peer(peer) => (peer, result.of(index(peer)?)?.median),
            Over::Plain => (result.workload.beside()?, result.beside(own)?.median),
            Over::Prototype(micros) => ("the prototype", micros),
        };
        Some((promise, other, result.of(own)?.median, over))
    });
    let mut kept = kept.peekable();
    if kept.peek().is_none() {
        return;
    }
    text.push_str("\nPromises about observers, relations, changes and commands:\n\n");
    line(text, format_args!("| workload | library | µs | beside | µs | is | at most |"));
    line(text, format_args!("|---|---|---:|---|---:|---:|---:|"));
    for (Promise { workload, library, most, .. }, other, own, over) in kept {
        let (is, most) = match *most {
            Limit::Times(most) => (format!("× {}", digits(own / over)), format!("× {most}")),
            Limit::More(most) => {
                let more = (own - over) * 1_000.0 / ENTITIES;
                (format!("+ {more:.1} ns"), format!("+ {most} ns"))
            }
        };
        let (ours, theirs) = (digits(own), digits(over));
        line(
            text,
            format_args!(
                "| {workload} | {library} | {ours} | {other} | {theirs} | {is} | {most} |"
            ),
        );
    }
}
