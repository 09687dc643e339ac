use ecs::Events;

struct Hit(u32);

fn add_up(hits: &Events<Hit>) {
    for hit in hits {
        println!("{}", hit.0);
    }
}

fn main() {}
