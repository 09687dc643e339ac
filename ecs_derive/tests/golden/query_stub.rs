#[derive(Query)]
struct Steer<'w, T> {
    a: &'w mut T,
    b: Option<&'w T>,
}
