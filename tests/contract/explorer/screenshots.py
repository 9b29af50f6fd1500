"""Five pictures of pages for the README.

    screenshots.py PAGES API FOLDER
"""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from cast import launch, pages

SHOWN = {"fighter": "light", "matchup": "dark", "leaders": "light", "rounds": "dark", "event": "light"}

base, api, folder = sys.argv[1:4]
Path(folder).mkdir(parents=True, exist_ok=True)
with sync_playwright() as playwright:
    browser = launch(playwright)
    for name, scheme in SHOWN.items():
        page = browser.new_page(viewport={"width": 1100, "height": 640}, color_scheme=scheme)
        page.goto(base + pages(api)[name])
        page.evaluate("document.querySelector('section:has(figure)').scrollIntoView()")
        page.screenshot(path=str(Path(folder) / f"explorer-{name}.png"))
        page.close()
    browser.close()
