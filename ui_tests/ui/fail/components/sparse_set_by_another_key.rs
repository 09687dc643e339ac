use ecs::SparseSet;

struct Names(SparseSet<String, usize>);

fn main() {}
