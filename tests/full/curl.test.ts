import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { startDevAgents } from "@crosszone/dev-agents";
import { startOpenExecution } from "../harness/start-open-execution.ts";

const page = (path: string): string => resolve(import.meta.dirname, "../..", path);

/** Ids, moments and spans differ from run to run; the page shows them as an ellipsis. */
const steady = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "…")
    .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"…"')
    .replaceAll(/"duration_ms":\d+/g, '"duration_ms":…');

const run = promisify(execFile);

/** Each `$ curl …` line of a page, run for real one after the other, with what came back below it. `places` has where that is what the page names. */
async function withAnswers(
  text: string,
  places: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const there = (command: string): string =>
    Object.entries(places).reduce((line, [named, real]) => line.replaceAll(named, real), command);
  const back = (answer: string): string =>
    Object.entries(places).reduce((line, [named, real]) => line.replaceAll(real, named), answer);
  const unanswered = text.replaceAll(/^(\$ curl .*)\n(?!\$|```).*$/gm, "$1");
  const lines = [];
  for (const line of unanswered.split("\n")) {
    lines.push(line);
    if (!line.startsWith("$ curl")) continue;
    const { stdout } = await run("sh", ["-c", there(line.slice(2))], { env: { ...process.env, ...env } });
    lines.push(steady(back(stdout)));
  }
  return lines.join("\n");
}

function expectAnswered(path: string, answered: string): void {
  if (process.env["UPDATE_DOCS"]) writeFileSync(path, answered);
  expect(answered).toBe(readFileSync(path, "utf8"));
}

test("every curl line of the zone link page is run, and answers what the page says", async () => {
  const zone = await startOpenExecution();
  const path = page("docs/zone-link.md");
  const text = readFileSync(path, "utf8");
  expect(text.match(/^\$ curl/gm)?.length).toBeGreaterThan(7);
  expectAnswered(path, await withAnswers(text, { "localhost:4000": zone.url }));
});

test("D3: every curl line of the agents' page is run, and answers what the page says", async () => {
  const agents = await startDevAgents();
  onTestFinished(() => agents.close());
  const token = "0123456789abcdef0123456789abcdef";
  const zone = await startOpenExecution({ AGENT_ADMIN_TOKENS: token, AGENT_ORIGINS: agents.url });
  const path = page("docs/agents.md");
  const text = readFileSync(path, "utf8");
  expect(text.match(/^\$ curl/gm)?.length).toBeGreaterThan(10);
  const places = { "localhost:4000": zone.url, "http://127.0.0.1:3200": agents.url };
  expectAnswered(path, await withAnswers(text, places, { ADMIN_TOKEN: token }));
});

test("every curl line of the sample agents' page is run, and each tells how the agent stands", async () => {
  const agents = await startDevAgents();
  onTestFinished(() => agents.close());
  const text = readFileSync(page("packages/dev-agents/README.md"), "utf8");
  const stands = [];
  for (const line of text.match(/^curl .*$/gm) ?? []) {
    const command = line.replace("http://127.0.0.1:3200", agents.url);
    const { stdout } = await run("sh", ["-c", command]);
    stands.push((JSON.parse(stdout) as { readonly fault: string }).fault);
  }
  expect(stands).toEqual(["flaky", "flaky", "ok"]);
});
