#[derive(Bundle)]
struct Hero {
    position: Position,
    r#type: Kind,
}
