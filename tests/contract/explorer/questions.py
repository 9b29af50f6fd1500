"""Questions of analysts and fans, answered by clicking from the first page: three clicks at most. A form that is filled and
sent is one click; three questions about a game of the past begin on its page. What the pages say is compared with the API,
or with what is on public record.

    questions.py PAGES API [--catalog]    PAGES and API serve all real captures
"""

import json
import sys
import urllib.parse
import urllib.request

from playwright.sync_api import sync_playwright

from cast import launch

MOST_CLICKS = 3


class Visit:
    """A visitor on the first page."""

    def __init__(self, browser, base, api):
        self.page = browser.new_page(viewport={"width": 1280, "height": 900})
        self.page.goto(base + "/")
        self.api = api
        self.clicks = 0

    def get(self, path):
        with urllib.request.urlopen(self.api + path) as answer:
            return json.load(answer)["data"]

    def click(self, text, within="main, nav", exact=True):
        self.clicks += 1
        places = self.page.locator(within).get_by_role("link", name=text, exact=exact)
        places.first.click()
        return self

    def unfold(self, heading):
        self.clicks += 1
        self.page.locator("summary", has_text=heading).first.click()
        return self

    def send(self, **fields):
        """Fills a form and sends it."""
        self.clicks += 1
        form = self.page.locator("form.ask").first
        for name, value in fields.items():
            field = form.locator(f"[name={name}]")
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        form.get_by_role("button").click()
        return self

    def suggested(self, typed, name):
        """Types into the search field and takes a suggestion."""
        self.clicks += 1
        self.page.type("#search", typed)
        self.page.locator("#suggest a", has_text=name).first.click()
        self.page.wait_for_selector("h1")
        return self

    def section(self, name):
        return self.page.locator(f"section#{name}").inner_text()

    def text(self):
        return self.page.locator("main").inner_text()

    def row(self, *texts):
        """The text of the first row of a table that holds these."""
        for row in self.page.locator("main tr").all():
            text = row.inner_text()
            if all(part in text for part in texts):
                return text
        raise AssertionError(f"no row has {texts} on {self.page.url}")


def need(what, *parts):
    for part in parts:
        assert str(part) in what, f"`{part}` is not in {what[:600]!r}"


# Fight DNA, of an analyst.

def who_defends_takedowns_best_at_lightweight(visit):
    visit.click("Leaders").send(metric="td_defense", weight_class="LIGHTWEIGHT", as_of="2016-07-01")
    first = visit.get("/v1/mma/dna/query?metric=td_defense&weight_class=LIGHTWEIGHT&as_of=2016-07-01&min_confidence=medium"
                      "&active=true&limit=1")[0]
    need(visit.page.locator("main tbody tr").first.inner_text(), first["fighter"]["name"])


def how_sure_is_it_that_the_first_leads(visit):
    visit.click("Leaders").send(metric="td_defense", weight_class="LIGHTWEIGHT")
    need(visit.page.locator("main thead").first.inner_text(), "90 %")


def what_was_the_record_of_jones_on_the_day_he_met_cormier(visit):
    visit.suggested("jon jones", "Jon Jones").send(as_of="2015-01-03")
    record = visit.get(f"/v1/mma/fighters/{visit.page.url.split('/')[-1].split('?')[0]}/record?as_of=2015-01-03")["record"]
    need(visit.text(), f"{record['wins']}-{record['losses']}-{record['draws']}")


def which_bouts_make_his_takedown_defence(visit):
    visit.suggested("jon jones", "Jon Jones").unfold("Grappling defence").click("Takedown defence", exact=False)
    need(visit.text(), "Takedown defence")


def has_his_pace_risen(visit):
    visit.suggested("holloway", "Max Holloway").click("Over time").send(metric="sig_landed_per_min")
    need(visit.text(), "Significant strikes landed")
    assert visit.page.locator("svg.picture").count() >= 1


def does_he_fade_in_later_rounds(visit):
    visit.suggested("holloway", "Max Holloway").click("Rounds and splits")
    need(visit.text(), "Bouts whose rounds 1 and 3 were both full")


