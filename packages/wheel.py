"""A wheel of programs that are built already, by the format of the Python Packaging Authority (no Python code is in it).

    wheel.py OUT VERSION GLIBC LAYOUT    GLIBC is the newest that the programs need, such as 2.35

LAYOUT has `scripts/` (beside `python` of the environment), `data/` (below its root), `licenses/` and `sboms/`. maturin
would run a build of its own, of one program. The bytes depend on the files and SOURCE_DATE_EPOCH alone.
"""

import base64
import hashlib
import os
import sys
import time
import zipfile
from pathlib import Path

NAME = "fightdna"


def main():
    out, version, glibc, layout = Path(sys.argv[1]), sys.argv[2], sys.argv[3], Path(sys.argv[4])
    tag = f"py3-none-manylinux_{glibc.replace('.', '_')}_x86_64"
    info, data = f"{NAME}-{version}.dist-info", f"{NAME}-{version}.data"
    files = []
    for folder, place in (("scripts", data), ("data", data), ("licenses", info), ("sboms", info)):
        for file in sorted(path for path in (layout / folder).rglob("*") if path.is_file()):
            files.append((f"{place}/{file.relative_to(layout)}", file.read_bytes(), 0o755 if folder == "scripts" else 0o644))
    licences = "".join(f"License-File: {file.name}\n" for file in sorted((layout / "licenses").iterdir()))
    files.append((f"{info}/METADATA", (
        f"Metadata-Version: 2.4\nName: {NAME}\nVersion: {version}\n"
        "Summary: Captured sports facts in, versioned metrics out: the programs fightdna and fightdna-sql\n"
        f"License-Expression: MIT OR Apache-2.0\n{licences}Requires-Python: >=3.9\n"
    ).encode(), 0o644))
    files.append((f"{info}/WHEEL", (
        f"Wheel-Version: 1.0\nGenerator: packages/wheel.py\nRoot-Is-Purelib: false\nTag: {tag}\n"
    ).encode(), 0o644))
    record = "".join(
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b'=').decode()},{len(content)}\n"
        for name, content, _ in files
    )
    files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode(), 0o644))
    made = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
    with zipfile.ZipFile(out / f"{NAME}-{version}-{tag}.whl", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name, content, mode in files:
            entry = zipfile.ZipInfo(name, made)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, (0o100000 | mode) << 16
            wheel.writestr(entry, content)


if __name__ == "__main__":
    main()
