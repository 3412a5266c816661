import { randomUUID } from "node:crypto";
import { text as textOfStream } from "node:stream/consumers";
import {
  isRunState,
  type RunProblem,
  type RunState,
  type WorkflowRun,
  type WorkflowRunSummary,
} from "@crosszone/contracts";
import { shortId } from "@crosszone/service-kit/text";
import { onRefused, orSay, readJson } from "../api/send.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { showRunUntilEnd } from "../program/follow-run.ts";
import {
  cursorNotice,
  cursorOptions,
  namesOf,
  openOption,
  readDuration,
  readGiven,
  readList,
} from "../program/options.ts";
import { didYouMean, type ExitCode, exitCodes, type Session, styled, UsageError } from "../program/session.ts";
import { waitsText } from "../text/input-text.ts";
import {
  valueText,
  factsText,
  harmlessJson,
  harmlessLine,
  momentText,
  ownName,
  shortDuration,
  stateText,
  table,
  takesOf,
  tookOf,
} from "../text/terminal-text.ts";
import { isFromSlack, orNear, runIdOf } from "../program/unknown-names.ts";

/**
 * Reads the input of a run: JSON, `@file` with JSON, or `-` for JSON from the standard input, overridden by any number of `key=value`
 * members. Returns undefined when none is given. Throws a `UsageError` when an input can't be read.
 */
export async function readInput(
  given: readonly string[],
  stdin: AsyncIterable<Uint8Array | string>,
): Promise<{ readonly input?: unknown }> {
  const pairs = given.map(asPair);
  const documents = given.filter((_, index) => pairs[index] === undefined);
  const [document, second] = documents;
  if (second !== undefined) throw new UsageError("Only one --input can be a document. Use key=value for the others.");
  const members = pairs.filter((pair) => pair !== undefined);
  if (document === undefined) return members.length === 0 ? {} : { input: Object.fromEntries(members) };
  const input = await readDocument(document, stdin);
  if (members.length === 0) return { input };
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw new UsageError("key=value needs an object to add to, and the input is not an object.");
  return { input: Object.fromEntries([...Object.entries(input), ...members]) };
}

async function readDocument(given: string, stdin: AsyncIterable<Uint8Array | string>): Promise<unknown> {
  if (given === "-") return parse(await textOfStream(stdin), "The standard input");
  if (given.startsWith("@")) return parse(String(await readGiven(given.slice(1))), given.slice(1));
  const read = readJson(given);
  if ("value" in read) return read.value;
  if (read.changed !== undefined) throw new UsageError(`--input can't be used: ${read.problem}.`);
  throw new UsageError(
    `--input "${given}" is neither JSON (${read.problem}) nor key=value. Quote a plain text as '"text"', or read a file with @file.`,
  );
}

function parse(content: string, where: string): unknown {
  const read = readJson(content);
  if ("value" in read) return read.value;
  throw new UsageError(
    read.changed !== undefined ? `${where} can't be used: ${read.problem}.` : `${where} is not JSON: ${read.problem}`,
  );
}

/** A value that is JSON keeps its type. Any other is text, including a number that would change. */
function asPair(given: string): readonly [string, unknown] | undefined {
  const [, key, value = ""] = /^([^=\s{}[\]"@-][^=\s{}[\]"]*)=(.*)$/s.exec(given) ?? [];
  if (key === undefined) return undefined;
  const read = readJson(value);
  if ("value" in read) return [key, read.value];
  if (typeof read.changed === "object") throw new UsageError(`--input ${key} can't be used: ${read.problem}.`);
  return [key, value];
}