def does_he_fight_southpaws_differently(visit):
    visit.suggested("holloway", "Max Holloway").click("Rounds and splits")
    need(visit.text(), "By opponent stance")


def what_sets_two_of_the_next_card_apart(visit):
    visit.click("compare")
    need(visit.text(), "Tale of the tape")


def why_is_a_difference_not_stated(visit):
    visit.click("compare")
    need(visit.text(), "What is withheld, and why")


def what_is_a_metric_worth(visit):
    visit.click("Metrics").click("Takedown defence")
    need(visit.text(), "Out-of-time R²")


# Of a fan.

def who_is_champion(visit):
    held = [title for title in visit.get("/v1/mma/champions") if title["champion"]["status"] == "held"]
    need(visit.section("champions"), *(title["champion"]["fighter"]["name"] for title in held))


def who_fights_next(visit):
    event = visit.get("/v1/mma/events?status=upcoming&has_bouts=true&limit=1")[0]
    bouts = visit.get(f"/v1/mma/events/{event['id']}/card")["bouts"]
    need(visit.section("next"), event["name"], *(bout["fighter_a"]["name"] for bout in bouts))


def who_won_the_main_event_and_how(visit):
    visit.suggested("ufc 300", "UFC 300")
    need(visit.text(), "Alex Pereira defeats Jamahal Hill, KO/TKO")


def how_did_mcgregor_beat_aldo(visit):
    visit.suggested("mcgregor", "Conor McGregor").unfold("bouts").click("2015-12-12")
    need(visit.text(), "Conor McGregor defeats Jose Aldo", "0:13", "undisputed title")


def what_is_the_record_of_a_fighter(visit):
    visit.suggested("khabib", "Khabib Nurmagomedov")
    need(visit.text(), "29-0-0")


def how_did_his_last_five_bouts_end(visit):
    visit.suggested("holloway", "Max Holloway")
    history = visit.get(f"/v1/mma/fighters/{visit.page.url.split('/')[-1]}/history?limit=5")
    for bout in history:
        visit.row(bout["event"]["event_date"], bout["opponent"]["name"])


def what_does_she_do_best(visit):
    visit.suggested("zhang wei", "Zhang Weili")
    need(visit.text(), "Strengths")


def who_leads_a_class(visit):
    visit.click("Leaders").send(metric="house_rating", weight_class="HEAVYWEIGHT")
    first = visit.get("/v1/mma/dna/query?metric=house_rating&weight_class=HEAVYWEIGHT&min_confidence=medium&active=true&limit=1")
    need(visit.page.locator("main tbody tr").first.inner_text(), first[0]["fighter"]["name"])


def which_events_were_in_a_year(visit):
    visit.click("Events").send(**{"from": "2020-01-01", "to": "2020-12-31"})
    newest = visit.get("/v1/mma/events?from=2020-01-01&to=2020-12-31&limit=1")[0]
    need(visit.text(), newest["event_date"], newest["name"])


def what_changed_last(visit):
    change = visit.get("/v1/mma/changes?since=" + visit.get("/v1/mma/counts")["known_until"] + "&limit=1")
    need(visit.section("changes"), *(one["summary"] for one in change))


# The catalog, of both.

def who_leads_the_east(visit):
    first = visit.get("/nba/standings?limit=1")[0]
    visit.click("NBA")
    need(visit.row(first["team"]["name"], f"{first['w']}\t{first['l']}"), f".{round(first['pct'] * 1000):03d}")


def who_won_the_newest_game(visit):
    day = visit.get("/nba/standings?limit=1")[0]["as_of"]
    game = visit.get(f"/nba/schedule?date={day}&limit=1")[0]
    score = f"{game['away']['score']}–{game['home']['score']}"
    visit.row(game["away"]["name"], score, game["home"]["name"])
    visit.click(score)
    need(visit.page.locator("h1").inner_text(), f"{game['away']['name']} {game['away']['score']}, {game['home']['name']}")


