#[derive(Component)]
#[component(requires(Slot<T>, Count, List<T> = List::new()))]
struct Holder<T>(T);
