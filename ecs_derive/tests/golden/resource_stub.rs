#[derive(Resource)]
struct Borrowed<'a> {
    text: &'a str,
}
