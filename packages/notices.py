"""Licences of everything that is in the programs, as the licences ask: the texts that the crates have, each once.

    notices.py CRATES-OF-cargo-metadata.json

Reads what `cargo metadata` prints and writes to the standard output.
"""

import json
import re
import sys
from pathlib import Path

IS_TEXT = re.compile(r"(licen[cs]e|copying|notice|copyright|unlicense)", re.IGNORECASE)


def texts(folder):
    found = [file for file in sorted(folder.iterdir()) if file.is_file() and IS_TEXT.match(file.name) and file.suffix not in (".rs", ".html")]
    return [file.read_text(errors="replace").strip().replace("\r\n", "\n") for file in found]


def main():
    metadata = json.loads(Path(sys.argv[1]).read_text())
    used = {node["id"] for node in metadata["resolve"]["nodes"]}
    by_text, without = {}, []
    for package in sorted(metadata["packages"], key=lambda package: (package["name"], package["version"])):
        if package["source"] is None or package["id"] not in used:
            continue
        crate = f"{package['name']} {package['version']}: {package['license'] or 'see its text'}"
        found = texts(Path(package["manifest_path"]).parent)
        for text in found:
            by_text.setdefault(text, []).append(crate)
        if not found:
            without.append(f"{crate}, {'; '.join(package['authors']) or package['repository'] or ''}")
    # The engine's library is no crate.
    print("Licences of what fightdna and fightdna-sql are made of. The library libduckdb.so is DuckDB: MIT, text below.\n")
    print("Crates whose packages hold no text of their own:\n\n" + "\n".join(without))
    for text, crates in by_text.items():
        print("\n" + "=" * 80 + "\n" + "\n".join(crates) + "\n" + "-" * 80 + "\n" + text)


if __name__ == "__main__":
    main()
