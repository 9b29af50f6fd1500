"""Runs the Python examples of a README on a lake, in the order of the page, with the package that is installed.

    python_readme.py README LAKE
"""

import os
import re
import sys
import tempfile
from pathlib import Path

import fightdna

text, lake = Path(sys.argv[1]).read_text(), Path(sys.argv[2]).resolve()
blocks = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
assert blocks, "no examples"
assert "site-packages" in fightdna.__file__, f"not the wheel: {fightdna.__file__}"
names = {}
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    Path("lake").symlink_to(lake)
    for block in blocks:
        exec(compile(block, sys.argv[1], "exec"), names)
    os.chdir("/")
print(f"{len(blocks)} examples of {sys.argv[1]} with fightdna {fightdna.__version__}")
