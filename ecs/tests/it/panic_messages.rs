//! Messages for requests of missing things.

use crate::fixtures::panics;
use ecs::{
    Component, Events, Local, NonSend, NonSendRef, Resource, Schedule, View, Views, World, schedule,
};

struct Hit;
#[derive(Component)]
struct Health;
#[derive(Component)]
struct Stock<T>(T);
#[derive(Resource)]
struct Score;

fn strike(_: View<&Health>, _: &mut Events<Hit>) {}
fn is_hit(_: &Events<Hit>) -> bool {
    true
}
#[derive(Views)]
#[expect(dead_code, reason = "it is never made")]
struct Board<'w> {
    healths: View<'w, &'w Health>,
    score: &'w Score,
}
fn show(_: Local<u32>, _: Board) {}

/// Returns the message of a schedule that panics, without the place where it is run.
fn panic_of(mut schedule: Schedule) -> String {
    let line = line!() + 1;
    let message = panics(|| schedule.run(&mut World::new())).unwrap();
    let place = format!(", in the schedule that {}:{line}:", file!());
    let (before, rest) = message.split_once(&place).expect(&message);
    let (_, after) = rest.split_once(" runs").expect(&message);
    [before, after].concat()
}

#[test]
fn a_missing_resource_is_named_in_full_with_its_system_and_parameter() {
    let for_system = "there is no resource `Events<Hit>` for parameter `2` of system `strike`: give the world one by \
                      `World::insert_resource`";
    assert_eq!(panics(|| World::new().run(strike)).unwrap(), for_system);
    assert_eq!(panic_of(Schedule::new().add(strike)), for_system);
    schedule! { struct Frame { strike } }
    assert_eq!(panic_of(Schedule::from(Frame::new())), for_system);

    let for_condition = for_system.replace("`2` of system `strike`", "`1` of condition `is_hit`");
    assert_eq!(panic_of(Schedule::new().add_if(is_hit, || ())), for_condition);
    assert_eq!(panic_of(Schedule::new().add_all_if("all", is_hit, Schedule::new())), for_condition);
}

#[test]
fn a_missing_resource_of_a_struct_of_parameters_is_named_with_its_field() {
    let message = panics(|| World::new().run(show)).unwrap();
    let start =
        "there is no resource `Score` for field `score` of parameter `2` of system `show`: ";
    assert!(message.starts_with(start), "{message}");
}

#[test]
fn a_missing_resource_of_a_split_is_named_with_its_member() {
    let message = panics(|| _ = World::new().split_mut::<(&Health, ecs::Res<Score>)>()).unwrap();
    assert!(
        message.starts_with("there is no resource `Score` for member `1` of the split: "),
        "{message}"
    );
    let message = panics(|| _ = World::new().split_mut::<Board>()).unwrap();
    assert!(
        message.starts_with("there is no resource `Score` for member `score` of the split: "),
        "{message}"
    );
}

#[test]
fn a_missing_value_of_a_thread_is_named_in_full() {
    let message = panics(|| World::new().run(|_: NonSendRef<Hit>| ())).unwrap();
    assert!(
        message.starts_with("there is no resource `NonSend<Hit>` for parameter `1` of system `"),
        "{message}"
    );
    let message = panics(|| drop(World::new().resource_mut::<NonSend<Hit>>().get_mut())).unwrap();
    assert!(
        message.starts_with("there is no resource `NonSend<Hit>`: give the world one"),
        "{message}"
    );
}

#[cfg(feature = "parallel")]
#[test]
fn a_missing_resource_is_named_by_systems_that_overlap() {
    let mut schedule = Schedule::new().add(strike).add(|_: View<&Stock<u8>>| ());
    schedule.set_sharing(ecs::Sharing::Always);
    let message = panic_of(schedule);
    assert!(message.contains("`Events<Hit>` for parameter `2` of system `strike`"), "{message}");
}

#[test]
fn conflicts_of_generic_components_say_which_instance() {
    fn both<A: Send + Sync + 'static, B: Send + Sync + 'static>(
        _: View<&mut Stock<A>>,
        _: View<&Stock<B>>,
    ) {
    }
    fn one<A: Component, B: Component>(world: &mut World) {
        world.view_mut::<(&mut A, &B)>();
    }
    World::new().run(both::<Health, Option<Hit>>);
    let message = panics(|| World::new().run(both::<Option<Hit>, Option<Hit>>)).unwrap();
    let reads = "reads `Stock<Option<Hit>>`, which parameter `1` writes";
    assert!(message.contains(reads), "{message}");

    one::<Stock<u8>, Stock<u16>>(&mut World::new());
    let message = panics(|| one::<Stock<Hit>, Stock<Hit>>(&mut World::new())).unwrap();
    let reads = "reads `Stock<Hit>`, which another of its terms writes";
    assert!(message.contains(reads), "{message}");
}
