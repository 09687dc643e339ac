use ecs::{Bundle, AnyComponent, Component, Entity, Has, Query, ReadOnlyQuery, Term, View, With, Without, World};
use std::fmt::Debug;

#[derive(Component)]
struct Wrapper<T>(T)
where
    T: Debug + Clone;

#[derive(Component)]
struct Mapped<K, V: ?Sized>(Vec<K>, Box<V>)
where
    K: Ord,
    Vec<K>: Clone,
    for<'a> &'a V: Debug;

#[derive(Query)]
struct Ask<'w, T>
where
    T: Debug + Clone + Send + Sync + 'static,
{
    wrapper: &'w mut Wrapper<T>,
}

#[derive(Bundle)]
struct Kit<T>(Wrapper<T>)
where
    T: Debug + Clone;

/// Bounds that repeat the library's own: `rustc` prefers them to its impls.
mod bounds {
    use super::*;

    #[derive(Component)]
    pub struct Health(pub u32);
    #[derive(Component)]
    #[component(layout = "soa")]
    pub struct Row { pub x: u8 }

    pub fn term<T: AnyComponent>(world: &mut World) -> usize
    where
        for<'a> &'a mut T: Term,
    {
        world.view_mut::<&mut T>().count() + world.view_mut::<(&mut T, Has<Health>)>().count()
    }
    pub fn any_term<T>(world: &mut World) -> usize
    where
        for<'a> &'a mut T: Term,
    {
        let [alone, in_option] = [world.view_mut::<&mut T>().count(), world.view_mut::<(Entity, Option<&mut T>)>().count()];
        world.split_mut::<(&mut T, &Health)>();
        alone + in_option
    }
    pub fn query<T: AnyComponent>(world: &mut World) -> usize
    where
        for<'a> &'a mut T: Query,
        for<'a> &'a T: ReadOnlyQuery,
    {
        world.view::<&T>().count() + world.view_mut::<&mut T>().count() + world.view::<(&T, Has<Health>)>().count()
    }
    pub fn tuple<T>(world: &mut World) -> usize
    where
        for<'a> (&'a mut T, &'a Health): Query,
    {
        world.view_mut::<(&mut T, &Health)>().count()
    }
    pub fn both<T>(world: &mut World) -> usize
    where
        for<'a> &'a T: Term,
        for<'a> &'a mut T: Term,
    {
        world.view_mut::<&mut T>().count() + world.view_mut::<(&T, Option<&Health>)>().count()
    }
    pub fn filters<T: AnyComponent>(world: &mut World) -> usize
    where
        Has<T>: Term,
        With<T>: Term,
        Without<T>: Query,
    {
        let [has, with] = [world.view_mut::<Has<T>>().count(), world.view_mut::<With<T>>().count()];
        has + with + world.view_mut::<(Health, Without<T>)>().count()
    }
    pub fn optional<T: AnyComponent>(world: &mut World) -> usize
    where
        for<'a> Option<&'a T>: Term,
    {
        world.view_mut::<Option<&T>>().count() + world.view_mut::<(&Health, Option<&T>)>().count()
    }
    pub fn generic<T: Term>(world: &mut World) -> usize {
        world.view_mut::<T>().count() + world.view_mut::<(T, &Health)>().count()
    }
    pub fn bundle<T>(world: &mut World, value: T) -> Entity
    where
        T: Bundle,
        (T, Health): Bundle,
    {
        world.spawn((value, Health(5))).id()
    }
    pub fn component<T: AnyComponent + Bundle>(world: &mut World, value: T) {
        world.spawn((value, Health(6)));
    }
    pub fn viewed<T: AnyComponent>(world: &mut World) -> usize
    where
        for<'a> &'a T: Term,
    {
        world.run(|all: View<&T>| all.count())
    }
}

/// The length of an array is an expression.
#[derive(Component)]
struct Block<const N: usize>([u8; N])
where
    [u8; N]: Default;

pub(super) fn main() {
    {
        use bounds::{Health, Row};
        let mut world = World::new();
        world.spawn(Block::<4>([0; 4]));
        bounds::component(&mut world, Row { x: 1 });
        let entity = bounds::bundle(&mut world, Row { x: 2 });
        assert!(world.has::<Row>(entity));
        assert_eq!(bounds::term::<Row>(&mut world), 4);
        assert_eq!(bounds::any_term::<Row>(&mut world), 2 + 3);
        assert_eq!(bounds::query::<Health>(&mut world), 6);
        assert_eq!(bounds::tuple::<Row>(&mut world), 2);
        assert_eq!(bounds::both::<Row>(&mut world), 4);
        assert_eq!(bounds::filters::<Row>(&mut world), 3 + 2);
        assert_eq!(bounds::optional::<Row>(&mut world), 3 + 2);
        assert_eq!(bounds::generic::<&mut Row>(&mut world), 4);
        assert_eq!(bounds::viewed::<Row>(&mut world), 2);
    }
    let mut world = World::new();
    world.spawn_empty().insert((Kit(Wrapper(3_u32)), Mapped::<u8, str>(vec![1], "two".into())));
    world.view_mut::<Ask<u32>>().for_each(|ask| ask.wrapper.0 += 1);
    assert_eq!(world.view::<Wrapper<u32>>().single().unwrap().1.0, 4);
    assert_eq!(world.view::<&Mapped<u8, str>>().count(), 1);
}
