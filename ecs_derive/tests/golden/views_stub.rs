#[derive(Views)]
struct Nothing<'w>;
