"""Puts the HEALTHCHECK of a Dockerfile into the configuration of an image in an OCI layout, as BuildKit does.

    healthcheck.py LAYOUT DOCKERFILE
"""

import hashlib
import json
import re
import sys
from pathlib import Path


def main():
    layout, dockerfile = Path(sys.argv[1]), Path(sys.argv[2]).read_text()
    options, command = re.search(r"^HEALTHCHECK (.*?)CMD (\[.*\])$", dockerfile, re.M).groups()
    check = {"Test": ["CMD", *json.loads(command)]}
    for name, seconds in re.findall(r"--([a-z-]+)=(\d+)s", options):
        check["".join(part.capitalize() for part in name.split("-"))] = int(seconds) * 10**9
    index = json.loads((layout / "index.json").read_text())
    (image,) = index["manifests"]
    manifest = json.loads(blob(layout, image).read_text())
    config = json.loads(blob(layout, manifest["config"]).read_text())
    config["config"]["Healthcheck"] = check
    replace(layout, manifest["config"], config)
    replace(layout, image, manifest)
    (layout / "index.json").write_text(json.dumps(index))


def blob(layout, descriptor):
    return layout / "blobs" / descriptor["digest"].replace(":", "/")


def replace(layout, descriptor, document):
    blob(layout, descriptor).unlink()
    data = json.dumps(document).encode()
    descriptor["digest"], descriptor["size"] = "sha256:" + hashlib.sha256(data).hexdigest(), len(data)
    blob(layout, descriptor).write_bytes(data)


if __name__ == "__main__":
    main()
