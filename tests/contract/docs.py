"""The documentation against the program: its commands run, its links lead somewhere, its lists are whole.

    docs.py PROGRAM [PAGE…]    PROGRAM is a built `fightdna` with `fightdna-sql` beside it

A page is README.md or a page of the book. A fenced block `console` has commands, each behind `$ `; a line behind `> `, or
after a backslash, continues one. The blocks of a page run in order in one shell and an empty folder, and the first command
that fails ends it. Lines below a command are its output: each must occur, in order; `…` stands for the rest of a line, and
alone for any lines. ```console,norun=REASON is not run, and the reason is printed. Ports are replaced by free ones, and
what a page starts with `&` ends with it. `captures/` in the folder holds the real captures of FIGHTDNA_REAL_DATA (or
../shared/data); without them, pages that name it are passed over, except on CI.
"""

import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "docs" / "src"
MADE = BOOK / "reference"
REAL = Path(os.environ.get("FIGHTDNA_REAL_DATA") or ROOT.parent / "shared" / "data").resolve()
OTHERS = ["CONTRIBUTING.md", "pipeline/README.md", "schemas/README.md", "tests/README.md", "data/aliases/README.md"]
COMMAND_SECONDS = 600

# Folders of `captures/` and where they lie among the real captures; of a pattern the files are copied.
CAPTURES = {
    "statsdb": "statsdb-csv", "statsdb-ids": "statsdb-ids", "calendars": "cards-ics/2025-01-*", "rankings": "rankings",
    "career": "career", "feed-tables": "feed-tables", "feed-captures": "feed-captures", "news": "news",
    "sports": "sports", "properties": "properties",
}
# Paths in CONTRIBUTING's table that are of a lake or of the operator.
NOT_OF_THE_REPOSITORY = {"decisions/*.toml", "merging/", "fightdna.toml"}

FENCE = re.compile(r"^( *)(`{3,}|~{3,})(.*)$")
PORT = re.compile(r"(127\.0\.0\.1|localhost):(\d{4,5})\b")
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
COMMAND = re.compile(r"^\s*(\$ |fightdna |cargo |curl |just |python3? |bash )")

failures = []


def fail(path, line, message):
    failures.append(f"{path.relative_to(ROOT)}:{line}: {message}")
    print(f"FAILED {failures[-1]}", file=sys.stderr)


def blocks(path):
    """Fenced blocks: line of the fence, info string, lines; and the text around them, by line."""
    found, prose, fence = [], [], None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = FENCE.match(line)
        if fence is None and match:
            fence = (match[2], number, match[3].strip(), len(match[1]), [])
        elif fence and match and match[2].startswith(fence[0]) and not match[3].strip():
            found.append((fence[1], fence[2], fence[4]))
            fence = None
        elif fence:
            fence[4].append((number, line[min(fence[3], len(line) - len(line.lstrip())):]))
        else:
            prose.append((number, line))
    if fence:
        fail(path, fence[1], "a block without an end")
    return found, prose


def commands(path, lines):
    """Commands of a block with the output that is expected of each: (line, command, [output])."""
    found = []
    for number, line in lines:
        if line.startswith("$ "):
            found.append((number, [line[2:]], []))
        elif not found:
            if line.strip():
                fail(path, number, "output before the first command")
        elif not found[-1][2] and (line.startswith("> ") or found[-1][1][-1].endswith("\\")):
            found[-1][1].append(line[2:] if line.startswith("> ") else line)
        else:
            found[-1][2].append(line.rstrip())
    return [(number, "\n".join(command), output) for number, command, output in found]


class Ports:
    """A free port for each that a page names."""

    def __init__(self):
        self.free = {}

    def of(self, port):
        if port not in self.free:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                self.free[port] = str(probe.getsockname()[1])
        return self.free[port]

    def put(self, text):
        return PORT.sub(lambda match: f"{match[1]}:{self.of(match[2])}", text)

    def restore(self, text):
        for stated, free in self.free.items():
            text = text.replace(f":{free}", f":{stated}")
        return text


