//! Zones that a calendar names: those of the IANA, by whatever path; those that it defines itself; and the commonest
//! that Windows names.

use chrono::{
    DateTime, Datelike as _, FixedOffset, NaiveDate, NaiveDateTime, TimeDelta, TimeZone as _, Utc, Weekday,
};
use chrono_tz::Tz;
use icalendar::parser::Component;

use super::property::value;

/// The names of Windows and the zone of each in its main territory (CLDR, `windowsZones`).
const OF_WINDOWS: [(&str, Tz); 33] = [
    ("alaskan standard time", Tz::America__Anchorage),
    ("arab standard time", Tz::Asia__Riyadh),
    ("arabian standard time", Tz::Asia__Dubai),
    ("argentina standard time", Tz::America__Argentina__Buenos_Aires),
    ("atlantic standard time", Tz::America__Halifax),
    ("aus eastern standard time", Tz::Australia__Sydney),
    ("central america standard time", Tz::America__Guatemala),
    ("central europe standard time", Tz::Europe__Budapest),
    ("central european standard time", Tz::Europe__Warsaw),
    ("central standard time", Tz::America__Chicago),
    ("central standard time (mexico)", Tz::America__Mexico_City),
    ("china standard time", Tz::Asia__Shanghai),
    ("e. australia standard time", Tz::Australia__Brisbane),
    ("e. south america standard time", Tz::America__Sao_Paulo),
    ("eastern standard time", Tz::America__New_York),
    ("fle standard time", Tz::Europe__Kiev),
    ("gmt standard time", Tz::Europe__London),
    ("gtb standard time", Tz::Europe__Bucharest),
    ("hawaiian standard time", Tz::Pacific__Honolulu),
    ("india standard time", Tz::Asia__Kolkata),
    ("korea standard time", Tz::Asia__Seoul),
    ("mountain standard time", Tz::America__Denver),
    ("new zealand standard time", Tz::Pacific__Auckland),
    ("pacific standard time", Tz::America__Los_Angeles),
    ("romance standard time", Tz::Europe__Paris),
    ("russian standard time", Tz::Europe__Moscow),
    ("sa pacific standard time", Tz::America__Bogota),
    ("singapore standard time", Tz::Asia__Singapore),
    ("south africa standard time", Tz::Africa__Johannesburg),
    ("tokyo standard time", Tz::Asia__Tokyo),
    ("turkey standard time", Tz::Europe__Istanbul),
    ("us mountain standard time", Tz::America__Phoenix),
    ("w. europe standard time", Tz::Europe__Berlin),
];

/// The zones of one calendar.
#[derive(Debug, Default)]
pub(super) struct CalendarZones {
    /// Those that it defines, by name.
    defined: Vec<(String, CalendarZone)>,
}

#[derive(Debug, Clone)]
enum CalendarZone {
    Known(Tz),
    Defined(Vec<Observance>),
}

/// A span of time with one offset, or one in each year.
#[derive(Debug, Clone)]
struct Observance {
    /// On the clock that held until then.
    first: NaiveDateTime,
    before: FixedOffset,
    offset: FixedOffset,
    yearly: Option<YearlyOnset>,
}

/// A day of each year, such as the second Sunday of March.
#[derive(Debug, Clone)]
struct YearlyOnset {
    month: u32,
    weekday: Weekday,
    /// From the end of the month where negative.
    nth: i32,
    until: Option<NaiveDateTime>,
}

impl CalendarZones {
    pub(super) fn of(roots: &[Component<'_>]) -> Self {
        let zones = roots.iter().flat_map(|root| &root.components).filter(|part| part.name == "VTIMEZONE");
        let defined = zones.filter_map(|zone| {
            let location = value(zone, "X-LIC-LOCATION").and_then(|name| by_iana(&name));
            let own = || observances(zone).map(CalendarZone::Defined);
            Some((value(zone, "TZID")?, location.map(CalendarZone::Known).or_else(own)?))
        });
        Self { defined: defined.collect() }
    }

    /// The instant at which clocks of this zone show a time, the first of two; `None` where the zone is not known.
    pub(super) fn instant(&self, zone: &str, local: NaiveDateTime) -> Option<DateTime<Utc>> {
        let zone = zone.trim().trim_matches('"');
        let defined = || self.defined.iter().find(|(name, _)| name == zone).map(|(_, zone)| zone.clone());
        let of_windows = || {
            let name = zone.to_lowercase();
            OF_WINDOWS.iter().find(|(own, _)| *own == name).map(|(_, zone)| CalendarZone::Known(*zone))
        };
        match by_iana(zone).map(CalendarZone::Known).or_else(defined).or_else(of_windows)? {
            CalendarZone::Known(zone) => shown(zone, local),
            CalendarZone::Defined(observances) => {
                let offset = offset_at(&observances, local)?;
                offset.from_local_datetime(&local).single().map(|at| at.to_utc())
            }
        }
    }
}

/// When clocks of a zone show a time. One that they pass over is counted from before, as RFC 5545 has it.
pub(super) fn shown(zone: Tz, local: NaiveDateTime) -> Option<DateTime<Utc>> {
    let hour = TimeDelta::hours(1);
    let skipped =
        || zone.from_local_datetime(&local.checked_sub_signed(hour)?).earliest()?.checked_add_signed(hour);
    zone.from_local_datetime(&local).earliest().or_else(skipped).map(|at| at.to_utc())
}

/// `America/Denver`, alone or behind a path, as some programs write it.
fn by_iana(name: &str) -> Option<Tz> {
    let parts: Vec<&str> = name.split('/').filter(|part| !part.is_empty()).collect();
    let tail = |n: usize| parts.get(parts.len().checked_sub(n)?..)?.join("/").parse().ok();
    if name.starts_with('/') { tail(3).or_else(|| tail(2)) } else { name.parse().ok() }
}

/// What a zone is made of; `None` where that is more than two changes a year.
fn observances(zone: &Component<'_>) -> Option<Vec<Observance>> {
    let read = |part: &Component<'_>| {
        let first = NaiveDateTime::parse_from_str(&value(part, "DTSTART")?, "%Y%m%dT%H%M%S").ok()?;
        if part.find_prop("RDATE").is_some() {
            return None;
        }
        let yearly = match value(part, "RRULE") {
            Some(rule) => Some(yearly(&rule)?),
            None => None,
        };
        let offset = |name: &str| offset(&value(part, name)?);
        Some(Observance { first, before: offset("TZOFFSETFROM")?, offset: offset("TZOFFSETTO")?, yearly })
    };
    let read: Option<Vec<_>> = zone.components.iter().map(read).collect();
    read.filter(|all| !all.is_empty())
}

