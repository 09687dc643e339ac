use ecs::{Component, Views, World};

#[derive(Component)]
pub struct Stock<T>(T);

#[derive(Views)]
pub struct Shelf<'w, T: Send + Sync + 'static>(ecs::View<'w, &'w Stock<T>>);
use Shelf as View;

#[derive(Views)]
pub struct Goods<'w>(View<'w, u8>);

pub(super) fn main() {
    World::new().run(|goods: Goods| goods.0.0.count());
}
