import { existsSync } from "node:fs";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";

/** Opens a page in a real browser. Script errors and violations of the content security policy fail the test; refused requests don't. */
export type OpenPage = (url: string, size?: { readonly width: number; readonly height: number }) => Promise<Page>;

const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";

/** Starts a browser for all tests of a file. */
export function useBrowser(): OpenPage {
  let browser: Browser;
  beforeAll(async () => {
    if (!existsSync(executablePath))
      throw new Error(`no browser at ${executablePath}: install chromium or set CHROMIUM_PATH`);
    browser = await chromium.launch({
      executablePath,
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    });
  });
  afterAll(() => browser.close());

  return async (url, size = { width: 1280, height: 900 }) => {
    const page = await browser.newPage({ viewport: size });
    const failures: string[] = [];
    page.on("pageerror", (error) => failures.push(String(error)));
    page.on("dialog", (dialog) => failures.push(`dialog: ${dialog.message()}`));
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
        failures.push(message.text());
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