class Shell:
    """One bash for a page, and all that it starts."""

    def __init__(self, program, folder, ports):
        tools = folder / ".bin"
        tools.mkdir()
        for name in ("fightdna", "fightdna-sql"):
            if (program.parent / name).exists():
                (tools / name).symlink_to(program.parent / name if name == "fightdna-sql" else program)
        kept = {key: value for key, value in os.environ.items() if not key.startswith("FIGHTDNA_")}
        kept |= {
            "PATH": f"{tools}:{os.environ['PATH']}", "RUST_LOG": "error", "NO_COLOR": "1", "HOME": str(folder / ".home"),
            "FIGHTDNA_SERVE_LISTEN": "127.0.0.1:" + ports.of("8080"),
            "FIGHTDNA_GATEWAY_LISTEN": "127.0.0.1:" + ports.of("8081"),
        }
        (folder / ".home").mkdir()
        if REAL.is_dir():
            (folder / "captures").mkdir()
            for name, real in CAPTURES.items():
                if "*" not in real:
                    (folder / "captures" / name).symlink_to(REAL / real)
                    continue
                (folder / "captures" / name).mkdir()
                for file in REAL.glob(real):
                    shutil.copy(file, folder / "captures" / name)
        self.ports, self.mark = ports, f"--end-of-command-{os.getpid()}--"
        self.bash = subprocess.Popen(
            ["bash", "--noprofile", "--norc"], cwd=folder, env=kept, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True, bufsize=0,
        )
        self.send("shopt -s expand_aliases; set -o pipefail")

    def send(self, command):
        self.bash.stdin.write(f"{command}\n".encode())

    def run(self, command):
        """Exit code and output; `None` for a command that did not end."""
        self.send(self.ports.put(command))
        self.send(f"printf '\\n{self.mark} %d\\n' $?")
        output, deadline = b"", time.monotonic() + COMMAND_SECONDS
        end = re.compile(rf"\n{re.escape(self.mark)} (\d+)\n".encode())
        while not (match := end.search(output)):
            left = deadline - time.monotonic()
            ready = left > 0 and select.select([self.bash.stdout], [], [], left)[0]
            more = os.read(self.bash.stdout.fileno(), 65536) if ready else b""
            if not more:
                return None, self.ports.restore(output.decode(errors="replace"))
            output += more
        text = (output[: match.start()] + output[match.end():]).decode(errors="replace")
        if command.rstrip().endswith("&") or re.search(r"[^&>]&\s*(#.*)?$", command):
            text += self.wait_for_server(command)
        return int(match[1]), self.ports.restore(text)

    def wait_for_server(self, command):
        """Until what was started in the background is ready to answer."""
        stated = re.search(r"--listen (?:127\.0\.0\.1|localhost):(\d+)", command)
        port = stated[1] if stated else "8081" if " gateway " in command else "8080"
        if not re.search(r"\b(serve|gateway|mcp)\b", command):
            return ""
        base, last = f"http://127.0.0.1:{self.ports.of(port)}", ""
        # Fight DNA comes after the first answers; on a slow machine, later than a question for it waits.
        for path in ["/readyz", "/v1/mma/search?q=a"]:
            for _ in range(1800):
                try:
                    with urllib.request.urlopen(base + path, timeout=10):
                        break
                except urllib.error.HTTPError as error:
                    last = str(error)
                    if error.code != 503:
                        break
                except OSError as error:
                    last = str(error)
                time.sleep(0.1)
            else:
                return f"\nnot ready after 180 s: {last}\n"
        return ""

    def end(self):
        try:
            os.killpg(self.bash.pid, signal.SIGTERM)
            self.bash.wait(timeout=12)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            pass
        try:
            os.killpg(self.bash.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.bash.wait()


def missing_line(expected, output):
    """The first line of what is expected that does not occur behind the one before it."""
    lines, at = [line.rstrip() for line in output.splitlines()], 0
    for line in expected:
        if line.strip() in ("", "…"):
            continue
        pattern = re.compile(".*".join(re.escape(part) for part in line.split("…")))
        at = next((index + 1 for index in range(at, len(lines)) if pattern.fullmatch(lines[index])), None)
        if at is None:
            return line
    return None


def run_page(program, path):
    """Runs the blocks of a page; how many commands ran."""
    to_run = []
    for number, info, lines in blocks(path)[0]:
        language, _, attributes = info.partition(",")
        has_command = any(COMMAND.match(line) for _, line in lines)
        if language == "console" and attributes.startswith("norun"):
            reason = attributes.partition("=")[2].strip()
            print(f"   not run: {path.relative_to(ROOT)}:{number}: {reason}")
            if not reason:
                fail(path, number, "norun without a reason")
        elif language == "console":
            if attributes:
                fail(path, number, f"unknown attribute {attributes!r}: norun=REASON is the only one")
            to_run += commands(path, lines)
        elif language in ("sh", "bash", "shell") or (not language and has_command):
            fail(path, number, "a block of commands must say ```console")
    if not to_run:
        return 0
    if not REAL.is_dir() and any("captures/" in command for _, command, _ in to_run):
        if os.environ.get("CI") == "true":
            fail(path, 1, f"no real captures at {REAL}: CI must have them")
        print(f"   passed over: {path.relative_to(ROOT)}: no real captures at {REAL}")
        return 0
    folder = Path(tempfile.mkdtemp(prefix="docs-"))
    shell = Shell(program, folder, Ports())
    try:
        for number, command, expected in to_run:
            code, output = shell.run(command)
            missing = missing_line(expected, output)
            # `jq` prints it where a page names a field that the answer does not have.
            is_null = output.strip() == "null"
            if code == 0 and "not ready after" not in output and missing is None and not is_null:
                continue
            why = "did not end" if code is None else f"ended with {code}" if code else "lacks output"
            told = f"\n   expected: {missing}" if missing is not None else ""
            fail(path, number, f"`{command}` {why}{told}\n   output:\n{output[-4000:]}")
            break
    finally:
        shell.end()
        shutil.rmtree(folder, ignore_errors=True)
    return len(to_run)


def slugs(path):
    """Anchors of a page's headings, as GitHub and mdBook make them."""
    found = set()
    for _, line in blocks(path)[1]:
        heading = re.match(r"#{1,6} +(.*?)(?: +#+)?$", line)
        if heading:
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
            slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            found.add(slug if slug not in found else f"{slug}-1")
    return found


def check_links(path):
    for number, line in blocks(path)[1]:
        for match in LINK.finditer(re.sub(r"`[^`]*`", "``", line)):
            target = match[1]
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            aim = (path.parent / name).resolve() if name else path
            if not aim.exists():
                fail(path, number, f"{target}: no such file")
            elif BOOK in path.parents and BOOK not in aim.parents and aim != path:
                fail(path, number, f"{target}: is not in the book")
            elif anchor and aim.suffix == ".md" and anchor not in slugs(aim):
                fail(path, number, f"{target}: no such heading")


def check_summary(pages):
    """Every page of the book is listed once, and every page that is listed is there."""
    summary = BOOK / "SUMMARY.md"
    listed = [(BOOK / name).resolve() for name in re.findall(r"\]\(([^)#]+\.md)\)", summary.read_text())]
    for page in set(pages) - set(listed) - {summary}:
        fail(page, 1, "is not in SUMMARY.md")
    for page in listed:
        if listed.count(page) > 1 or not page.exists():
            fail(summary, 1, f"{page.relative_to(BOOK)}: listed twice, or not there")


def paths_of(text):
    """A path in backticks with its braces written out, and NAME, NOUN and the like as a pattern."""
    brace = re.search(r"\{([^}]*)\}", text)
    if brace:
        return [one for part in brace[1].split(",") for one in paths_of(text[: brace.start()] + part + text[brace.end():])]
    return [re.sub(r"\b(NAME|NOUN|TABLE|FAMILY|SPORT|PRODUCT|SOURCE|SPORT_NAME|NAME_rows|WHAT-IT-FORCES)\b", "*", text)]


def check_repository_paths(path):
    """What pages say of the repository is there."""
    lines = [(number, code) for number, line in blocks(path)[1] for code in re.findall(r"`([^`]+)`", line)]
    lines += [line for _, _, block in blocks(path)[0] for line in block]
    for number, line in lines:
        for token in re.findall(r"(?<![\w./\x22-])(?:pipeline|schemas|tests|jobs|tools|docs)/[\w./*{},-]+", line):
            for one in paths_of(token.rstrip("/.,")):
                if not any(ROOT.glob(one)):
                    fail(path, number, f"`{token}`: not in the repository")


def check_contributing():
    """Paths of the table exist: from the root, or beside or below the folder of a path before them in their row."""
    path = ROOT / "CONTRIBUTING.md"
    for number, line in blocks(path)[1]:
        if not line.startswith("|"):
            continue
        folders = [ROOT]
        for token in re.findall(r"`([^`]+)`", line):
            is_path = re.fullmatch(r"[\w./*{},-]+", token) and ("/" in token or re.search(r"\.(rs|toml|md|css|html|sql|py)$", token))
            if not is_path or token.startswith("/") or token in NOT_OF_THE_REPOSITORY:
                continue
            for one in paths_of(token):
                found = next((hits for folder in reversed(folders) if (hits := sorted(folder.glob(one.rstrip("/"))))), None)
                if not found:
                    fail(path, number, f"`{token}`: no such path")
                    continue
                aim = found[0]
                folders += [*reversed([parent for parent in aim.parents if ROOT in parent.parents][:3]),
                            aim.with_suffix("") if aim.is_file() else aim]


def check_exit_codes(program):
    """The table of exit codes has the codes of the program's help, and no other."""
    help_text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    stated = set(re.findall(r"(?:: |, )(\d+) ", re.search(r"Exit codes: (.*)", help_text)[0]))
    page = BOOK / "operate" / "exit-codes.md"
    listed = set(re.findall(r"^\| (\d+) \|", page.read_text(), re.M))
    if stated != listed:
        fail(page, 1, f"codes {sorted(stated ^ listed)} are in the table or in --help alone")


def main():
    started = time.monotonic()
    program = Path(sys.argv[1]).resolve()
    subprocess.run([ROOT / "docs" / "reference", program], check=True)
    pages = sorted(BOOK.rglob("*.md"))
    written = [ROOT / "README.md"] + [page for page in pages if MADE not in page.parents]
    chosen = [Path(name).resolve() for name in sys.argv[2:]]
    for path in chosen or written:
        began = time.monotonic()
        count = run_page(program, path)
        if count:
            print(f"{path.relative_to(ROOT)}: {count} commands, {time.monotonic() - began:.1f} s", flush=True)
    if not chosen:
        for path in written + [ROOT / name for name in OTHERS]:
            check_links(path)
            check_repository_paths(path)
        check_summary(pages)
        check_contributing()
        check_exit_codes(program)
        if (size := (ROOT / "README.md").stat().st_size) > 8192:
            fail(ROOT / "README.md", 1, f"has {size} bytes; what is beyond 8192 belongs into the book")
    print(f"{len(chosen or written)} pages, {len(failures)} failures, {time.monotonic() - started:.0f} s")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
