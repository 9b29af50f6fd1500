"""Which pages are looked at: of a fighter with a long history, his last bout, the next event; of the catalog a table, leaders,
a profile, shots, and what is not there."""

import json
import os
import urllib.parse
import urllib.request

CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync"]


def launch(playwright):
    return playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=CHROMIUM)


def pages(api, fighters=()):
    """Name and address of every page; of the two fighters with the longest histories, or of two by name."""

    def get(path):
        with urllib.request.urlopen(f"{api}/v1/mma/{path}") as answer:
            return json.load(answer)["data"]

    if fighters:
        slug, other = (get(f"fighters?q={urllib.parse.quote(name)}&limit=1")[0]["id"] for name in fighters)
    else:
        slug, other = (one["fighter"]["slug_id"] for one in get("dna/query?metric=bouts_with_stats&limit=2"))
    fighter = get(f"fighters/{slug}?include=history")
    bout = fighter["history"][0]
    upcoming = get("events?status=upcoming&limit=1")
    event = upcoming[0]["id"] if upcoming else bout["event"]["id"]
    middle = fighter["history"][len(fighter["history"]) // 2]["event"]["event_date"]
    return {
        "home": "/",
        "events": "/events",
        "event": f"/events/{event}",
        "fighters": "/fighters?active=true",
        "fighters by class": "/fighters?weight_class=LIGHTWEIGHT&confidence=low",
        "fighter": f"/fighters/{slug}",
        "fighter as of": f"/fighters/{slug}?as_of={middle}&why=sig_landed_per_min",
        "form": f"/fighters/{slug}/form?metric=sig_landed_per_min",
        "rounds": f"/fighters/{slug}/rounds",
        "matchup": f"/matchups/{slug}/{other}",
        "bout": f"/bouts/{bout['bout']['id']}",
        "leaders": "/leaders?metric=td_defense",
        "metrics": "/metrics",
        "metric": "/metrics/td_defense",
        "data": "/data",
        "not found": "/fighters/nobody",
    }


def catalog_pages(api):
    """The same of the multi-sport catalog, of the sports that have data there."""
    with urllib.request.urlopen(f"{api}/health") as answer:
        published = {sport["sport"] for sport in json.load(answer)["data"]["sports"] if sport["captured_until"]}
    found = {
        "sports": "/",
        "sport": "/nhl",
        "standings": "/nhl/standings?season=2024-25",
        "box score": "/nba/game/0022200552/boxscore",
        "line score": "/mlb/game/747175/linescore",
        "win probability": "/nfl/game/2018090600/winprob",
        "team": "/nba/team/1610612739",
        "every column": "/nba/standings?columns=all",
        "leaders": "/nhl/leaders?season=2024-25",
        "shots": "/nhl/game/2024020500/shots",
        "shots of basketball": "/nba/game/0022200552/shotchart",
        "profile": "/wnba/dna/players/3149391?as_of=2024-06-01",
        "profile of a footballer": "/soccer/players/mohamed-salah/dna",
        "leaders with intervals": "/tennis/dna/leaders?metric=ace_rate",
        "table of a day": "/soccer/table?competition=premier-league&season=2024-25&as_of=2025-03-01",
        "what is missing": "/soccer/table",
        "one match": "/soccer/matches/premier-league-2024-25-2024-10-27-arsenal-liverpool",
        "not found": "/nhl/nothing",
    }
    return {name: path for name, path in found.items() if path.split("/")[1].split("?")[0] in published | {""}}
