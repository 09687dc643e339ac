use trybuild::TestCases;
fn fail_kinds() -> Vec<String> {
    let mut kinds: Vec<String> = std::fs::read_dir("ui/fail").unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    kinds.sort();
    kinds
}
#[test]
fn fail() {
    let cases = TestCases::new();
    for kind in fail_kinds() { if kind != "on_build" { cases.compile_fail(format!("ui/fail/{kind}/*.rs")); } }
}
#[test]
fn on_build() {
    let cases = TestCases::new();
    cases.pass("ui/pass/smoke.rs");
    cases.compile_fail("ui/fail/on_build/*.rs");
}
