#!/usr/bin/env bash
# Builds and tests SQL over saved worlds: apart from all else, as DataFusion builds for minutes.
set -euo pipefail
cd "$(dirname "$0")"

cargo fmt --check
cargo clippy --all-targets -- -D warnings
RUSTDOCFLAGS="-D warnings" cargo doc --no-deps
cargo test
