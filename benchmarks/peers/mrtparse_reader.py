"""mrtparse reads MRT records; asked on standard input for a file and how many, answers with its wall time."""

import json
import sys
import time
from importlib.metadata import version
from itertools import islice

from mrtparse import Reader

given = json.load(sys.stdin)
begin = time.perf_counter()
count = sum(1 for _ in islice(Reader(given["file"]), given["records"]))
seconds = time.perf_counter() - begin
json.dump({"seconds": seconds, "records": count, "version": version("mrtparse")}, sys.stdout)
