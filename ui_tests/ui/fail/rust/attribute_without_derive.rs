#[component(bit = 5)]
struct Health(u32);

fn main() {}
