"""Prints how many nanoseconds pyarrow is on a processor to write a table as Parquet, at the second time.

usage: parquet.py FILE
"""

import sys
from time import process_time_ns

import pyarrow as pa
import pyarrow.parquet as pq

table = pq.read_table(sys.argv[1])
for _ in range(2):
    start = process_time_ns()
    pq.write_table(table, pa.BufferOutputStream())
    took = process_time_ns() - start
print(took)
