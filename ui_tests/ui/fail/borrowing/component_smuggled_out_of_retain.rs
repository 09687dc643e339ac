use ecs::SparseSet;

fn broken(set: &mut SparseSet<u32>) {
    let mut smuggled = None;
    set.retain(|_, value| {
        smuggled = Some(value);
        false
    });
}

fn main() {}
