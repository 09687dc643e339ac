use ecs::EntityMap;
use ecs::by_name::ErasedPool;
use engine::Position;

fn main() {
    let mut pool = EntityMap::<Position>::default();
    let pool: &mut dyn ErasedPool = &mut pool;
    pool.take_out(&[], 1, true);
}
