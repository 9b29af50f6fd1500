//! Captures of every source, damaged in every way there is, a few hundred of them: none may panic, hang, lose a row
//! or take more memory than is stated here.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::panic::catch_unwind;
use std::time::{Duration, Instant};

use arrow::array::{Array as _, AsArray as _};
use arrow::datatypes::Int32Type;
use bytes::Bytes;
use fdna_ingest::IngestedCapture;
use fdna_kit::{IdsBout, IdsFiles};

use crate::hostile::{bench, files_of, good, published, repository, told, write};

type Files = Vec<(String, Vec<u8>)>;

/// A good capture of every source.
fn sources() -> Vec<(&'static str, Files)> {
    let fixture = |source: &'static str, case: &str| {
        (source, files_of(&repository().join("tests/fixtures").join(source).join(case)))
    };
    let ids = IdsFiles::default().event(1, "UFC 1", "2020-01-01", true).bout(IdsBout::default());
    vec![
        ("statsdb", good()),
        ("statsdb-ids", ids.files()),
        fixture("statsdb-html", "a-whole-card"),
        fixture("cards", "divided-card"),
        fixture("feed", "scoreboard-completed"),
        fixture("feed-captures", "lists-both-ways-and-empty"),
        fixture("feed-history", "main-event-first"),
        fixture("feed-tables", "opponent-to-be-announced"),
        fixture("scorecards", "judged-every-way"),
        fixture("late-notice", "met-twice"),
        fixture("rankings", "vacant-title-and-shared-ranks"),
        fixture("images", "every-field-stated"),
        fixture("articles", "every-field-stated"),
        fixture("wire", "rss-2"),
        fixture("news", "outlets-and-channels"),
        fixture("videos", "channel-feed"),
    ]
}

/// Numbers that are the same in every run: xorshift.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % n.max(1) as u64).unwrap()
    }
}

fn splice(bytes: &[u8], at: usize, text: &[u8]) -> Vec<u8> {
    let at = at.min(bytes.len());
    [&bytes[..at], text, &bytes[at..]].concat()
}

fn utf_16(bytes: &[u8], unit: fn(u16) -> [u8; 2], mark: bool) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let mark = mark.then_some(0xfeff);
    mark.into_iter().chain(text.encode_utf16()).flat_map(unit).collect()
}

/// Begins a line somewhere in the file.
fn line(bytes: &[u8], dice: &mut Dice) -> usize {
    let at = dice.below(bytes.len());
    bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| at + end + 1)
}

