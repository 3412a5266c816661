import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { createGoodAgent, serveFixture } from "@crosszone/conformance/testing";
import { type ConformanceReport, isConformanceReport } from "@crosszone/contracts";
import { startDevAgents } from "@crosszone/dev-agents";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test } from "vitest";
import { startExampleAgent } from "../harness/start-example-agent.ts";
import { askZone, startOpenExecution } from "../harness/start-task-process.ts";
import { writeAgentsFile } from "../harness/temp-file.ts";
import { sdkNamed, startSdkAgent } from "./interop/start-sdk-agent.ts";
import { run } from "./run-command.ts";

const main = resolve(import.meta.dirname, "../../packages/cli/src/main.ts");

/** Runs `crosszone conformance` without a zone. */
async function conformance(...argv: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
  const args = ["--conditions=@crosszone/source", main, "conformance", ...argv];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [[code], out] = await Promise.all([once(child, "exit"), text(child.stdout)]);
  return { code: code as number, out };
}

/** Checks an agent and returns the `must` that failed, by protocol. */
async function failuresOf(...argv: readonly string[]): Promise<Readonly<Record<string, readonly string[]>>> {
  const { code, out } = await conformance(...argv, "--json");
  const report = JSON.parse(out) as ConformanceReport;
  expect(isConformanceReport(report)).toBe(true);
  expect(code).toBe(report.compliant ? 0 : 1);
  const { agent, duration_ms, summary } = report;
  console.log(`${agent}: ${(duration_ms / 1_000).toFixed(1)} s, ${JSON.stringify(summary)}`);
  const failed = report.checks.filter(({ status, level }) => status === "failed" && level === "must");
  return Object.fromEntries(
    report.protocols.map((protocol) => [
      protocol,
      failed.filter((check) => check.protocol === protocol).map(({ id }) => id),
    ]),
  );
}

const asked = ["--question", "file in", "--ask", "input-required", "--file", "text, data and file out"];
const slow = ["--slow", "3 s task"];

/** Deviations of these SDKs from the specifications. */
test.each([
  ["js03", [], { "jsonrpc-2.0": ["parse-error", "invalid-params"] }],
  [
    "js1compat",
    slow,
    { "a2a-1.0": ["parse-error", "invalid-request", "version-patch"], "jsonrpc-2.0": ["parse-error"] },
  ],
  ["py03", [], { "jsonrpc-2.0": ["parse-error-id"] }],
  ["py1compat", slow, { "a2a-1.0": [], "jsonrpc-2.0": ["invalid-params"] }],
])("K1: the report on an agent of an official SDK is correct: %s", async (name, more, expected) => {
  const { url } = await startSdkAgent(sdkNamed(name));
  expect(await failuresOf(url, ...asked, "--fail", "failed", ...more)).toEqual(expected);
});

/** What the official JavaScript SDK itself does otherwise. */
const ofTheSdk: Readonly<Record<string, readonly string[]>> = { "a2a-js": ["invalid-request", "version-patch"] };

test.each(["node", "python", "go", "a2a-js", "a2a-python"])(
  "our own example agent failed the command that we ask authors to run: %s",
  async (language) => {
    const failed = await failuresOf(await startExampleAgent(language));
    expect(Object.values(failed).flat()).toEqual(ofTheSdk[language] ?? []);
  },
);

test("our own sample agents failed the command that we ask authors to run", async () => {
  const agents = await startDevAgents({ taskMs: 100 });
  onTestFinished(() => agents.close());
  for (const [, url = ""] of agents.file.matchAll(/url: (\S+)/g))
    expect({ url, failed: Object.values(await failuresOf(url)).flat() }).toEqual({ url, failed: [] });
});

test("R10.3: a known-bad agent exits 1, names the items, and Python reads the JUnit file and the badge", async () => {
  const url = await serveFixture((own) =>
    createGoodAgent({ versions: ["1.0"], card: (card) => ({ ...card, capabilities: {} }) }, own),
  );
  const folder = tempFolder();
  const [junit, badge] = [join(folder, "junit.xml"), join(folder, "badge.svg")];
  const { code, out } = await conformance(url, "--junit", junit, "--badge", badge);
  expect([code, out]).toEqual([1, expect.stringContaining("✗ streaming-off (A2A 1.0): ")]);
  const read =
    "import sys, xml.etree.ElementTree as x; s = x.parse(sys.argv[1]).getroot(); x.parse(sys.argv[2]); " +
    "print([c.get('name').split(':')[0] for c in s.iter('testcase') if c.find('failure') is not None])";
  expect(await run("python3", ["-c", read, junit, badge], { cwd: folder })).toBe("['streaming-off']\n");
  expect(readFileSync(badge, "utf8")).toContain("<title>A2A 1.0: 1 failed</title>");
});

import tests from "../package.json" with { type: "json" };

/** Manifest of `examples/agents/a2a-js`. */
const example = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../../examples/agents/a2a-js/package.json"), "utf8"),
) as { readonly dependencies: Readonly<Record<string, string>> };

test("the JavaScript example depends on the SDK version that these tests use", () => {
  expect(example.dependencies["@a2a-js/sdk"]).toBe(tests.devDependencies["@a2a-js/sdk"]);
});

test.each(["a2a-js", "a2a-python"])("I1: the example agent on an official SDK answers: %s", async (language) => {
  const url = await startExampleAgent(language);
  const AGENTS_FILE = writeAgentsFile([{ name: "counter", url }]);
  const zone = await startOpenExecution({ AGENTS_FILE, AGENT_ORIGINS: "http://127.0.0.1:*" });
  const answer = await askZone(zone.url, { agent: "counter", text: "Grüße aus Köln" });
  expect(answer).toMatchObject({ result: { response_text: "3 words, 14 characters", agent: "counter" } });
});
