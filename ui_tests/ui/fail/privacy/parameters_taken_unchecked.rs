use ecs::__private::{SupplySet, ViewSet};
use ecs::{EntityRef, World};
use engine::Position;

fn main() {
    type Both = ((EntityRef<'static>, &'static mut Position),);
    <<Both as ViewSet>::Supplies as SupplySet>::take(&mut World::new(), &mut Default::default());
}
