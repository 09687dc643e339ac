#[test]
fn fail() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/fail/*/*.rs");
}
