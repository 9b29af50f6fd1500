// `/docs` in a browser, wide and narrow, light and dark: no violation by axe, nothing wider than the screen, and all
// there without script.
//   node check.mjs URL    needs Chromium at CHROMIUM, or /usr/bin/chromium
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
const problems = [];

for (const width of [1440, 390]) {
  for (const colorScheme of ["light", "dark"]) {
    const where = `${width} px, ${colorScheme}`;
    // axe is run in the page, which allows no script but its own.
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
    const page = await context.newPage();
    page.on("pageerror", (error) => problems.push(`${where}: ${error.message}`));
    await page.goto(`${process.argv[2]}/docs`);
    if (width === 390) await page.click("label[for=menu]");
    await page.addScriptTag({ content: axe });
    const { violations } = await page.evaluate(() => axe.run(document));
    for (const { id, nodes } of violations) problems.push(`${where}: ${id}, ${nodes.length} times: ${nodes[0].html}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > width) problems.push(`${where}: ${wide} px wide`);
    await context.close();
  }
}

const context = await browser.newContext({ viewport: { width: 390, height: 900 }, javaScriptEnabled: false });
const page = await context.newPage();
await page.goto(`${process.argv[2]}/docs#fighter_dna`);
if (!(await page.locator("#fighter_dna").isVisible())) problems.push("without script: #fighter_dna is not shown");
await page.locator("label[for=menu]").click();
if (!(await page.locator("nav a[href='#errors']").isVisible())) problems.push("without script: no contents");
await browser.close();

problems.forEach((problem) => console.error(problem));
process.exit(problems.length ? 1 : 0);