type Mutation = (&'static str, fn(&[u8], &mut Dice) -> Vec<u8>);

const DECLARATION: &[u8] = b"<?xml version=\"1.0\" encoding=\"windows-1252\"?>";

const MUTATIONS: [Mutation; 38] = [
    ("carriage returns alone", |b, _| String::from_utf8_lossy(b).replace('\n', "\r").into_bytes()),
    ("one carriage return", |b, dice| {
        let (mut bytes, at) = (b.to_vec(), line(b, dice));
        bytes[at - 1] = b'\r';
        bytes
    }),
    ("every other line end a pair", |b, _| {
        let mut pair = false;
        b.iter()
            .flat_map(|byte| {
                pair ^= *byte == b'\n';
                if *byte == b'\n' && pair { b"\r\n".to_vec() } else { vec![*byte] }
            })
            .collect()
    }),
    ("doubled carriage returns", |b, _| String::from_utf8_lossy(b).replace('\n', "\r\r\n").into_bytes()),
    ("UTF-16LE with a mark", |b, _| utf_16(b, u16::to_le_bytes, true)),
    ("UTF-16BE with a mark", |b, _| utf_16(b, u16::to_be_bytes, true)),
    ("UTF-16LE", |b, _| utf_16(b, u16::to_le_bytes, false)),
    ("UTF-16BE", |b, _| utf_16(b, u16::to_be_bytes, false)),
    ("half a unit of UTF-16", |b, _| utf_16(b, u16::to_le_bytes, true)[1..].to_vec()),
    ("UTF-8 with two marks", |b, _| [b"\xef\xbb\xbf\xef\xbb\xbf", b].concat()),
    ("declared anew before", |b, _| splice(b, 0, DECLARATION)),
    ("declared anew within", |b, dice| splice(b, dice.below(b.len()), DECLARATION)),
    ("declared anew between", |b, dice| splice(b, line(b, dice), DECLARATION)),
    ("declared anew behind", |b, _| [b, &b" ".repeat(100)[..], DECLARATION].concat()),
    ("a NUL", |b, dice| splice(b, dice.below(b.len()), b"\0")),
    ("zeros behind", |b, _| [b, &[0; 4096][..]].concat()),
    ("zeros in the middle", |b, dice| {
        let (mut bytes, at) = (b.to_vec(), dice.below(b.len()));
        bytes[at..].iter_mut().take(64).for_each(|byte| *byte = 0);
        bytes
    }),
    ("deep lists", |b, dice| splice(b, dice.below(b.len()), &b"[".repeat(200_000))),
    ("deep objects", |b, dice| splice(b, dice.below(b.len()), &b"{\"a\":".repeat(50_000))),
    ("deep elements", |b, dice| splice(b, line(b, dice), &b"<a>".repeat(100_000))),
    ("deep formats", |b, dice| splice(b, line(b, dice), &b"<b><table>".repeat(20_000))),
    ("deep components", |b, dice| splice(b, line(b, dice), &b"BEGIN:VEVENT\r\n".repeat(50_000))),
    ("components that hide", |b, dice| {
        splice(b, line(b, dice), &b"X-A:END:\r\nBEGIN:VEVENT\r\n".repeat(50_000))
    }),
    ("many lines", |b, dice| splice(b, line(b, dice), &b"\n".repeat(2_500_000))),
    ("many commas", |b, dice| splice(b, line(b, dice), &b",".repeat(1_000_000))),
    ("many values", |b, dice| splice(b, dice.below(b.len()), &b"0,".repeat(1_500_000))),
    ("one long line", |b, dice| splice(b, dice.below(b.len()), &b"x".repeat(5_000_000))),
    ("the file many times", |b, _| b.repeat(2_000_000 / b.len())),
    ("cut", |b, dice| b[..dice.below(b.len())].to_vec()),
    ("cut once more", |b, dice| b[..dice.below(b.len())].to_vec()),
    ("without its last byte", |b, _| b[..b.len() - 1].to_vec()),
    ("nothing", |_, _| Vec::new()),
    ("its first line alone", |b, _| {
        b[..b.iter().position(|byte| *byte == b'\n').map_or(0, |at| at + 1)].to_vec()
    }),
    ("a flipped bit", |b, dice| flipped(b, dice, 1)),
    ("ten flipped bits", |b, dice| flipped(b, dice, 10)),
    ("a thousand flipped bits", |b, dice| flipped(b, dice, 1000)),
    ("a quote that never closes", |b, dice| splice(b, line(b, dice), b"\"")),
    ("no text at all", |b, dice| (0..b.len()).map(|_| u8::try_from(dice.below(256)).unwrap()).collect()),
];

fn flipped(bytes: &[u8], dice: &mut Dice, n: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..n {
        let at = dice.below(bytes.len());
        bytes[at] ^= 1 << dice.below(8);
    }
    bytes
}

/// The capture with one of its files mutated, and which.
fn mutated(files: &Files, mutate: Mutation, dice: &mut Dice) -> (Files, String) {
    let mut files = files.clone();
    let at = dice.below(files.len());
    files[at].1 = (mutate.1)(&files[at].1, dice);
    let name = files[at].0.clone();
    (files, name)
}

/// Seconds in which the slowest of them must be read on a busy machine.
const WITHIN: Duration = Duration::from_secs(30);
/// What reading all of them, one after the other, may take of memory at its highest, in KiB.
const MEMORY_KIB: u64 = 1536 * 1024;

#[test]
fn six_hundred_damaged_captures_cost_themselves_and_nothing_else() {
    let (mut dice, mut outcomes, mut n) = (Dice(0x5eed), BTreeMap::<&str, usize>::new(), 0);
    let mut slowest = (Duration::ZERO, String::new());
    for (source, files) in sources() {
        for mutation in MUTATIONS {
            let (files, name) = mutated(&files, mutation, &mut dice);
            let what = format!("{source}/{name}: {}", mutation.0);
            let files: Vec<(String, Bytes)> = files.into_iter().map(|(name, b)| (name, b.into())).collect();
            let begun = Instant::now();
            let read =
                catch_unwind(|| fdna_ingest::ingest(source, &files)).unwrap_or_else(|_| panic!("{what}"));
            slowest = slowest.max((begun.elapsed(), what.clone()));
            let outcome = check(&what, &read.unwrap_or_else(|error| panic!("{what}: {error}")));
            *outcomes.entry(outcome).or_default() += 1;
            n += 1;
        }
    }
    assert!(n >= 600, "{n}");
    assert!(slowest.0 < WITHIN, "{slowest:?}");
    assert!(outcomes["refused"] > 100 && outcomes["read"] > 100, "{outcomes:?}");
    let peak = peak_kib();
    assert!(peak.is_none_or(|peak| peak < MEMORY_KIB), "{peak:?} KiB");
    eprintln!("{n} captures: {outcomes:?}, slowest {slowest:?}, at most {peak:?} KiB");
}

/// The most memory that this process has had.
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}

