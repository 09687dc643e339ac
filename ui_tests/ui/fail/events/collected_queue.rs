use ecs::Events;

fn collect(all: &mut Vec<u32>, hits: &Events<u32>) {
    all.extend(hits);
}

fn main() {}
