"""A run in blocks with Dask: with_dask.py PARTS BLOCK TOTAL WORDS… (the folder of the parts is shared by all workers)."""

import os
import subprocess
import sys

from dask.distributed import Client, progress

if __name__ == "__main__":
    parts, block, total, *words = sys.argv[1:]
    command = [os.environ.get("BLAZON", "blazon"), *words, "-j", "1", "--count", block, "--parts", parts, "--from"]
    with Client(threads_per_worker=1) as client:  # Client("tcp://scheduler:8786") for a cluster
        blocks = [[*command, str(first)] for first in range(0, int(total), int(block))]
        played = client.map(subprocess.run, blocks, check=True, retries=3)
        progress(played, notebook=False)
        client.gather(played)
