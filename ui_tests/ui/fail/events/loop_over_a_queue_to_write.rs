use ecs::Events;

struct Hit(u32);

fn add_up(hits: &mut Events<Hit>) {
    for hit in hits {
        println!("{}", hit.0);
    }
}

fn main() {}
