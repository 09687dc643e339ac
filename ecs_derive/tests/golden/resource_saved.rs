#[derive(Resource)]
#[resource(save = "score", version = 2, from(1 = Old), clone)]
struct Score {
    points: u32,
}