export const runCommand: Command = defineCommand({
  name: "run",
  summary: "Starts a run of a workflow, shows its progress, and prints its output.",
  operands: ["<workflow>"],
  options: {
    input: {
      flags: "--input <input>",
      multiple: true,
      help: "JSON, @file, - (standard input), or key=value; can be repeated",
    },
    version: { flags: "--version <version>", help: "version of the workflow (default: the latest)" },
    timeout: { flags: "--timeout <time>", help: "deadline of the run, such as 90s, 5m or 1h" },
    detach: { flags: "--detach", help: "start the run, print its id, and exit" },
    idempotencyKey: {
      flags: "--idempotency-key <key>",
      help: "starting with the same key again returns the same run",
    },
    json: { ...jsonOption, help: "print the whole run as JSON at the end" },
  },
  examples: [
    ["crosszone run publish-text --input text='A text.'", "set a member of the input as text"],
    [`crosszone run check-each --input '{"texts":["a","b"]}'`, "give the input as JSON"],
    ["crosszone run publish-text --input @text.json --input title=News", "read a file, then override one member"],
    ["jq … | crosszone run publish-text --input - --json", "use it in a pipeline"],
    ["crosszone runs watch $(crosszone run publish-text --input text=x --detach)", "start now, watch later"],
  ],
  run: async ({ values, operands: [workflowId = ""] }, session) => {
    const { version, timeout, json = false } = values;
    const { api: open, stdin, stdout } = session;
    const key = values.idempotencyKey ?? randomUUID();
    if (!/^[\u0020-\u007e]{1,255}$/.test(key))
      throw new UsageError("--idempotency-key must be 1 to 255 printable ASCII characters.");
    const request = {
      workflow_id: workflowId,
      version,
      deadline_ms: timeout === undefined ? undefined : readDuration("--timeout", timeout),
      ...(await readInput(values.input ?? [], stdin)),
    };
    const api = open();
    const started = await api.startRun(request, key).catch(orNear(api, workflowId)).catch(orShape(workflowId));
    const { run_id } = started;
    if (values.detach === true) {
      stdout.write(`${json ? harmlessJson(started) : harmlessLine(run_id)}\n`);
      return exitCodes.done;
    }
    const run = await showRunUntilEnd(api, session, {
      runId: run_id,
      headline: `${workflowId} ${started.version}: ${api.pageOf(run_id)}`,
      stop: {
        sentence: "Canceling the run. Press Ctrl-C again to leave at once.",
        // The run can end before the cancellation arrives.
        run: () => api.cancel(run_id).catch(onRefused("run-ended", () => undefined)),
      },
    });
    return printResult(run, session, json);
  },
});

/** Returns an error handler that refers to the workflow's input schema when the input doesn't match it. */
const orShape = (workflowId: string) =>
  orSay("invalid-input", (error) => `${error.message} Its input_schema is in: ${ownName} workflows show ${workflowId}`);

/** Returns a run with its steps and output as text; `page` is the URL of its web page. */
function runText(run: WorkflowRun, page: string, { isWaiting, stdout, env }: Session & { isWaiting: boolean }): string {
  const { run_id, workflow_id, version, name, created_at, deadline, correlation_id, error, output } = run;
  const left = run.remaining_ms;
  const facts = factsText({
    run: run_id,
    workflow: `${workflow_id} ${version} (${name})`,
    state: isWaiting ? "waiting" : stateText(run),
    deadline:
      left === undefined ? (run.ended_at === undefined ? deadline : undefined) : `paused, ${shortDuration(left)} left`,
    error: error && problemText(error),
    created: momentText(created_at, stdout),
    correlation: correlation_id,
    page,
  });
  const steps = run.steps.map((step) => [
    step.path,
    step.state,
    step.agent_name ?? [step.type, step.child_run_id && shortId(step.child_run_id)].join(" ").trim(),
    String(step.attempt),
    takesOf(step),
    step.error?.message ?? "",
  ]);
  const columns = (stdout.isTTY === true && stdout.columns) || undefined;
  const said = output === undefined ? "" : `\n${valueText(output)}\n`;
  return `${facts}\n${table(["STEP", "STATE", "DONE BY", "ATTEMPT", "TOOK", "ERROR"], steps, { style: styled(stdout, env), columns })}${said}`;
}

/** Returns why a run or a step failed, on one line: message, kind and path. */
function problemText({ kind, message, path }: RunProblem): string {
  const at = path === undefined ? "" : ` at ${path}`;
  return harmlessLine(`${message} (${kind}${at})`);
}

/** Prints the result of a run: its output, or why it failed. */
function printResult(run: WorkflowRun, { stdout, stderr, env }: Session, json: boolean): ExitCode {
  const { run_id, state, output, retryable } = run;
  const took = tookOf(run);
  stderr.write(`${styled(stderr, env)(state)}${took && ` after ${took}`}\n`);
  if (json) stdout.write(`${harmlessJson(run)}\n`);
  if (state !== "succeeded") {
    stderr.write(`${reasonText(run)}\n`);
    if (retryable === false) stderr.write("A retry would fail the same way: fix the workflow, and start a new run.\n");
    else if (state !== "canceled")
      stderr.write(`To retry from the failed step: ${ownName} runs retry ${shortId(run_id)}\n`);
    return exitCodes.failed;
  }
  if (!json && output !== undefined) stdout.write(`${valueText(output)}\n`);
  return exitCodes.done;
}

function reasonText({ state, error }: WorkflowRun): string {
  if (error === undefined) return `The run is ${state}.`;
  const { agent_error, message } = error;
  const said =
    agent_error === undefined || agent_error.message === message
      ? ""
      : `\n  The agent: ${harmlessLine(agent_error.message)}`;
  return problemText(error) + said;
}

/** The states of runs as people read them: a running one that asks people waits for them. */
const shownStates = ["waiting", ...namesOf(isRunState)];

