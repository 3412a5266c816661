import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import axe from "axe-core";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, onTestFinished } from "vitest";

/** Opens a page in a real browser. Its script errors and violations of the content security policy fail the test. */
type OpenPage = (url: string, size?: { readonly width: number; readonly height: number }) => Promise<Page>;

/** Returns where a picture is kept for a person to look at. */
export function artifact(name: string): string {
  const folder = resolve(import.meta.dirname, "../artifacts");
  mkdirSync(folder, { recursive: true });
  return resolve(folder, name);
}

/** Returns the serious problems of accessibility of a page, each as its rule and the elements that break it. */
export async function seriousProblems(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run(document)");
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
}

/** Looks at the page in light and dark: keeps a picture of each, and expects no serious problem of accessibility. */
export async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.screenshot({ path: artifact(`${name}-${colorScheme}.png`) });
    expect(await seriousProblems(page)).toEqual([]);
  }
}

const phone = { width: 390, height: 844 };

/** Looks at the page in both schemes, then as wide as a phone. */
export async function lookEverywhere(page: Page, name: string): Promise<void> {
  await look(page, name);
  const size = page.viewportSize() ?? phone;
  await page.setViewportSize(phone);
  await page.screenshot({ path: artifact(`${name}-phone.png`), fullPage: true });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(phone.width);
  expect(await seriousProblems(page)).toEqual([]);
  await page.setViewportSize(size);
}

/** Sends a message on the page of the local Slack. */
export async function write(page: Page, text: string): Promise<void> {
  await page.getByTestId("composer").fill(text);
  await page.getByTestId("send").click();
}

/** Connects to the browser of the run, in which each page has its own cookies. A failed request fails the test too, unless `expectsRefusals`. */
export function useBrowser({ expectsRefusals = false } = {}): OpenPage {
  let browser: Browser;
  beforeAll(async () => {
    const answer = await fetch(inject("browser"));
    const address = await answer.text();
    if (!answer.ok) throw new Error(address);
    browser = await chromium.connect(address);
  });
  afterAll(() => browser.close());

  return async (url, size = { width: 1280, height: 900 }) => {
    const page = await browser.newPage({ viewport: size });
    const failures: string[] = [];
    page.on("pageerror", (error) => failures.push(String(error)));
    page.on("dialog", (dialog) => failures.push(`dialog: ${dialog.message()}`));
    page.on("console", (message) => {
      const isRefusal = message.text().startsWith("Failed to load resource");
      if (message.type() === "error" && !(isRefusal && expectsRefusals)) failures.push(message.text());
    });
    await page.addInitScript({
      content: `document.addEventListener("securitypolicyviolation", (event) => console.error("CSP: " + event.violatedDirective))`,
    });
    onTestFinished(async () => {
      await page.close();
      expect(failures).toEqual([]);
    });
    await page.goto(url);
    return page;
  };
}