def who_scored_most_in_a_game(visit):
    visit.page.goto(visit.page.url + "nba/game/0022200552/summary")
    visit.click("Box score")
    best = max(visit.get("/nba/game/0022200552/boxscore")["players"], key=lambda player: player["points"] or 0)
    visit.row(best["player_name"], f"\t{best['points']}\t")


def where_were_the_shots_of_a_game(visit):
    visit.page.goto(visit.page.url + "nba/game/0022200552/summary")
    visit.click("Shot chart")
    need(visit.page.locator("svg.picture").first.inner_html(), "ground-line")


def how_did_the_chances_to_win_go(visit):
    visit.page.goto(visit.page.url + "nfl/game/2018090600")
    visit.click("Win probability")
    need(visit.page.locator("svg.picture").first.inner_html(), "polyline", "100 %")


def who_won_wimbledon(visit):
    visit.click("Tennis").click("Wimbledon")
    need(visit.text(), "Carlos Alcaraz", "Barbora Krejcikova")


def who_leads_the_premier_league(visit):
    first = visit.get("/soccer/table?competition=premier-league&limit=1")[0]
    visit.click("Soccer")
    need(visit.row(first["team_name"], str(first["points"])), first["played"])


def how_good_is_a_tennis_player(visit):
    first = visit.get("/tennis/rankings?limit=1")[0]["player_name"]
    visit.click(first).click("DNA")
    need(visit.page.locator("h1").inner_text(), first)
    assert visit.page.locator("svg.picture").count() >= 1


def who_leads_a_division_of_the_nfl(visit):
    visit.click("NFL")
    first = visit.get("/nfl/standings?limit=1")[0]
    need(visit.text(), f"{first['conference']} {first['division']}", first["team"]["name"])


def how_many_home_runs_has_a_batter(visit):
    visit.click("MLB").click("Season (an example)")
    line = visit.get("/mlb/player/592450/stats")
    need(visit.text(), line["player_name"], line["batting"]["home_runs"])


def how_is_a_number_stated_and_by_whom(visit):
    visit.click("NHL").click("Standings").unfold("About this page")
    need(visit.text(), "Licence", "The same as JSON: /nhl/standings")


MMA = [
    who_defends_takedowns_best_at_lightweight, how_sure_is_it_that_the_first_leads,
    what_was_the_record_of_jones_on_the_day_he_met_cormier, which_bouts_make_his_takedown_defence, has_his_pace_risen,
    does_he_fade_in_later_rounds, does_he_fight_southpaws_differently, what_sets_two_of_the_next_card_apart,
    why_is_a_difference_not_stated, what_is_a_metric_worth, who_is_champion, who_fights_next, who_won_the_main_event_and_how,
    how_did_mcgregor_beat_aldo, what_is_the_record_of_a_fighter, how_did_his_last_five_bouts_end, what_does_she_do_best,
    who_leads_a_class, which_events_were_in_a_year, what_changed_last,
]
CATALOG = [
    who_leads_the_east, who_won_the_newest_game, who_scored_most_in_a_game, where_were_the_shots_of_a_game, how_did_the_chances_to_win_go,
    who_won_wimbledon, who_leads_the_premier_league, how_good_is_a_tennis_player, who_leads_a_division_of_the_nfl,
    how_many_home_runs_has_a_batter, how_is_a_number_stated_and_by_whom,
]


def main():
    base, api = sys.argv[1:3]
    questions = CATALOG if "--catalog" in sys.argv else MMA
    problems = []
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for question in questions:
            visit = Visit(browser, base, api)
            try:
                question(visit)
                if visit.clicks > MOST_CLICKS:
                    problems.append(f"{question.__name__}: {visit.clicks} clicks")
            except Exception as error:  # whatever it is, the question has no answer
                problems.append(f"{question.__name__}, {visit.page.url}: {str(error)[:700]}")
            visit.page.close()
        browser.close()
    print(f"{len(questions)} questions by clicking, {len(problems)} without an answer")
    for problem in problems:
        print(problem, file=sys.stderr)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
