"""The explorer in a browser: each page in light and dark, on three widths, with script and without.

No error in the console, no request elsewhere, nothing wider than the screen, no violation by axe, every control reached by
tab, all tables in print, and back and forward keep the day. Two of the combinations a page are looked at, so that all of
them are over the pages; --all looks at every one.

    check.py PAGES API [--all] [--catalog]    --catalog: the pages of `fightdna serve --catalog --explorer`
"""

import itertools
import json
import re
import sys
import time
import urllib.request
from pathlib import Path

import axe_playwright_python
from playwright.sync_api import sync_playwright

from cast import catalog_pages, launch, pages

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
WIDTHS = [320, 768, 1440]
ALL = list(itertools.product(WIDTHS, ["light", "dark"], [True, False]))
CONTROLS = "summary, a[href], button, input:not([type=hidden]), select, [tabindex='0']"
MOST_BYTES = 60 * 1024

problems = []


def look(browser, base, name, path, width, scheme, script):
    where = f"{name}, {width} px, {scheme}, {'script' if script else 'no script'}"
    # axe is run in the page, which allows no script but its own.
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme,
                                  java_script_enabled=script, bypass_csp=False)
    page = context.new_page()
    page.on("console", lambda message: message.type in ("error", "warning") and not message.text.startswith(
        "Failed to load resource: the server responded with a status of 404") and problems.append(f"{where}: {message.text}"))
    page.on("pageerror", lambda error: problems.append(f"{where}: {error}"))
    page.on("request", lambda request: request.url.startswith(base) or problems.append(f"{where}: asks {request.url}"))
    answer = page.goto(base + path)
    expected = 404 if name == "not found" else 200
    if answer.status != expected:
        problems.append(f"{where}: status {answer.status}")
    if "default-src 'none'" not in answer.headers.get("content-security-policy", ""):
        problems.append(f"{where}: no content security policy")
    # What is evaluated from outside is run even where the page may run nothing.
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        problems.append(f"{where}: {wide} px wide")
    unreached = page.evaluate(
        "(controls) => [...document.querySelectorAll(controls)].filter((one) => one.tabIndex < 0 && !one.closest('[hidden]'))"
        ".map((one) => one.outerHTML.slice(0, 90))", CONTROLS)
    problems.extend(f"{where}: not by tab: {one}" for one in unreached)
    if script:
        page.evaluate(AXE)
        found = page.evaluate("(tags) => axe.run(document, {runOnly: tags})", TAGS)
        problems.extend(f"{where}: {one['id']}, {len(one['nodes'])} times: {one['nodes'][0]['html'][:160]}"
                        for one in found["violations"])
    pictures = page.locator("svg.picture").count()
    page.emulate_media(media="print")
    tables, shown = page.locator("table").count(), page.locator("table:visible").count()
    if tables != shown or (pictures and not tables):
        problems.append(f"{where}: print shows {shown} of {tables} tables beside {pictures} pictures")
    context.close()


def tab(browser, base, path):
    """Tab goes through every control in the order of the page."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(base + path)
    controls = page.evaluate("(controls) => [...document.querySelectorAll(controls)].filter((one) => one.checkVisibility()).length", CONTROLS)
    reached = set()
    # A field for a day has a stop for each of its parts.
    for _ in range(min(controls, 60) + 16):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("(() => { const one = document.activeElement; one.dataset.tab ??= Math.random(); return one.dataset.tab })()"))
    if len(reached) < min(controls, 60):
        problems.append(f"tab: {len(reached)} of {controls} controls of {path}")
    page.close()


def numbers(value):
    """All numbers of an answer, as pages write them."""
    if isinstance(value, (dict, list)):
        inside = value.values() if isinstance(value, dict) else value
        return set().union(*map(numbers, inside)) if inside else set()
    return {f"{value:.3f}"} if isinstance(value, (int, float)) and not isinstance(value, bool) else set()


def numbers_are_of_the_api(browser, base, api, path):
    """Every number in a table or a picture is one that the route answers."""
    page = browser.new_page()
    page.goto(base + path)
    table = page.locator("td.n").all_inner_texts()
    drawn = page.locator("svg .number").all_text_contents()
    page.close()
    with urllib.request.urlopen(api + path + ("&" if "?" in path else "?") + "limit=50") as answer:
        known = numbers(json.load(answer)["data"])
    for text in table + [text.split(" ")[0] for text in drawn]:
        if re.fullmatch(r"-?[0-9.]+", text) and f"{float(text):.3f}" not in known:
            problems.append(f"{path}: {text} is no number of the API")
    if not table or not drawn:
        problems.append(f"{path}: {len(table)} numbers in tables, {len(drawn)} in pictures")


def day_is_kept(browser, base, path):
    """Back and forward keep the day that was asked."""
    page = browser.new_page()
    page.goto(base + path)
    page.fill("#as_of", "2024-06-01")
    page.click("form.ask button")
    page.wait_for_url("**as_of=2024-06-01**")
    page.click("a:has-text('Rounds and splits')")
    page.wait_for_url("**/rounds?as_of=2024-06-01")
    page.go_back()
    if page.input_value("#as_of") != "2024-06-01":
        problems.append(f"back: the day is {page.input_value('#as_of')!r}")
    page.go_back()
    page.go_forward()
    if page.input_value("#as_of") != "2024-06-01":
        problems.append(f"forward: the day is {page.input_value('#as_of')!r}")
    page.close()


def suggestions(browser, base, name):
    """What is typed is found, and leads there."""
    page = browser.new_page()
    page.goto(base + "/")
    page.type("#search", name[:5])
    page.wait_for_selector("#suggest a")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/fighters/**")
    page.close()


def main():
    base, api = sys.argv[1:3]
    begun = time.monotonic()
    is_catalog = "--catalog" in sys.argv
    all_pages = (catalog_pages if is_catalog else pages)(api)
    looked = 0
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for place, (name, path) in enumerate(all_pages.items()):
            combinations = ALL if "--all" in sys.argv else [ALL[(2 * place + n * 7) % len(ALL)] for n in range(2)]
            for width, scheme, script in combinations:
                look(browser, base, name, path, width, scheme, script)
                looked += 1
        tab(browser, base, all_pages["leaders"])
        if is_catalog:
            numbers_are_of_the_api(browser, base, api, all_pages["leaders with intervals"])
        else:
            tab(browser, base, all_pages["fighter"])
            day_is_kept(browser, base, all_pages["fighter"])
            suggestions(browser, base, all_pages["fighter"].split("/")[2])
        browser.close()
    print(f"{looked} looks at {len(all_pages)} pages in {time.monotonic() - begun:.0f} s, {len(problems)} problems")
    for problem in problems[:60]:
        print(problem, file=sys.stderr)
    sys.exit(1 if problems else 0)


main()
