"""What a running server says of itself."""
import sys
import urllib.request


def read_metric(port, name):
    """The value of a metric without labels, of the server on this port of the loopback."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as reply:
        for line in reply.read().decode().splitlines():
            if line.startswith(name + " "):
                return int(line.split(" ")[1])
    sys.exit(f"no metric {name}")
