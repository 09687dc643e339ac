#[derive(Bundle)]
struct Nothing;
