#[derive(Query)]
struct r#Tuple<'w>(Entity, (&'w A, Option<&'w mut B>));
