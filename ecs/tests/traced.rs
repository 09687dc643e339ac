//! Spans around systems: a test with a process of its own, as `tracing` keeps for all threads whether a span is wanted.
#![cfg(feature = "tracing")]

use ecs::{Resource, World, schedule};
use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

#[derive(Resource)]
struct Score(u64);

fn count(score: &mut Score) {
    score.0 += 1;
}
fn rest() {}
fn is_odd(score: &Score) -> bool {
    score.0 % 2 == 1
}

schedule! { struct Some { count, rest if is_odd, count, rest if is_odd } }

/// Records the names of systems whose spans begin.
#[derive(Clone, Default)]
struct Names(Arc<Mutex<Vec<String>>>);

impl Visit for Names {
    fn record_debug(&mut self, _: &Field, value: &dyn Debug) {
        self.0.lock().unwrap().push(format!("{value:?}"));
    }
}

impl Subscriber for Names {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut self.clone());
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event<'_>) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[test]
fn each_system_that_runs_has_a_span_of_its_name() {
    let names = Names::default();
    let (mut world, mut some) = (World::new(), Some::new());
    world.insert_resource(Score(0));
    tracing::subscriber::with_default(names.clone(), || some.run(&mut world).unwrap());
    assert_eq!(*names.0.lock().unwrap(), ["count", "rest", "count"].map(|it| format!("{it:?}")));
}
