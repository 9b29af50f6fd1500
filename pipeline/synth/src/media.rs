//! Media of the invented world: rankings, images, articles, headlines, videos.

use serde::Serialize;

use super::SampleFile;
use super::calendar::N_EVENTS;
use super::fighters::{Fighter, roster_place};
use super::later::pass_a_month;
use super::rules::DIVISIONS;
use super::world::{Event, World, build_world};

/// The world as it will be at the next event, which everybody talks about.
pub(super) struct MediaFiles {
    world: World,
}

/// Places of a division that are ranked behind the champion.
const RANKED: usize = 5;

impl MediaFiles {
    pub(super) fn new(seed: u64) -> Self {
        let mut world = build_world(seed);
        pass_a_month(&mut world, seed);
        Self { world }
    }

    fn fighter_at(&self, at: usize) -> &Fighter {
        &self.world.fighters[at]
    }

    fn next_event(&self) -> &Event {
        &self.world.events[N_EVENTS]
    }

    /// The main event's two, as everybody writes them.
    fn headliners(&self) -> [&Fighter; 2] {
        self.next_event().bouts[0].pair.map(|at| self.fighter_at(at))
    }

    /// Two dated snapshots: in the second, the first two contenders of the first division change places.
    pub(super) fn ranking_file(&self) -> SampleFile {
        let mut out = String::from("date,weightclass,fighter,rank\n");
        for (date, is_second) in [("2025-09-30", false), ("2025-10-28", true)] {
            for (number, division) in DIVISIONS.iter().enumerate() {
                for rank in 0..=RANKED {
                    let at = match (number, rank) {
                        (0, 1) if is_second => 3,
                        (0, 2) if is_second => 2,
                        (_, rank) => {
                            if rank == 0 {
                                0
                            } else {
                                rank + 1
                            }
                        }
                    };
                    let name = self.fighter_at(roster_place(number, at)).name();
                    out += &format!("{date},{},{name},{rank}\n", division.name);
                }
            }
        }
        SampleFile { name: "rankings.csv", content: out }
    }

    /// Portraits under a licence, a better one of the first, and one that nobody may show.
    pub(super) fn image_file(&self) -> SampleFile {
        let [first, second] = self.headliners().map(Fighter::name);
        let third = self.fighter_at(roster_place(2, 0)).name();
        let images = [
            Image::portrait(&first, "first", Some("CC BY 4.0"), 640),
            Image::portrait(&first, "first-large", Some("CC BY-SA 4.0"), 1280),
            Image::portrait(&second, "second", Some("CC0 1.0"), 800),
            Image::portrait(&third, "third", None, 800),
        ];
        let content = serde_json::to_string_pretty(&images).unwrap_or_default() + "\n";
        SampleFile { name: "images.json", content }
    }

    /// One published article about the next event, and a draft.
    pub(super) fn article_files(&self) -> [SampleFile; 2] {
        let event = &self.next_event().name;
        let [first, second] = self.headliners().map(Fighter::name);
        let published = format!(
            "---\nslug: the-road-to-number-31\ntitle: The road to number 31\ndek: What the two headliners bring.\n\
             author: Ada Sample\npublished_at: 2025-10-30T09:00:00Z\nupdated_at: 2025-10-31T08:30:00Z\n\
             hero: https://media.example.org/first-large.jpg\ntags: [preview, main-event]\nfighters:\n  - {first}\n  - {second}\n\
             events:\n  - \"{event}\"\n---\n\n{first} meets {second}. Nothing in this article is about a real person.\n"
        );
        let draft = "---\nslug: not-yet\ntitle: Not yet\nauthor: Ada Sample\ntags: []\nstatus: draft\n---\n\nA draft, which nobody is shown.\n";
        [
            SampleFile { name: "not-yet.md", content: draft.to_owned() },
            SampleFile { name: "the-road-to-number-31.md", content: published },
        ]
    }

    /// Two outlets, one of which repeats the other's story.
    pub(super) fn wire_files(&self) -> [SampleFile; 2] {
        let [first, second] = self.headliners().map(Fighter::name);
        let headline = format!("{first} and {second} sign for November");
        let daily = [
            (
                headline.as_str(),
                "https://daily.example.org/sign?utm_source=rss",
                "Thu, 30 Oct 2025 10:00:00 +0000",
            ),
            (
                "Gloves are to be weighed, says nobody",
                "https://daily.example.org/gloves",
                "Wed, 29 Oct 2025 07:30:00 +0000",
            ),
        ];
        let weekly =
            [(headline.as_str(), "https://weekly.example.org/31", "Fri, 31 Oct 2025 06:00:00 +0000")];
        [
            SampleFile {
                name: "daily.xml",
                content: rss_feed("The Sample Daily", "https://daily.example.org", &daily),
            },
            SampleFile {
                name: "weekly.xml",
                content: rss_feed("The Sample Weekly", "https://weekly.example.org", &weekly),
            },
        ]
    }

