import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { type Agent, type AgentContext, TaskPaused } from "@crosszone/execution";
import { startZone } from "@crosszone/execution/testing";
import { tempFolder, serve, tempFile } from "@crosszone/testkit/temporary";
import { expect, test, type TestContext } from "vitest";
import { adminToken, runsApi } from "../harness/runs-api.ts";
import { wideLimits } from "../harness/start-crosszone.ts";
import { noteWorksWith } from "./works-with.ts";

const asker = { actor: "token:tck", agents: ["tck"], openTasks: 1 };
const askers = "programs: {askers: [{token: tck, agents: [tck], per_minute: 100000, open_tasks: 10000}]}";
const file = { name: "output.txt", media_type: "text/plain", bytes: Buffer.from("tck") };
const requester = { people: [], groups: [], requester: true, approve: 1, deny: 1 };
const question = { awaits: "input", text: "Which one?", data: [] } as const;

/** How a task begins for each message id that the suites send, by its beginning. The first row that matches counts. */
const scenarios: readonly (readonly [prefix: string, text: string])[] = [
  ["tck-complete-task", "Hello from TCK"],
  ["tck-artifact-text", "Generated text content"],
  ["tck-artifact-data", '{"key": "value", "count": 42}'],
  ["tck-artifact-file-url", "https://example.com/output.txt"],
  ["tck-message-response", "Direct message response"],
  ["tck-stream-001", "Stream hello from TCK"],
  ["tck-stream-003", "Stream task lifecycle"],
  ["tck-stream-ordering-001", "Ordered output"],
  ["tck-stream-artifact-text", "Streamed text content"],
  ["tck-stream-artifact-chunked", "chunk-1 chunk-2"],
];

/** The suite of 0.3 continues and cancels the tasks of its other messages, so that they must not end. */
const staysOpen = (messageId: string): boolean => !/^(tck-|test-resubscribe-message-id)/.test(messageId);

/** Plays the executor of the suites: a task does what its message id says. */
async function play(messageId: string, { inputs, preview, signal }: AgentContext) {
  const is = (prefix: string): boolean => messageId.startsWith(prefix);
  if (is("tck-input-required") || staysOpen(messageId)) {
    const replies = [...(inputs?.decided.values() ?? [])].map(({ answer }) => JSON.stringify(answer));
    // The reply tells: "TCK history message" is another question, anything else ends the task.
    if (staysOpen(messageId) || replies.every((reply) => reply.includes("history message"))) {
      const asked = { key: `reply-${replies.length}`, kind: "text", title: question.text, decide: requester } as const;
      throw new TaskPaused([asked], { continuation: null, question });
    }
  }
  if (is("tck-reject-task")) throw new Error("rejected");
  // The suites wait for twice their timeout, 2 seconds.
  if (is("test-resubscribe-message-id")) await delay(4_500, undefined, { signal });
  const [, text = "Hello from TCK"] = scenarios.find(([prefix]) => is(prefix)) ?? [];
  if (is("tck-stream")) for (const piece of text.split(/(?<= )/)) preview?.text(piece);
  const files = /^tck-(stream-)?artifact-file(?!-url)/.test(messageId) ? { files: [file] } : {};
  return { response_text: text, ...files };
}

/**
 * Starts the execution zone with an agent that plays the executor of the suites, and its surface for programs at the root of two hosts, where the
 * suites look for an agent. Ends with the test.
 */
async function startTckZone() {
  const messageOf = { read: async (_taskId: string): Promise<string> => "" };
  const agent: Agent = {
    name: "tck",
    description: "Plays the executor of the A2A TCK.",
    skills: [],
    run: async ({ task_id: taskId }, context) => play(await messageOf.read(taskId), context),
  };
  const EXECUTION_FILE = tempFile("execution.yaml", askers);
  const env = { ASK_PORT: "0", ADMIN_TOKENS: adminToken, EXECUTION_FILE };
  const zone = await startZone([agent], { ...wideLimits, tokens: [randomUUID() + randomUUID()], env });
  messageOf.read = async (taskId) => (await zone.app.ask.find(asker, taskId)).message?.messageId ?? "";
  const made = { name: "tck", scopes: ["ask"], expires_in: 3_600 };
  const { token } = (await runsApi(zone.url).post("/tokens", made)) as { readonly token: string };
  const atRoot =
    (credentials: Readonly<Record<string, string>> = {}): RequestListener =>
    (request, response) => {
      if (!request.url?.startsWith("/a2a/tck")) request.url = `/a2a/tck${request.url}`;
      // The suites send the same message id with other messages, so it can't be the key of a task.
      const added = { "idempotency-key": randomUUID(), ...credentials };
      Object.assign(request.headers, added);
      for (const [name, value] of Object.entries(added)) request.headersDistinct[name] = [value];
      zone.programs?.(request, response);
    };
  return {
    /** Asks with a token, because the suites send none. */
    open: await serve(atRoot({ authorization: `Bearer ${token}` })),
    strict: await serve(atRoot()),
  };
}

