/** Part of `pnpm pictures`: takes the stills of docs/images from both zones, the local Slack and the console, on the stage of the film. */
import { globSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { chromium } from "playwright-core";
import { readZoneFile } from "../dev/zone-file.ts";
import { startStage } from "./film-stage.ts";

const root = resolve(import.meta.dirname, "../../..");
const images = resolve(root, "docs/images");

await using stage = await startStage();
const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
await using browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });

const slack = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await slack.goto(stage.slackUrl);
await slack.getByTestId("composer").fill("What does Acme owe us?");
await slack.getByTestId("send").click();
await slack.getByTestId("thread-message").filter({ hasText: "for the workshop" }).waitFor();
await slack.screenshot({ path: `${images}/streaming.png` });

// Of several zones of this clone, the stage is the last that has started.
const [newest = ""] = globSync(".crosszone/local/*/cli.json", { cwd: root }).toSorted(
  (one, other) => statSync(resolve(root, other)).mtimeMs - statSync(resolve(root, one)).mtimeMs,
);
const { url = "", token = "" } = readZoneFile(resolve(root, dirname(newest))) ?? {};
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
const api = async (path: string, body?: object): Promise<Record<string, string>> => {
  const init = body && { method: "POST", body: JSON.stringify(body) };
  return (await (await fetch(`${url}/api/v1/${path}`, { headers, ...init })).json()) as Record<string, string>;
};
// Holds the run at its last step.
await fetch(`${(await api("agents/keywords"))["url"]}/control`, { method: "POST", headers, body: '{"fault":"hang"}' });
const paragraphs = ["The sea sea rises.", "The moon pulls it.", "All is well."];
const { run_id = "" } = await api("runs", { workflow_id: "review-draft", input: { title: "Tides", paragraphs } });
const found = await browser.newPage({ viewport: { width: 1180, height: 800 } });
await found.goto(`${url}/console#token=${token}`);
await found.locator("tbody tr").first().click();
await found.locator('.waterfall tr[data-stage="Posted"]').waitFor();
await found.screenshot({ path: `${images}/message-life.png` });
const run = await browser.newPage({ viewport: { width: 1180, height: 800 } });
await run.goto(`${url}/console/runs/${run_id}#token=${token}`);
await run.locator(".card[data-step=about][data-state=running]").waitFor();
await run.locator(".card[data-step=read]").click();
await run.screenshot({ path: `${images}/run-page.png` });
