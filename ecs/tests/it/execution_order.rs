//! A schedule whose result shows the order in which its systems ran: the same on threads, without the feature
//! `parallel`, and without the standard library. The tests of these have this file.

use ecs::{
    Changes, Commands, Component, EntityAllocator, Local, Resource, View, With, World, schedule,
};

#[derive(Component)]
#[component(track)]
struct Health(u64);
#[derive(Component)]
struct Fuel(u64);
#[derive(Component)]
struct Player;
#[derive(Resource)]
struct Score(u64);

fn mix(value: &mut u64, by: u64) {
    *value = (*value ^ by).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
}

fn heal(healths: View<&mut Health>) {
    healths.par_for_each(|(entity, health)| mix(&mut health.0, u64::from(entity.index())));
}
fn burn(fuels: View<&mut Fuel>, mut runs: Local<u64>) {
    *runs += 1;
    fuels.for_each(|(_, fuel)| mix(&mut fuel.0, *runs));
}
fn feed(all: View<(&mut Fuel, &Health, With<Player>)>) {
    all.for_each(|(_, fuel, health)| mix(&mut fuel.0, health.0));
}
#[expect(clippy::cast_precision_loss, reason = "24 bits are left, as many as an `f32` has")]
fn sum(healths: View<&Health>, fuels: View<&Fuel>, score: &mut Score) {
    let weigh = |sum: f32, value: u64| sum + (value >> 40) as f32 * 1e-3;
    let healths = healths.par_fold(|| 0.0, |sum, (_, it)| weigh(sum, it.0), |a, b| a + b);
    let fuels = fuels.par_fold(|| 0.0, |sum, (_, it)| weigh(sum, it.0), |a, b| a + b);
    mix(&mut score.0, u64::from(healths.to_bits()) << 32 | u64::from(fuels.to_bits()));
}
fn is_odd(score: &Score) -> bool {
    score.0 % 2 == 1
}
fn spawn(allocator: EntityAllocator, commands: &mut Commands, score: &Score) {
    let entity = commands.spawn(allocator, (Health(score.0), Fuel(1)));
    if score.0.is_multiple_of(3) {
        commands.insert(entity, Player);
    }
}
fn notice(changes: &Changes<Health>, score: &mut Score) {
    mix(&mut score.0, (changes.changed().len() + changes.inserted().len()) as u64);
}
fn look(world: &mut World) {
    let first = world.view::<&Fuel>().iter().map(|(_, fuel)| fuel.0).fold(0, u64::wrapping_add);
    mix(&mut world.resource_mut::<Score>().0, first);
}

schedule! { struct Births { spawn, sync, notice } }
schedule! {
    pub struct Frame {
        together(heal, burn), sum, feed if is_odd, births: Births, heal if is_odd, burn, sum, look,
    }
}

/// The result of [`result_of`].
pub const RESULT: u64 = 0x39c4_aaf2_f486_b7e6;

/// Returns the result of the frames; `run` runs each.
pub fn result_of(run: impl Fn(&mut Frame, &mut World)) -> u64 {
    let (mut world, mut frame) = (World::new(), Frame::new());
    world.insert_resource(Score(1));
    world.spawn_batch((0..3_000).map(|at| (Health(at), Fuel(at))));
    world.spawn_batch((0..100).map(|at| (Health(at), Fuel(at), Player)));
    for _ in 0..20 {
        run(&mut frame, &mut world);
    }
    world.resource::<Score>().0
}
