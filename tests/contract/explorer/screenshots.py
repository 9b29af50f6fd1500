"""Five pictures of pages for the README and the book, from a lake of real captures: percentiles need classes of 30 fighters.

    screenshots.py PAGES API FOLDER    FIGHTDNA_EXPLORER_FIGHTERS="NAME,NAME" chooses the two fighters
"""

import os
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from cast import launch, pages

SHOWN = {"fighter": "light", "matchup": "dark", "leaders": "light", "rounds": "dark", "event": "light"}

base, api, folder = sys.argv[1:4]
fighters = os.environ.get("FIGHTDNA_EXPLORER_FIGHTERS", "")
Path(folder).mkdir(parents=True, exist_ok=True)
with sync_playwright() as playwright:
    browser = launch(playwright)
    for name, scheme in SHOWN.items():
        page = browser.new_page(viewport={"width": 1200, "height": 640}, color_scheme=scheme)
        page.goto(base + pages(api, fighters.split(",") if fighters else ())[name])
        page.evaluate("document.querySelector('section:has(figure) details')?.setAttribute('open', '')")
        page.evaluate("document.querySelector('section:has(figure)').scrollIntoView()")
        page.screenshot(path=str(Path(folder) / f"explorer-{name}.png"))
        page.close()
    browser.close()
