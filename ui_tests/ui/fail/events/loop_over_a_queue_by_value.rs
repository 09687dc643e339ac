use ecs::Events;

fn main() {
    let hits = Events::from_iter([1, 2]);
    for hit in hits {
        println!("{hit}");
    }
}
