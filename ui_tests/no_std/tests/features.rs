//! Errors of missing features name the feature: this package has none of them.

#[test]
fn missing_features_are_named_in_errors() {
    trybuild::TestCases::new().compile_fail("ui/*.rs");
}
