#[derive(Component)]
#[component(needs(Health), excludes(Enemy, Slot<u8>), replaces(Walking), requires(Armour))]
struct Player;
