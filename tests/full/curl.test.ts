// suite: waits
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { type A2AAgentCardV1, contractVersion } from "@crosszone/contracts";
import { startDevAgents } from "@crosszone/dev-agents";
import { startExecutionProcess } from "@crosszone/testkit/process";
import { record, replayed } from "../harness/run-transcript.ts";
import { startMigrationExample } from "../harness/start-example-agent.ts";

const page = (path: string): string => resolve(import.meta.dirname, "../..", path);

const run = promisify(execFile);

function expectAnswered(path: string, answered: string): void {
  expect(answered, record(path, answered)).toBe(readFileSync(path, "utf8"));
}

test("R9.4: every curl command of the zone link page returns what the page shows", async () => {
  const zone = await startExecutionProcess();
  const path = page("docs/zone-link.md");
  const text = readFileSync(path, "utf8");
  expect(text.match(/^\$ curl/gm)?.length).toBeGreaterThan(7);
  const card = (await (await fetch(`${zone.url}/.well-known/agent-card.json`)).json()) as A2AAgentCardV1;
  const places = {
    "http://localhost:4000": zone.url,
    "localhost:4000": zone.url,
    // The page does not change with releases.
    '"version":"…"': `"version":"${card.version}"`,
    '"protocolVersion":"…"': `"protocolVersion":"${contractVersion}"`,
  };
  expectAnswered(path, await replayed(text, places));
});

test("D3, R9.4: every curl command of the agents page returns what the page shows", async () => {
  const agents = await startDevAgents();
  onTestFinished(() => agents.close());
  const token = "0123456789abcdef0123456789abcdef";
  const zone = await startExecutionProcess({ ADMIN_TOKENS: token, AGENT_ORIGINS: agents.url });
  const path = page("docs/agents.md");
  const text = readFileSync(path, "utf8");
  const start = text.indexOf("### With the API");
  expect(text.slice(start).match(/^\$ curl/gm)?.length).toBeGreaterThan(10);
  const places = { "localhost:4000": zone.url, "http://127.0.0.1:3200": agents.url };
  expectAnswered(path, text.slice(0, start) + (await replayed(text.slice(start), places, { ADMIN_TOKEN: token })));
});

test("R9.4: every curl command of the wire page returns what the page shows", async () => {
  const [after, before] = await Promise.all(
    ["after", "before"].map((version) => startMigrationExample("python", version)),
  );
  const path = page("docs/reference/a2a-wire-tasks.md");
  const text = readFileSync(path, "utf8");
  expect(text.match(/^\$ (TASK=\$\()?curl/gm)?.length).toBeGreaterThan(6);
  expectAnswered(
    path,
    await replayed(text, { "http://127.0.0.1:8090": after ?? "", "http://127.0.0.1:8091": before ?? "" }),
  );
});

test("R9.4: every curl command of the sample agents page is run, and returns the state of the agent", async () => {
  const agents = await startDevAgents();
  onTestFinished(() => agents.close());
  const text = readFileSync(page("dev/agents/README.md"), "utf8");
  const stands = [];
  for (const line of text.match(/^curl .*$/gm) ?? []) {
    const command = line.replace("http://127.0.0.1:3200", agents.url);
    const { stdout } = await run("sh", ["-c", command]);
    stands.push((JSON.parse(stdout) as { readonly fault: string }).fault);
  }
  expect(stands).toEqual(["flaky", "flaky", "ok"]);
});
