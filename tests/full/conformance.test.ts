// inputs: tools/conformance/** tests/full/interop/** packages/{a2a,contracts,jsonrpc}/**
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { type ConformanceReport, isConformanceReport } from "@crosszone/contracts";
import { startDevAgents } from "@crosszone/dev-agents";
import { expect, onTestFinished, test } from "vitest";
import { startExecutionProcess } from "@crosszone/testkit/process";
import tests from "../package.json" with { type: "json" };
import { runProgram } from "../harness/run-program.ts";
import { startExampleAgent } from "../harness/start-example-agent.ts";
import { writeAgentsFile } from "../harness/temp-file.ts";
import { frameworks, sdks, startFramework, startSdkAgent } from "./interop/start-sdk-agent.ts";

/** Runs `crosszone conformance` without a zone. */
const conformance = (...argv: readonly string[]) => runProgram("tools/cli/src/main.ts", {}, "conformance", ...argv);

/** Checks an agent and returns the verdicts on it, by protocol: each `must` that failed, and each `should` with a question mark. */
async function verdictsOf(...argv: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const { code, out } = await conformance(...argv, "--json");
  const report = JSON.parse(out) as ConformanceReport;
  expect(isConformanceReport(report)).toBe(true);
  expect(code).toBe(report.compliant ? 0 : 1);
  const failed = report.checks.filter(({ status, level }) => status === "failed" && level !== "hint");
  const of = (protocol: string): string[] =>
    failed.flatMap((check) => (check.protocol === protocol ? check.id + (check.level === "must" ? "" : "?") : []));
  return Object.fromEntries(report.protocols.map((protocol) => [protocol, of(protocol).join(" ")]));
}

const js1 = "parse-error invalid-request version-patch";

/** The first reader of a task's end empties the queues of the others, so a resumed stream may close without it. */
const py03 = {
  "jsonrpc-2.0": expect.stringMatching(/^id-null\? parse-error-id (subscribe-closes )?push-off\? extended-card-off\?$/),
};

/** Deviations of these SDKs and frameworks. Each was compared with the words of the specification and the agent's bytes. */
const deviations: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  js03: { "jsonrpc-2.0": "parse-error invalid-params" },
  js1: { "a2a-1.0": js1 },
  js1compat: { "a2a-1.0": js1, "jsonrpc-2.0": "parse-error" },
  py03,
  py1: { "a2a-1.0": "" },
  py1compat: { "a2a-1.0": "", "jsonrpc-2.0": "invalid-params" },
  langgraph: {
    "a2a-1.0":
      "no-kind? get-same-answer timestamp-format invalid-request error-info returns-at-once list-without-artifacts " +
      "stream-events subscribe-ended subscribe-unknown push-off version-unknown version-absent extended-card-off",
    "jsonrpc-2.0": "card-members get-same-answer invalid-request returns-at-once?",
  },
  agno: { "jsonrpc-2.0": "endpoint-answers" },
  mastra: { "jsonrpc-2.0": "id-null? error-object" },
  agent_framework: { "a2a-1.0": "card-lists-filled answer-in-artifact?", "jsonrpc-2.0": "version-spoken" },
  pydantic_ai: {
    "a2a-1.0":
      "result-or-error card-lists-filled timestamp-format parse-error invalid-request waits-for-the-end stream-append",
  },
  adk: { "a2a-1.0": "" },
  strands: py03,
  crewai: { "jsonrpc-2.0": "id-null? parse-error-id returns-at-once? stream-at-once? push-off? extended-card-off?" },
};

const asked = ["--question", "file in", "--ask", "input-required", "--file", "text, data and file out"];

test.each(sdks)("K1: the verdicts on an agent of an official SDK are correct: $title", async (sdk) => {
  const { url } = await startSdkAgent(sdk);
  expect(await verdictsOf(url, ...asked, "--fail", "failed", "--slow", "3 s task")).toEqual(deviations[sdk.name]);
});

/** The first test that uses a framework installs it. */
const timeout = 300_000;

test.each(frameworks)("K1: the verdicts on an agent of a framework are correct: $title", { timeout }, async (each) => {
  const model = await LLMock.create({ port: 0 });
  onTestFinished(() => model.stop());
  model.on({ userMessage: "slowly" }, { content: "The end." }, { chaos: { latencyMs: 3_000 } });
  model.on({}, { content: "Twelve." });
  const url = await startFramework(each, model.url);
  const options = ["--question", "How many?", "--slow", "How many, slowly?", "--timeout", "90s"];
  expect(await verdictsOf(url, ...options)).toEqual(deviations[each.folder]);
});

/** What the official JavaScript SDK itself does otherwise. */
const ofTheSdk: Readonly<Record<string, string>> = { "a2a-js": "invalid-request version-patch" };

test.each(["node", "python", "go", "a2a-js", "a2a-python"])(
  "our own example agent failed the command that we ask authors to run: %s",
  async (language) => {
    const failed = await verdictsOf(await startExampleAgent(language));
    expect(Object.values(failed).join("")).toBe(ofTheSdk[language] ?? "");
  },
);

test("our own sample agents failed the command that we ask authors to run", async () => {
  const agents = await startDevAgents({ taskMs: 100 });
  onTestFinished(() => agents.close());
  for (const [, url = ""] of agents.file.matchAll(/url: (\S+)/g))
    expect({ url, code: (await conformance(url)).code }).toEqual({ url, code: 0 });
});

/** Manifest of `examples/agents/a2a-js`. */
const example = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../../examples/agents/a2a-js/package.json"), "utf8"),
) as { readonly dependencies: Readonly<Record<string, string>> };

test("the JavaScript example depends on the SDK version that these tests use", () => {
  expect(example.dependencies["@a2a-js/sdk"]).toBe(tests.devDependencies["@a2a-js/sdk"]);
});

test.each(["a2a-js", "a2a-python"])("I1: the example agent on an official SDK answers: %s", async (language) => {
  const url = await startExampleAgent(language);
  const EXECUTION_FILE = writeAgentsFile([{ name: "counter", url }]);
  const zone = await startExecutionProcess({ EXECUTION_FILE, AGENT_ORIGINS: "http://127.0.0.1:*" });
  const answer = await zone.ask("counter", "Grüße aus Köln");
  expect(answer).toMatchObject({ result: { response_text: "3 words, 14 characters", agent: "counter" } });
});