/// `-0500`.
fn offset(text: &str) -> Option<FixedOffset> {
    let (sign, digits) = text.split_at_checked(1)?;
    let sign = match sign {
        "+" => 1,
        "-" => -1,
        _ => return None,
    };
    if !matches!(digits.len(), 4 | 6) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (hours, minutes): (i32, i32) = (digits[..2].parse().ok()?, digits[2..4].parse().ok()?);
    FixedOffset::east_opt(sign * (hours * 3600 + minutes * 60))
}

/// `FREQ=YEARLY;BYMONTH=3;BYDAY=2SU`.
fn yearly(rule: &str) -> Option<YearlyOnset> {
    let (mut month, mut day, mut until) = (None, None, None);
    for part in rule.split(';') {
        match part.split_once('=')? {
            ("FREQ", "YEARLY") | ("INTERVAL", "1") | ("WKST", _) => {}
            ("BYMONTH", n) => month = Some(n.parse().ok().filter(|n| (1..=12).contains(n))?),
            ("BYDAY", text) => {
                let (nth, weekday) = text.split_at_checked(text.len().checked_sub(2)?)?;
                let weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
                let place = weekdays.iter().position(|name| *name == weekday)?;
                let nth: i32 = nth.trim_start_matches('+').parse().ok()?;
                let weekday = Weekday::try_from(u8::try_from(place).ok()?).ok()?;
                day = Some((weekday, nth)).filter(|_| nth != 0 && nth.abs() <= 5);
            }
            ("UNTIL", text) => {
                let text = text.trim_end_matches('Z');
                until = Some(NaiveDateTime::parse_from_str(text, "%Y%m%dT%H%M%S").ok()?);
            }
            _ => return None,
        }
    }
    let (weekday, nth) = day?;
    Some(YearlyOnset { month: month?, weekday, nth, until })
}

impl YearlyOnset {
    fn day(&self, year: i32) -> Option<NaiveDate> {
        let n = u8::try_from(self.nth.abs()).ok()?;
        if self.nth > 0 {
            return NaiveDate::from_weekday_of_month_opt(year, self.month, self.weekday, n);
        }
        let days = (1..=5).rev();
        let mut of_month =
            days.filter_map(|n| NaiveDate::from_weekday_of_month_opt(year, self.month, self.weekday, n));
        of_month.nth(usize::from(n) - 1)
    }
}

/// The offset of the observance that began last; before all of them, what held until the first.
fn offset_at(observances: &[Observance], local: NaiveDateTime) -> Option<FixedOffset> {
    let onsets = observances.iter().flat_map(|one| {
        let years = [local.year() - 1, local.year()];
        let yearly = one.yearly.iter().flat_map(move |rule| {
            let onset = move |year| Some(rule.day(year)?.and_time(one.first.time()));
            let until = rule.until.unwrap_or(NaiveDateTime::MAX);
            years.into_iter().filter_map(onset).filter(move |at| *at >= one.first && *at <= until)
        });
        yearly.chain([one.first]).map(move |at| (at, one))
    });
    let last = onsets.filter(|(at, _)| *at <= local).max_by_key(|(at, _)| *at);
    let first = || observances.iter().min_by_key(|one| one.first).map(|one| one.before);
    last.map(|(_, one)| one.offset).or_else(first)
}

#[cfg(test)]
mod tests {
    use icalendar::parser::read_calendar_simple;
    use proptest::prelude::*;

    use super::*;

