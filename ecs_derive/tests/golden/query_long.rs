#[derive(Query)]
struct Long<'w> {
    r#type: &'w A,
    b: &'w B,
    c: &'w C,
    d: &'w D,
    e: &'w E,
    f: &'w F,
    g: &'w G,
    h: &'w H,
    i: &'w I,
    j: &'w J,
    k: &'w K,
    l: &'w L,
    m: &'w M,
}
