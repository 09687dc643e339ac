//! Functions over a trait of the user's, with no bound but `Component`: a component is lent as a `&S` and a `&mut S`.

use ecs::{AnyComponent, Component, Entity, Mut, Query, Ref, RefMut, Schedule, View, Views, With, World};

#[derive(Component)]
struct Health(u32);

trait Skill: Component {
    fn power(&self) -> u32;
    fn practise(&mut self);
}

#[derive(Component)]
#[component(track)]
struct Archery(u32);
#[derive(Component)]
struct Wrapped<T>(T);

impl Skill for Archery {
    fn power(&self) -> u32 {
        self.0
    }
    fn practise(&mut self) {
        self.0 += 1;
    }
}
impl<T: Send + Sync + 'static> Skill for Wrapped<T> {
    fn power(&self) -> u32 {
        100
    }
    fn practise(&mut self) {}
}

fn heal<S: Skill>(all: View<(&S, &mut Health)>) {
    for (_, skill, health) in all {
        health.0 += skill.power();
    }
}
fn train<S: Skill>(skills: View<&mut S>) {
    skills.for_each(|(_, skill)| skill.practise());
}
fn train_in_a_loop<S: Skill>(world: &mut World) {
    for (_, skill) in world.view_mut::<&mut S>() {
        skill.practise();
    }
    for (_, skill) in world.view_mut::<(Option<&mut S>, With<Health>)>() {
        skill.map(S::practise);
    }
}

/// Passes plain references on.
fn power_of<S: Skill>(skill: &S) -> u32 {
    skill.power()
}
fn lookups<S: Skill>(world: &mut World, entity: Entity) -> u32 {
    let found: Option<&S> = world.get::<S>(entity);
    let sum = found.map_or(0, power_of) + world.get::<S>(entity).unwrap().power();
    world.get_mut::<S>(entity).unwrap().practise();
    world.patch::<S>(entity, |skill| skill.practise());
    let slice: &[S] = world.pool::<S>().as_slice();
    sum + slice.iter().map(S::power).sum::<u32>()
}
fn chunks<S: Skill>(world: &mut World) -> u32 {
    let mut sum = 0;
    world.view_mut::<(&mut S, &Health)>().for_each_chunk(|(_, skills, healths)| {
        for (skill, health) in skills.iter_mut().zip(healths) {
            skill.practise();
            sum += skill.power() + health.0;
        }
    });
    sum
}

#[derive(Query)]
struct Trained<'w, S: Skill> {
    skill: &'w mut S,
    health: &'w Health,
}
#[derive(Query)]
struct Free<'w, S: 'static>(&'w S);
#[derive(Query)]
enum Found<'w, S: Skill> {
    Item(&'w S),
    Other,
}
#[derive(Views)]
struct Both<'w, S: Skill> {
    skills: View<'w, &'w mut S>,
    healths: View<'w, &'w Health>,
}

fn derived<S: Skill>(world: &mut World) -> u32 {
    let mut sum = 0;
    for trained in world.view_mut::<Trained<S>>() {
        trained.skill.practise();
        sum += trained.skill.power() + trained.health.0;
    }
    sum += world.view::<Free<S>>().iter().map(|free| free.0.power()).sum::<u32>();
    for found in world.view_mut::<Found<S>>() {
        sum += if let Found::Item(skill) = found { skill.power() } else { 0 };
    }
    let mut both = world.split_mut::<Both<S>>();
    both.skills.iter_mut().for_each(|(_, skill)| skill.practise());
    sum + u32::try_from(both.healths.count()).unwrap()
}
fn observed<S: Skill>(world: &mut World) {
    world.on_insert::<S>(|world, entity| assert!(world.get::<S>(entity).unwrap().power() > 0));
}

/// In any layout.
trait Part: AnyComponent {
    fn change(part: RefMut<'_, Self>);
}
#[derive(Component)]
#[component(layout = "soa")]
struct Place {
    x: u32,
    y: u32,
}
impl Part for Place {
    fn change(part: PlaceMut<'_>) {
        std::mem::swap(part.x, part.y);
    }
}
impl Part for Archery {
    fn change(archery: &mut Archery) {
        archery.practise();
    }
}
fn change_all<P: Part>(world: &mut World) -> usize {
    world.view_mut::<&mut P>().for_each(|(_, part)| P::change(part));
    world.view::<&P>().count()
}
fn first<T: AnyComponent>(world: &World) -> Option<Ref<'_, T>> {
    world.view::<&T>().iter().next().map(|(_, value)| value)
}

/// Writes the bound of `Component` in two more ways.
fn in_words<S: Component<Storage = Vec<S>>>(world: &World) -> Option<&S> {
    world.view::<&S>().iter().next().map(|(_, value)| value)
}
fn in_full<S: AnyComponent<Storage = Vec<S>>>(world: &World) -> Option<&S> {
    world.view::<&S>().iter().next().map(|(_, value)| value)
}

pub(super) fn main() {
    let mut world = World::new();
    observed::<Archery>(&mut world);
    let archer = world.spawn((Health(1), Archery(2), Wrapped('a'), Place { x: 3, y: 4 })).id();
    let mut frame = Schedule::new().add(heal::<Archery>).add(train::<Archery>).add(heal::<Wrapped<char>>);
    frame.run(&mut world).unwrap();
    assert_eq!(world.get::<Health>(archer).unwrap().0, 103);
    train_in_a_loop::<Archery>(&mut world);
    assert_eq!(lookups::<Archery>(&mut world, archer), 5 + 5 + 7);
    assert_eq!(chunks::<Archery>(&mut world), 8 + 103);
    assert_eq!(derived::<Archery>(&mut world), 9 + 103 + 9 + 9 + 1);
    assert_eq!((change_all::<Archery>(&mut world), change_all::<Place>(&mut world)), (1, 1));
    assert_eq!((first::<Archery>(&world).unwrap().0, *first::<Place>(&world).unwrap().x), (11, 4));
    assert_eq!(in_words::<Archery>(&world).map(power_of), in_full::<Archery>(&world).map(power_of));
}
