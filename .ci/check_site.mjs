// Open every page of the built documentation in headless Chromium, at three widths, light
// and dark, and print what a reader could not read: run by .ci/check_site.
//
// Found are elements wider than their column or cut off, code and tables that scroll at
// 1280 px, text under 11 px, pictures without a text, findings of axe-core that are
// serious or critical (contrast among them), links and anchors that lead nowhere, errors
// of scripts, and whatever is fetched from a network.

import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL, fileURLToPath } from "node:url";

const require = createRequire(path.resolve("build/site/package.json"));
const { chromium } = require("playwright-core");
const AXE = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const WIDTHS = [1280, 768, 390];
const WIDTHS_OF_AXE = [1280, 390]; // the theme has the same layout at 768 as at 390
const THEMES = ["light", "dark"];
const SMALLEST_TEXT = 11; // px
const AT_ONCE = 3; // pages
const FLAGS = ["--disable-gpu", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

const ROOT = path.resolve(process.argv[2]);
const ONLY = process.argv[3]; // a part of the names of the pages to look at
// Pages that are alike, of which some are opened; all links are checked.
const isApi = (name) => name.startsWith("generated/");
const isListing = (name) => name === "genindex.html";

function pagesIn(folder) {
  return fs.readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".html") && !name.startsWith("_static"))
    .sort();
}

// In the page ---------------------------------------------------------------------------

/** What does not fit at this width, as [rule, where] pairs. */
function misfits({ width, smallest }) {
  const found = [];
  const name = (element) => {
    const classes = [...element.classList].slice(0, 2).map((one) => `.${one}`).join("");
    const text = element.textContent.trim().replace(/\s+/g, " ").slice(0, 40);
    return `${element.tagName.toLowerCase()}${classes} "${text}"`;
  };
  const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
  const isForReadersOnly = (element) => getComputedStyle(element).position === "absolute";
  const clips = (element) =>
    /hidden|clip/.test(getComputedStyle(element).overflowX) && !isForReadersOnly(element);

  const sticksOut = (element) =>
    !isForReadersOnly(element)
    && [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE)
    && element.getBoundingClientRect().left + element.scrollWidth > column.right + 1;

  if (document.documentElement.scrollWidth > width + 1)
    found.push(["page wider than the window", `${document.documentElement.scrollWidth} px`]);

  for (const element of document.querySelectorAll("header *, footer *")) {
    const box = element.getBoundingClientRect();
    if (isShown(element) && box.width && (box.right > width + 1 || box.left < -1))
      found.push(["outside the window", name(element)]);
  }
  const article = document.querySelector("article") ?? document.body;
  const column = article.getBoundingClientRect();
  const skipped = new Set(); // inside of what scrolls, or reported
  for (const element of article.querySelectorAll("*")) {
    if (skipped.has(element.parentElement) || element.parentElement?.closest("svg, math")) {
      skipped.add(element);
      continue;
    }
    if (!isShown(element)) continue;
    const box = element.getBoundingClientRect();
    if (box.width && (box.right > column.right + 1 || box.left < column.left - 1)
        && box.right > 0) {
      found.push(["wider than its column", name(element)]);
      skipped.add(element);
      continue;
    }
    const hidden = element.scrollWidth - element.clientWidth;
    if (hidden > 1 && element.clientWidth) {
      if (scrolls(element)) {
        skipped.add(element);
        if (width >= 1280) found.push([`scrolls sideways at ${width} px`, name(element)]);
      } else if (clips(element)) found.push(["cut off", name(element)]);
      else if (sticksOut(element)) found.push(["wider than its column", name(element)]);
    }
  }

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const small = new Set();
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || small.has(parent)) continue;
    if (parent.closest("script, style, noscript") || !isShown(parent)) continue;
    const size = parseFloat(getComputedStyle(parent).fontSize);
    if (size && size < smallest - 0.01) { // 0: for screen readers only
      small.add(parent);
      found.push([`text under ${smallest} px`, `${size.toFixed(1)} px: ${name(parent)}`]);
    }
  }
  return found;
}

/** Pictures without a text that says what is seen. */
function wordlessPictures() {
  const isDecoration = (picture) => picture.closest("[aria-hidden=true], [role=presentation]");
  const pictures = [...document.querySelectorAll("img, svg[role=img]")];
  return pictures
    .filter((picture) => !isDecoration(picture))
    .filter((picture) => {
      const words = picture.getAttribute("alt") ?? picture.getAttribute("aria-label") ?? "";
      return !/\s/.test(words.trim()) || /\.(png|svg|jpe?g)$/.test(words.trim());
    })
    .map((picture) => picture.getAttribute("src")?.split("/").pop() ?? "svg");
}