    const OUTLOOK: &str = "BEGIN:VCALENDAR\r\nBEGIN:VTIMEZONE\r\nTZID:Custom\r\nBEGIN:STANDARD\r\n\
        DTSTART:16010101T020000\r\nTZOFFSETFROM:-0400\r\nTZOFFSETTO:-0500\r\nRRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11\r\n\
        END:STANDARD\r\nBEGIN:DAYLIGHT\r\nDTSTART:16010101T020000\r\nTZOFFSETFROM:-0500\r\nTZOFFSETTO:-0400\r\n\
        RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\nEND:VCALENDAR\r\n";

    fn zones(text: &str) -> CalendarZones {
        CalendarZones::of(&read_calendar_simple(text).unwrap())
    }

    fn at(zones: &CalendarZones, zone: &str, local: &str) -> Option<String> {
        let local = NaiveDateTime::parse_from_str(local, "%Y-%m-%dT%H:%M").unwrap();
        zones.instant(zone, local).map(|at| at.format("%Y-%m-%dT%H:%MZ").to_string())
    }

    #[test]
    fn zones_are_known_by_the_names_that_programs_give_them() {
        let none = CalendarZones::default();
        let read = |zone| at(&none, zone, "2025-05-03T20:00").unwrap_or_default();
        for denver in [
            "America/Denver",
            "\"America/Denver\"",
            "/mozilla.org/20070129_1/America/Denver",
            "Mountain Standard Time",
        ] {
            assert_eq!(read(denver), "2025-05-04T02:00Z", "{denver}");
        }
        assert_eq!(read("/x/America/Argentina/Buenos_Aires"), "2025-05-03T23:00Z");
        assert_eq!([read("UTC"), read("Etc/UTC")], ["2025-05-03T20:00Z"; 2]);
        assert_eq!(["", "Mars/Base", "Eastern", "/Denver"].map(read), [""; 4]);
    }

    #[test]
    fn a_zone_that_the_calendar_defines_is_its_own() {
        let zones = zones(OUTLOOK);
        for (local, utc) in [
            ("2026-03-08T01:59", "2026-03-08T06:59Z"),
            ("2026-03-08T03:00", "2026-03-08T07:00Z"),
            ("2026-07-04T20:00", "2026-07-05T00:00Z"),
            ("2026-10-31T20:00", "2026-11-01T00:00Z"),
            ("2026-11-01T20:00", "2026-11-02T01:00Z"),
            ("2026-01-01T00:00", "2026-01-01T05:00Z"),
        ] {
            assert_eq!(at(&zones, "Custom", local).as_deref(), Some(utc), "{local}");
        }
        let located = OUTLOOK.replace("TZID:Custom", "TZID:Custom\r\nX-LIC-LOCATION:Asia/Tokyo");
        assert_eq!(
            at(&self::zones(&located), "Custom", "2026-07-04T20:00").as_deref(),
            Some("2026-07-04T11:00Z")
        );
    }

    #[test]
    fn a_zone_that_is_not_plain_is_not_guessed() {
        for (from, to) in [
            ("FREQ=YEARLY;BYDAY=2SU;BYMONTH=3", "FREQ=YEARLY;BYMONTHDAY=8;BYMONTH=3"),
            ("BYDAY=2SU", "BYDAY=SU"),
            ("TZOFFSETTO:-0400", "TZOFFSETTO:four"),
            ("RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3", "RDATE:20260308T020000"),
        ] {
            let text = OUTLOOK.replace(from, to);
            assert_ne!(text, OUTLOOK);
            assert_eq!(at(&zones(&text), "Custom", "2026-07-04T20:00"), None, "{to}");
        }
    }

    #[test]
    fn a_time_that_clocks_show_twice_is_the_first_and_one_that_they_skip_is_counted_from_before() {
        let none = CalendarZones::default();
        let york = |local| at(&none, "America/New_York", local).unwrap();
        assert_eq!(york("2026-11-01T01:30"), "2026-11-01T05:30Z");
        assert_eq!(york("2026-03-08T02:30"), "2026-03-08T07:30Z");
    }

    proptest! {
        #[test]
        fn no_zone_makes_it_panic(name in "(/|[A-Z][a-z]{0,6}){0,6}|\\PC{0,12}", rule in "(FREQ=YEARLY|BYDAY=-?[0-9]{0,2}(SU|MO|X)|BYMONTH=[0-9]{0,3}|UNTIL=[0-9TZ]{0,16}|;){0,6}",
            offset in "[+-]?[0-9]{0,7}|\\PC{0,4}") {
            let text = OUTLOOK.replace("FREQ=YEARLY;BYDAY=2SU;BYMONTH=3", &rule).replace("TZOFFSETTO:-0400", &format!("TZOFFSETTO:{offset}"));
            let zones = read_calendar_simple(&text).map(|roots| CalendarZones::of(&roots)).unwrap_or_default();
            for name in [&name[..], "Custom"] {
                for local in [NaiveDateTime::MIN, NaiveDateTime::MAX, NaiveDateTime::default()] {
                    zones.instant(name, local);
                }
            }
        }
    }
}
