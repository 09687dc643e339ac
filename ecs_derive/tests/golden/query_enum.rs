#[derive(Query)]
enum Shape<'w> {
    Round(&'w mut Circle),
    Flat { width: &'w Width, height: Option<&'w Height> },
    Other,
}
