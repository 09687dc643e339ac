//! Modules of columns that are called like a keyword of any edition, or like a word that is one in some places.

use ecs::{Component, Query, World};

macro_rules! columns {
    ($($name:ident)+) => {
        $(#[derive(Component)]
        #[component(layout = "soa")]
        struct $name { value: u32, r#type: u32 })+

        fn spawn_all(world: &mut World) {
            $(world.spawn($name { value: 1, r#type: 2 });)+
        }
    };
}
columns! {
    Abstract As Async Auto Await Become Box Break Const Continue Default Do Dyn Else Enum Extern False Final Fn For Gen If
    Impl In Let Loop Macro MacroRules Match Mod Move Mut Override Priv Pub Raw Ref Return Safe Static Struct Super
    Crate Trait True Try Type Typeof Union Unsafe Unsized Use Virtual Where While Yield
}

#[derive(Query)]
struct Columns<'w> {
    #[query(column = r#gen::value)]
    a: &'w mut u32,
    #[query(column = r#gen::r#type)]
    r#gen: &'w u32,
    #[query(column = r#async::value)]
    r#async: Option<&'w u32>,
}

pub(super) fn main() {
    let mut world = World::new();
    spawn_all(&mut world);
    world.view_mut::<Columns>().for_each(|it| *it.a += *it.r#gen + it.r#async.map_or(0, |it| *it));
    assert_eq!(*world.view::<Gen>().single().unwrap().1.value, 3);
    let count: usize = world.view::<super_fields::value>().count() + world.view::<r#union::value>().count();
    assert_eq!(count, 2);
}
