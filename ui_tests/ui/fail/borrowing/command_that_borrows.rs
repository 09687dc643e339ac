use ecs::Commands;

fn broken(commands: &mut Commands) {
    let mut count = 0;
    commands.queue(|_| count += 1);
}

fn main() {}