const run = promisify(execFile);
const page = resolve(import.meta.dirname, "../../docs/reference/works-with.md");

/** Returns the folder that a variable names: a checkout of the suite, with its Python in `.venv`. Skips the test without one. */
function checkoutIn({ skip }: TestContext, variable: string, branch: string): string {
  const folder = process.env[variable] ?? "";
  if (folder !== "" && existsSync(join(folder, ".venv/bin/python"))) return folder;
  const missing = `Set ${variable} to a checkout of the branch ${branch} of the A2A TCK with its packages in .venv (CONTRIBUTING.md). It is ${JSON.stringify(folder)}.`;
  process.stderr.write(`${missing}\n`);
  return skip(missing);
}

interface Ran {
  readonly name: string;
  readonly passed: boolean;
}

/** Runs tests of a suite. Returns those that ran, and whether each passed. A SHOULD that isn't met is an expected failure of pytest. */
async function runSuite(folder: string, args: readonly string[]): Promise<readonly Ran[]> {
  const report = join(tempFolder(), "report.xml");
  const pytest = ["-m", "pytest", "-q", "--tb=no", `--junitxml=${report}`, ...args];
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };
  // It fails when a test does.
  const said = await run(join(folder, ".venv/bin/python"), pytest, { cwd: folder, env, timeout: 300_000 }).catch(
    String,
  );
  if (!existsSync(report)) throw new Error(`The suite did not run: ${JSON.stringify(said)}`);
  const cases = readFileSync(report, "utf8").matchAll(
    /<testcase [^>]*?\bname="([^"]*)"[^>]*?(?:\/>|>([^]*?)<\/testcase>)/g,
  );
  const ran = [...cases].filter(([, , what = ""]) => !/<skipped type="pytest.skip"/.test(what));
  return ran.map(([, name = "", what = ""]) => ({ name, passed: !/<(failure|error|skipped)\b/.test(what) }));
}

/** Returns the tests that the page lists below a heading, which the zone doesn't pass. */
function notPassed(heading: string): readonly string[] {
  const [, section = ""] = readFileSync(page, "utf8").split(`\n### ${heading}\n`);
  const [table = ""] = section.split("\n#");
  return [...table.matchAll(/^\|[^|]*`(test_[^`]+)`/gm)].map(([, name = ""]) => name);
}

/** Runs a suite, and returns which tests failed, and which the page lists. */
async function judge(heading: string, folder: string, runs: readonly (readonly string[])[]) {
  const results: Ran[] = [];
  for (const args of runs) results.push(...(await runSuite(folder, args)));
  const failed = results.filter(({ passed }) => !passed).map(({ name }) => name);
  const { stdout } = await run("git", ["-C", folder, "rev-parse", "--short", "HEAD"]).catch(() => ({
    stdout: "unknown",
  }));
  noteWorksWith({
    name: heading,
    version: stdout.trim(),
    as: "suite",
    passed: results.length - failed.length,
    of: results.length,
    note: `[The others](#failed-tests) have reasons.`,
  });
  return { failed: failed.toSorted(), listed: notPassed(heading).toSorted() };
}

test("J10: the A2A TCK for 1.0 passes, but for the tests that the reference lists", async (context) => {
  const folder = checkoutIn(context, "A2A_TCK", "1.0-dev");
  const { open } = await startTckZone();
  const run10 = ["tests/compatibility", `--sut-host=${open}`, "--transport=jsonrpc"];
  const { failed, listed } = await judge("A2A TCK 1.0-dev", folder, [run10]);
  expect(failed).toEqual(listed);
});

/** Tests that send no token, or a wrong one. */
const strictly = [
  "tests/mandatory/authentication",
  "tests/mandatory/security",
  "tests/mandatory/protocol/test_extended_agent_card.py",
  "tests/mandatory/protocol/test_a2a_v030_new_methods.py::TestAuthenticatedExtendedCard",
  "tests/optional/capabilities/test_authentication.py",
];

test("J10: the A2A TCK for 0.3 passes, but for the tests that the reference lists", async (context) => {
  const folder = checkoutIn(context, "A2A_TCK_03", "0.3.x");
  const { open, strict } = await startTckZone();
  const all = ["--test-scope=all", "--transports=jsonrpc"];
  const others = strictly.map((path) => `--deselect=${path}`);
  const { failed, listed } = await judge("A2A TCK 0.3.x", folder, [
    ["tests/mandatory", "tests/optional", `--sut-url=${open}`, ...all, ...others],
    [...strictly, `--sut-url=${strict}`, ...all],
  ]);
  expect(failed).toEqual(listed);
});