/// Every row is in a table or told, and the tables are what the lake accepts.
fn check(what: &str, read: &IngestedCapture) -> &'static str {
    let fatal: Vec<_> = read.findings.iter().filter(|f| f.severity.name() == "fatal").collect();
    assert!(fatal.iter().all(|finding| !finding.file.is_empty() && !finding.reason.is_empty()), "{what}");
    for count in &read.counts {
        assert_eq!(count.rows_in, count.rows_out + count.set_aside, "{what}: {count:?}");
    }
    if !fatal.is_empty() {
        return "refused";
    }
    let out: usize = read.counts.iter().map(|count| count.rows_out).sum();
    let rows: usize = read.tables.iter().map(|(_, batch)| batch.num_rows()).sum();
    assert!(rows >= out || what.starts_with("statsdb-html"), "{what}: {rows} rows of {out}");
    for (table, batch) in &read.tables {
        let (Some(file), Some(line)) = (batch.column_by_name("file"), batch.column_by_name("line")) else {
            continue;
        };
        let (Some(file), line) = (file.as_string_opt::<i32>(), line.as_primitive::<Int32Type>()) else {
            continue;
        };
        for row in 1..file.len() {
            let [before, here] = [row - 1, row].map(|row| (file.value(row), line.value(row)));
            assert!(before < here, "{what}: {table} has {here:?} behind {before:?}");
        }
    }
    if read.findings.iter().any(|finding| finding.severity.name() == "quarantine") {
        "set aside"
    } else {
        "read"
    }
}

/// A few dozen through the whole program, all at once: what is good is published, now and by the next run.
#[test]
fn a_run_over_damaged_captures_of_every_source_publishes_what_can_be_used() {
    let (bench, mut dice, mut n) = (bench(), Dice(0xfeed), 0);
    write(&bench, "good/2025-11-01", &good());
    let mut args = vec!["run".to_owned(), "--captures".to_owned(), "statsdb=good".to_owned()];
    for (source, files) in sources() {
        for (day, mutation) in (1..).zip([0, 1, 4, 11, 14, 22, 33]) {
            let (files, _) = mutated(&files, MUTATIONS[mutation], &mut dice);
            write(&bench, &format!("{source}/2025-10-{day:02}"), &files);
            n += 1;
        }
        args.extend(["--captures".to_owned(), format!("{source}={source}")]);
    }
    assert!(n > 100);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (code, report, message) = told(&bench.run(&args));
    assert_eq!(code, Some(65), "{report}{message}");
    assert!(!message.contains("panicked") && !message.contains("aborted"), "{message}");
    assert!(report.contains("is current"), "{report}");
    let sources = published(&bench);
    assert!(sources.contains(&"statsdb".to_owned()), "{sources:?}");
    for refused in report.lines().filter(|line| line.contains("REFUSED")) {
        assert!(refused.contains('`'), "no file is named: {refused}");
    }
    write(&bench, "later/2025-12-01", &files_of(&repository().join("data/sample/statsdb-later/2025-12-01")));
    let (code, report, message) = told(&bench.run(&["run", "--captures", "statsdb=later"]));
    assert!(matches!(code, Some(0 | 76)), "{code:?} {report}{message}");
    let mut status = String::new();
    let _ = write!(status, "{}", bench.ok(&["status"]));
    assert!(status.contains("REFUSED capture rankings"), "{status}");
    bench.ok(&["verify"]);
}
