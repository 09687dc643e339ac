use ecs::World;

trait Game {
    fn run(&self) -> usize;
}

impl Game for () {
    fn run(&self) -> usize {
        use ecs::{Bundle, Component, Query};

        #[derive(Component)]
        #[component(veto = keep)]
        struct Health(u32);

        fn keep(_: &mut Health) -> bool {
            false
        }

        #[derive(Query)]
        struct Living<'w>(&'w mut Health);

        #[derive(Bundle)]
        struct Hero(Health);

        let count = || {
            #[derive(Component)]
            struct Tag;

            let mut world = World::new();
            world.spawn_empty().insert((Tag, Hero(Health(3))));
            world.view_mut::<Living>().with::<Tag>().for_each(|living| living.0.0 += 1);
            world.view::<Health>().count()
        };
        count()
    }
}

const COUNT: usize = {
    #[derive(ecs::Component)]
    struct Hidden;
    <Hidden as ecs::AnyComponent>::NAME.len()
};

pub(super) fn main() {
    assert_eq!((().run(), COUNT), (1, 6));
}
