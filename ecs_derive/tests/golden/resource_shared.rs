#[derive(Resource)]
struct Buffer(Mutex<Vec<u8>>);
