use ecs::Events;

fn add_up(hits: &Events<u32>) -> u32 {
    hits.iter().sum()
}

fn main() {}
