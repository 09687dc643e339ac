use ecs::{ErasedPool, Pool};
use engine::Position;

fn main() {
    let mut pool = Pool::<Position>::default();
    let pool: &mut dyn ErasedPool = &mut pool;
    pool.take_out(&[], 1, true);
}