/** Serious and critical findings of axe-core, as [rule, where] pairs. */
async function accessFindings(onlyContrast) {
  const options = { resultTypes: ["violations"] };
  if (onlyContrast) options.runOnly = ["color-contrast"];
  const { violations } = await axe.run(document, options);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, html }) => [`axe ${id}`, `${target} ${html.slice(0, 90)}`]));
}

function show(theme) {
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.mode = theme;
}

// The walk over all pages ---------------------------------------------------------------

const findings = new Map(); // "rule | where" -> {pages: Set, when: Set}
function report(page, when, rule, where) {
  const key = `${rule} | ${where}`;
  if (!findings.has(key)) findings.set(key, { pages: new Set(), when: new Set() });
  findings.get(key).pages.add(page);
  if (when) findings.get(key).when.add(when);
}

async function look(tab, name) {
  const widths = isListing(name) ? WIDTHS.slice(-1) : WIDTHS;
  for (const width of widths) {
    await tab.setViewportSize({ width, height: 900 });
    await tab.goto(pathToFileURL(path.join(ROOT, name)).href, { waitUntil: "load" });
    for (const [rule, where] of await tab.evaluate(misfits, { width, smallest: SMALLEST_TEXT }))
      report(name, `${width}`, rule, where);
    if (width === widths[0])
      for (const picture of await tab.evaluate(wordlessPictures))
        report(name, "", "picture without a text", picture);
    if (!WIDTHS_OF_AXE.includes(width)) continue;
    await tab.addStyleTag({ content: "* { transition: none !important; }" });
    await tab.evaluate(AXE);
    for (const theme of THEMES) { // they change colours, nothing else
      await tab.evaluate(show, theme);
      for (const [rule, where] of await tab.evaluate(accessFindings, theme !== THEMES[0]))
        report(name, `${width} ${theme}`, rule, where);
    }
    await tab.evaluate(show, THEMES[0]);
  }
}

function attributes(html, pattern) {
  return [...html.matchAll(pattern)].map((found) => found[1].replaceAll("&amp;", "&"));
}

/** Links of all pages to files and anchors that are not there. */
function checkLinks(names) {
  const pages = new Map(names.map((name) => {
    const html = fs.readFileSync(path.join(ROOT, name), "utf8");
    const anchors = new Set(attributes(html, /\s(?:id|name)=["']([^"']+)["']/g));
    return [name, { anchors, targets: attributes(html, /\s(?:href|src)="([^"]+)"/g) }];
  }));
  for (const [name, { targets }] of pages)
    for (const target of new Set(targets)) {
      const url = new URL(target, pathToFileURL(path.join(ROOT, name)));
      if (url.protocol !== "file:") continue;
      const anchor = decodeURIComponent(url.hash.slice(1));
      const file = path.relative(ROOT, fileURLToPath(new URL(url.pathname, "file:///")));
      if (!fs.existsSync(path.join(ROOT, file))) report(name, "", "dead link", file);
      else if (anchor && pages.has(file) && !pages.get(file).anchors.has(anchor))
        report(name, "", "dead anchor", `${file}#${anchor}`);
    }
}

/** The pages to open: all but the API's, and a sample of those. */
function sample(names) {
  let apis = 0;
  return names.filter((name) => {
    if (ONLY) return name.includes(ONLY);
    return !isApi(name) || apis++ % 6 === 0;
  });
}

async function main() {
  const start = Date.now();
  const root = process.getuid?.() === 0;
  const browser = await chromium.launch({
    executablePath: process.env.BROWSER,
    args: root ? [...FLAGS, "--no-sandbox"] : FLAGS,
  });
  const names = pagesIn(ROOT);
  const queue = sample(names);
  const context = await browser.newContext({ reducedMotion: "reduce" });
  async function worker() {
    const tab = await context.newPage();
    let name;
    tab.on("pageerror", (error) => report(name, "", "script error", error.message));
    tab.on("request", (request) => {
      if (/^(https?|wss?):/.test(request.url())) report(name, "", "fetched", request.url());
    });
    while ((name = queue.shift())) await look(tab, name);
  }
  const count = queue.length;
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await browser.close();
  checkLinks(names);

  for (const [key, { pages, when }] of [...findings].sort()) {
    const first = [...pages].slice(0, 2).join(", ");
    const more = pages.size > 2 ? ` and ${pages.size - 2} more` : "";
    console.log(`${key}\n    ${first}${more}; ${[...when].join(", ")}`);
  }
  const seconds = Math.round((Date.now() - start) / 1000);
  console.log(`${count} of ${names.length} pages, ${findings.size} findings, ${seconds} s`);
  process.exitCode = findings.size && 1;
}

await main();
