use ecs::{Component, PoolMut, PoolRef};

#[derive(Component)]
struct Call<F: Send + Sync + 'static>(F);

type Any = Call<fn(&String)>;
type Static = Call<fn(&'static String)>;

fn read(pool: PoolRef<'_, Any>) -> PoolRef<'_, Static> { pool }
fn write(pool: PoolMut<'_, Any>) -> PoolMut<'_, Static> { pool }

fn main() {}
