use ecs::{Schedule, View};

struct Mana(u32);

fn regain(manas: View<&mut Mana>) {
    for (_, mana) in manas {
        mana.0 += 1;
    }
}

fn main() {
    Schedule::new().add(regain);
}
