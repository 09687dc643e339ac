#[derive(Component)]
#[component(layout = "soa")]
struct Buffer {
    bytes: Mutex<Vec<u8>>,
}
