#[derive(Component)]
struct r#type {
    r#match: u32,
}
