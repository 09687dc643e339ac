//! Each check at compile time is made at run time, too: soundness does not rest on which constants are
//! evaluated.

use super::{State, System, Takes, run};
use crate::component::alias::{Borrower, Owner};
use crate::system::run::boxed;
use crate::system::schedule::Schedule;
use crate::{Component, EntityRef, Local, Resource, View, Views, World};
use alloc::string::String;
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

#[derive(Component)]
struct A;
#[derive(Resource)]
struct B;
#[derive(Views)]
#[expect(dead_code, reason = "what it touches is looked at")]
struct Inner<'w>(View<'w, &'w mut A>, Local<'w, u32>);

fn twice(_: View<&mut A>, _: View<&mut A>) {}
fn itself(_: View<(&mut A, &A)>) {}
fn fields(_: Inner, _: View<&A>) {}
fn resource(_: &mut B, _: Option<&B>) {}
fn whole_entities(_: View<EntityRef>, _: View<&mut A>) {}
fn beside_readers(_: &World, _: View<&mut A>) {}
fn beside_all(_: View<&A>, _: &mut World) {}
fn behind_all(_: &mut World, _: &B) {}

/// Returns the message of the panic of `f`.
fn refusal(f: impl FnOnce()) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(f)).err()?;
    let text = panic.downcast_ref::<String>().cloned();
    Some(text.unwrap_or_else(|| String::from(*panic.downcast_ref::<&str>().unwrap())))
}

/// By all that runs a system without the compiler's check.
fn check<M: 'static, S>(mut system: S, why: &str)
where
    S: Takes<M, Out = ()> + System<M> + Copy + Send + Sync + 'static,
{
    let mut world = World::new();
    world.insert_resource(B);
    let mut state = State::<S::Supplies>::default();
    let refusals = [
        refusal(|| {
            run(&mut system, &mut state, &mut world, Borrower::new(Owner::System(""), None));
        }),
        refusal(|| drop(boxed(system).run(&mut world, None))),
        refusal(|| Schedule::new().add_checked(system).run(&mut world).unwrap()),
    ];
    for refusal in refusals {
        let refusal = refusal.expect(why);
        assert!(refusal.contains(why), "{refusal}");
    }
}

#[test]
fn aliasing_parameters_are_refused_by_every_runner() {
    check(twice, "which parameter `1`");
    check(itself, "which another of its terms");
    check(fields, "which");
    check(resource, "which parameter `1`");
    check(whole_entities, "reads whole entities");
    check(beside_readers, "a set that reads the world writes nothing");
    check(beside_all, "is the only parameter");
    check(behind_all, "is the only parameter");
}