/** Returns the query of a state as people read it. Throws a `UsageError` for any other word. */
function stateQuery(state: string | undefined): { readonly state?: RunState; readonly waiting?: boolean } {
  if (state === undefined) return {};
  if (state === "waiting") return { state: "running", waiting: true };
  if (!isRunState(state))
    throw new UsageError(`--state must be one of ${shownStates.join(", ")}.${didYouMean(state, shownStates)}`);
  return state === "running" ? { state, waiting: false } : { state };
}

export const runsListCommand: Command = defineCommand({
  name: "runs list",
  summary: "Lists runs, newest first.",
  options: {
    workflow: { flags: "--workflow <workflow>", help: "only runs of this workflow" },
    state: { flags: "--state <state>", help: `only runs in this state: ${shownStates.join(", ")}` },
    ...openOption,
    ...cursorOptions,
  },
  examples: [
    ["crosszone runs list --state failed", "the latest failures"],
    ["crosszone runs list --state waiting", "what waits for people; --waiting is the same"],
    ["crosszone runs list --open --person Alice", "what has not ended for a person"],
  ],
  run: async ({ values: { workflow, state, waiting, ...values } }, { api, stdout }) => {
    const list = await api().runs({
      ...readList(values),
      ...stateQuery(waiting === true ? "waiting" : state),
      workflow_id: workflow || undefined,
    });
    const rows = list.runs.map((run) => [
      shortId(run.run_id),
      run.workflow_id,
      run.version,
      run.waits_for === undefined ? run.state : "waiting",
      momentText(run.created_at, stdout),
      takesOf(run),
    ]);
    const head = ["RUN", "WORKFLOW", "VERSION", "STATE", "CREATED", "TOOK"];
    return { json: list, text: { head, rows, none: "No runs." }, notice: cursorNotice(list.next_cursor) };
  },
});

export const showRun: Command = defineCommand({
  name: "runs show",
  summary: "Shows a run, its steps and its output.",
  operands: ["<run>"],
  options: { json: jsonOption },
  examples: [["crosszone runs show 7c9e… --json | jq .output", "print only the output"]],
  run: async ({ operands: [name = ""] }, session) => {
    const api = session.api();
    const run = await api.run(await runIdOf(api, name));
    const waits = run.steps.some(({ type, state }) => type === "human" && state === "running");
    const inputs = waits ? await api.inputs.open({ run_id: run.run_id }) : [];
    const shown = { ...session, isWaiting: inputs.length > 0 };
    return { json: run, text: runText(run, api.pageOf(run.run_id), shown) + waitsText(inputs) };
  },
});

export const runsWatchCommand: Command = defineCommand({
  name: "runs watch",
  summary: "Shows the progress of a run, and prints its output at the end. Ctrl-C leaves the run running.",
  operands: ["<run>"],
  options: { json: { ...jsonOption, help: "print the whole run as JSON at the end" } },
  examples: [["crosszone runs watch 7c9e…", "resume watching a run"]],
  run: async ({ values: { json = false }, operands: [name = ""] }, session) => {
    const api = session.api();
    const runId = await runIdOf(api, name);
    return printResult(await showRunUntilEnd(api, session, { runId, headline: api.pageOf(runId) }), session, json);
  },
});

export const cancelRun: Command = defineCommand({
  name: "runs cancel",
  summary: "Cancels a run and its tasks at agents.",
  operands: ["<run>"],
  options: { json: jsonOption },
  examples: [["crosszone runs cancel 7c9e…", "stop the run"]],
  run: async ({ operands: [name = ""] }, session) => {
    const api = session.api();
    const run = await api.cancel(await runIdOf(api, name));
    return { json: run, text: `${changeText(run)}\n` };
  },
});

export const retryRun: Command = defineCommand({
  name: "runs retry",
  summary: "Retries a failed or timed-out run from the step that failed.",
  operands: ["<run>"],
  options: {
    watch: { flags: "--watch", help: "show the progress, and print the output at the end" },
    json: jsonOption,
  },
  examples: [["crosszone runs retry 7c9e… --watch", "retry, and watch"]],
  run: async ({ values: { watch, json = false }, operands: [name = ""] }, session) => {
    const api = session.api();
    const run = await api.retry(await runIdOf(api, name));
    const text = `${changeText(run)}${(await isFromSlack(api.tasks, run)) ? ". The answer will be posted in its thread." : ""}`;
    if (watch === true)
      return printResult(await showRunUntilEnd(api, session, { runId: run.run_id, headline: text }), session, json);
    return { json: run, text: `${text}\n` };
  },
});

const changeText = ({ run_id, state, workflow_id }: WorkflowRunSummary): string =>
  `run ${shortId(run_id)} of ${workflow_id} is ${state}`;
