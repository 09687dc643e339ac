#[derive(Bundle)]
enum Hero<'a, T> {
    A(&'a T),
}
