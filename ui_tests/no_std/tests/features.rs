//! Errors of missing features name the feature: this package has none of them.

#[test]
fn what_needs_a_feature_names_it() {
    trybuild::TestCases::new().compile_fail("ui/*.rs");
}
