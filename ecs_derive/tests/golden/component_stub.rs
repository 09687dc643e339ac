#[derive(Component)]
struct Name<'a>(&'a str);
