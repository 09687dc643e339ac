#[derive(Component)]
struct Buffer(Mutex<Vec<u8>>, *mut u8);
