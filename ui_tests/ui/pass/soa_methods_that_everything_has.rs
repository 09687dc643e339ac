//! A user's trait may give all types methods, also by names that the derives use.

use ecs::{Bundle, Component, Query, World};

macro_rules! everything_has {
    ($($name:ident)*) => {
        trait Everything: Sized {
            $(fn $name(self) -> Never { unreachable!() })*
        }
        impl<T> Everything for T {}
    };
}

enum Never {}

everything_has! {
    probe field finish debug_struct into_parts bit clone clone_field set replace take_apart put_together
    shown as_ref as_mut reborrow to_owned fmt union build fetch drop borrow borrow_mut
}

#[derive(Component, Debug, PartialEq)]
#[component(layout = "soa")]
struct Pair {
    left: u32,
    right: String,
}

#[derive(Component)]
struct Mass(f32);

#[derive(Bundle)]
struct Both {
    pair: Pair,
    mass: Mass,
}

#[derive(Query)]
struct Ask<'w> {
    pair: PairRef<'w>,
    mass: &'w mut Mass,
}

pub(super) fn main() {
    let mut world = World::new();
    let pair = Pair { left: 1, right: "one".into() };
    let entity = world.spawn(Both { pair, mass: Mass(2.0) }).id();
    for ask in world.view_mut::<Ask>() {
        ask.mass.0 += *ask.pair.left as f32;
    }
    assert_eq!(world.get::<Mass>(entity).map(|mass| mass.0), Some(3.0));
    let shown = format!("{:?}", world.get::<Pair>(entity).unwrap());
    assert_eq!(shown, "PairRef { left: 1, right: \"one\" }");
    let shown = format!("{:?}", world.get_mut::<Pair>(entity).unwrap());
    assert_eq!(shown, "PairMut { left: 1, right: \"one\" }");
    assert_eq!(world.remove::<Pair>(entity), Some(Pair { left: 1, right: "one".into() }));
}
