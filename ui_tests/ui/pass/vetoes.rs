use ecs::{Component, World};

mod rules {
    pub fn never<T>(_: &mut T) -> bool {
        false
    }
}

trait Guarded {
    fn may_go(&mut self) -> bool;
}

#[derive(Component)]
#[component(veto = rules::never)]
struct Kept;

#[derive(Component)]
#[component(veto = <Self as Guarded>::may_go)]
struct Counted(u32);

impl Guarded for Counted {
    fn may_go(&mut self) -> bool {
        self.0 -= 1;
        self.0 == 0
    }
}

#[derive(Component)]
#[component(veto = Self::may_go)]
struct Wrapper<T: Copy + Into<bool>>(T);

impl<T: Copy + Into<bool>> Wrapper<T> {
    fn may_go(&mut self) -> bool {
        self.0.into()
    }
}

pub(super) fn main() {
    let mut world = World::new();
    let mut entity = world.spawn_empty();
    entity.insert((Kept, Counted(2), Wrapper(true)));
    assert!(entity.remove::<Kept>().is_none());
    assert!(entity.remove::<Counted>().is_none());
    assert!(entity.remove::<Counted>().is_some());
    assert!(entity.remove::<Wrapper<bool>>().is_some());
}
