#[derive(Resource)]
struct Score(u32);
