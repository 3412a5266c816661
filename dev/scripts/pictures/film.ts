/** `pnpm pictures`: films a question, its streamed answer, the approval and the invoice in the local Slack, as docs/images/film.png. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { chromium, type Browser, type Page } from "playwright-core";
import { Camera, pageSize, readFilm, scale, titleHeight, withComment } from "./film-camera.ts";
import { startStage } from "./film-stage.ts";

const root = resolve(import.meta.dirname, "../../..");
export const filmPath = resolve(root, "docs/images/film.png");

/** The same letters on each machine. */
const fonts = ["inter/wght.css", "noto-emoji/wght.css"].map((name) => {
  const path = resolve(root, "node_modules/@fontsource-variable", name);
  return readFileSync(path, "utf8").replaceAll(
    /url\((\S+?)\)/g,
    (_url, file: string) => `url(data:font/woff2;base64,${readFileSync(resolve(path, "..", file), "base64")})`,
  );
});
const style = `${fonts.join("\n")}
  :root { --sans: "Inter Variable", "Noto Emoji Variable" !important }
  .banner, .rail { display: none !important }`;
const title = `<style>${style}
  body { margin: 0; display: grid; grid-template-columns: 1fr 1fr; background: #10242d; color: #fff; text-align: center }
  h1 { margin: 0; font: 600 16px/${titleHeight}px var(--sans) }</style><h1>Alice asks</h1><h1>Bob approves</h1>`;

/** Opens a page of one half of the film, or above both. */
async function openPage(browser: Browser, size: { readonly width: number; readonly height: number }): Promise<Page> {
  const look = { deviceScaleFactor: scale, colorScheme: "light", bypassCSP: true, timezoneId: "UTC" } as const;
  return (await browser.newContext({ ...look, viewport: size })).newPage();
}

async function openAs(browser: Browser, slackUrl: string, user: string): Promise<Page> {
  const page = await openPage(browser, pageSize);
  await page.goto(slackUrl);
  await page.addStyleTag({ content: style });
  await page.getByTestId("act-as").selectOption(user, { force: true });
  await page.evaluate("document.fonts.ready");
  return page;
}

/** Plays the scene at the speed of a person, or as fast as it goes. Returns the words that both people have read at its end. */
async function play(alice: Page, bob: Page, isFilmed: boolean): Promise<string> {
  const pause = (ms: number): Promise<void> => delay(isFilmed ? ms : 0);
  const write = async (field: string, text: string): Promise<void> => {
    await alice.getByTestId(`${field}composer`).pressSequentially(text, { delay: isFilmed ? 35 : 0 });
    await pause(300);
    await alice.getByTestId(`${field}send`).click();
  };
  const answer = (text: string) => alice.getByTestId("thread-message").filter({ hasText: text });
  await pause(600);
  await write("", "What does Acme owe us?");
  await answer("send the invoice?").waitFor();
  await pause(900);
  await write("thread-", "Yes, send it.");
  const approve = bob.getByTestId(/^control-input:approve/);
  await approve.waitFor();
  await pause(1_500);
  await approve.hover();
  await pause(500);
  await approve.click();
  const receipt = bob.getByTestId("message").filter({ hasText: "Approved by" });
  await Promise.all([receipt, answer("Approved by"), answer("on its way to Acme.")].map((shown) => shown.waitFor()));
  await pause(1_000);
  const words = await Promise.all([answer(""), receipt].map((shown) => shown.locator("> .content").allInnerTexts()));
  return words
    .flat()
    .join("\n")
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{64}\b/g, "…")
    .replaceAll(/\d+:\d\d\s[AP]M|\d+\.\d s/g, "…")
    .replaceAll(/\s*\n\s*/g, "\n");
}

/** Plays the scene in a real browser. Returns its words and, if it is filmed, the film. */
export async function playScene({ isFilmed }: { readonly isFilmed: boolean }) {
  await using stage = await startStage();
  const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
  await using browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  const alice = await openAs(browser, stage.slackUrl, "U0ALICE0001");
  const bob = await openAs(browser, stage.slackUrl, "U0BOB000001");
  const above = await openPage(browser, { width: 2 * pageSize.width, height: titleHeight });
  await above.setContent(title);
  await above.evaluate("document.fonts.ready");
  await using camera = isFilmed ? new Camera([alice, bob]) : undefined;
  const words = await play(alice, bob, isFilmed);
  return { words, film: await camera?.develop(await above.screenshot(), { firstMs: 1_500, holdMs: 2_500 }) };
}

/** Returns a hash of these scripts and what they play. A film with another hash is out of date. */
export function sceneHash(): string {
  const names = readdirSync(import.meta.dirname).filter((name) => name.startsWith("film"));
  const files = names.toSorted().map((name) => readFileSync(resolve(import.meta.dirname, name)));
  return createHash("sha256").update(Buffer.concat(files)).digest("hex");
}

if (import.meta.main) {
  const { words, film = Buffer.alloc(0) } = await playScene({ isFilmed: true });
  writeFileSync(filmPath, withComment(film, `${sceneHash()}\n${words}`));
  const { frames, seconds } = readFilm(film);
  process.stdout.write(`${filmPath}: ${frames} frames, ${seconds.toFixed(1)} s, ${film.length >> 10} KB\n`);
}