    /// One channel's feed: a type that a title tells, and one that it does not.
    pub(super) fn video_file(&self) -> SampleFile {
        let [first, second] = self.headliners().map(|fighter| fighter.last.clone());
        let event = self.next_event().name.split(':').next().unwrap_or_default().to_owned();
        let entries = [
            ("sampleVid01", format!("{event}: Weigh-In"), "2025-10-31T18:00:00+00:00"),
            ("sampleVid02", format!("{event} Countdown: {first} vs {second}"), "2025-10-30T18:00:00+00:00"),
            ("sampleVid03", format!("{first} vs {second} | Fight Preview"), "2025-10-29T18:00:00+00:00"),
            ("sampleVid04", "A day at the arena".to_owned(), "2025-10-28T18:00:00+00:00"),
        ];
        SampleFile { name: "channel.xml", content: atom_feed(&entries) }
    }
}

#[derive(Serialize)]
struct Image<'a> {
    subject_name: &'a str,
    kind: &'static str,
    image_url: String,
    card_url: String,
    thumb_url: String,
    license: Option<&'static str>,
    author: Option<&'static str>,
    source_url: Option<String>,
    source_family: &'static str,
    rights_label: Option<&'static str>,
    stored_first_party: bool,
    created_at: &'static str,
    width: u32,
    height: u32,
}

impl<'a> Image<'a> {
    fn portrait(subject: &'a str, file: &str, license: Option<&'static str>, width: u32) -> Self {
        let url = |suffix: &str| format!("https://media.example.org/{file}{suffix}.jpg");
        Self {
            subject_name: subject,
            kind: "portrait",
            image_url: url(""),
            card_url: url("-card"),
            thumb_url: url("-thumb"),
            license,
            author: license.map(|_| "Grace Placeholder"),
            source_url: license.map(|_| format!("https://commons.example.org/{file}")),
            source_family: "sample",
            rights_label: license.map(|_| "free licence"),
            stored_first_party: true,
            created_at: "2025-10-01T00:00:00Z",
            width,
            height: width / 4 * 5,
        }
    }
}

/// Headline, link and time of each item, newest first.
fn rss_feed(title: &str, home: &str, items: &[(&str, &str, &str)]) -> String {
    let item = |(headline, link, time): &(&str, &str, &str)| {
        format!(
            "    <item>\n      <title>{headline}</title>\n      <link>{link}</link>\n      <guid>{link}</guid>\n      \
             <pubDate>{time}</pubDate>\n      <description>Left out by the reader.</description>\n    </item>\n"
        )
    };
    let items: String = items.iter().map(item).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\">\n  <channel>\n    <title>{title}</title>\n    \
         <link>{home}</link>\n    <description>Invented news.</description>\n{items}  </channel>\n</rss>\n"
    )
}

/// Id, title and time of each video, newest first.
fn atom_feed(entries: &[(&str, String, &str)]) -> String {
    const CHANNEL: &str = "UCsampleChannel0000000000";
    let entry = |(id, title, time): &(&str, String, &str)| {
        format!(
            "  <entry>\n    <id>yt:video:{id}</id>\n    <yt:videoId>{id}</yt:videoId>\n    \
             <yt:channelId>{CHANNEL}</yt:channelId>\n    <title>{title}</title>\n    \
             <link rel=\"alternate\" href=\"https://www.youtube.com/watch?v={id}\"/>\n    \
             <author><name>Sample Channel</name></author>\n    <published>{time}</published>\n    \
             <updated>{time}</updated>\n  </entry>\n"
        )
    };
    let body: String = entries.iter().map(entry).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns:yt=\"http://www.youtube.com/xml/schemas/2015\" \
         xmlns=\"http://www.w3.org/2005/Atom\">\n  <id>yt:channel:{CHANNEL}</id>\n  <yt:channelId>{CHANNEL}</yt:channelId>\n  \
         <title>Sample Channel</title>\n  <updated>2025-10-31T18:00:00+00:00</updated>\n{body}</feed>\n"
    )
}
