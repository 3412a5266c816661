import { randomUUID } from "node:crypto";
import type { RunProblem, WorkflowRun } from "@crosszone/contracts";
import { RefusedError } from "../api/failures.ts";
import { readInput } from "./run-input.ts";
import { orNear } from "./unknown-names.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { exitCodes, UsageError, type ExitCode } from "../program/errors.ts";
import { readDuration } from "../program/options.ts";
import type { Session } from "../program/session.ts";
import { styled } from "../progress/displays.ts";
import { followRun } from "../progress/follow-run.ts";
import {
  harmlessJson,
  asText,
  factsText,
  harmlessLine,
  momentText,
  stateText,
  table,
  takesOf,
  tookOf,
} from "../text/terminal-text.ts";

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
      ...(timeout !== undefined && { deadline_ms: readDuration("--timeout", timeout) }),
      ...(await readInput(values.input ?? [], stdin)),
    };
    const api = open();
    const started = await api.startRun(request, key).catch(orNear(api, workflowId)).catch(orShape(workflowId));
    const { run_id } = started;
    if (values.detach === true) {
      stdout.write(`${json ? harmlessJson(started) : run_id}\n`);
      return exitCodes.done;
    }
    const run = await followRun(api, session, {
      runId: run_id,
      headline: `${workflowId} ${started.version}: ${api.pageOf(run_id)}`,
      stop: {
        sentence: "Canceling the run. Press Ctrl-C again to leave at once.",
        run: () => api.cancel(run_id).catch(unlessEnded),
      },
    });
    return printResult(run, { ...session, json });
  },
});

/** Ignores the conflict if the run ended before the cancellation arrived. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof RefusedError && error.kind === "run-ended")) throw error;
}

/** Returns an error handler that refers to the workflow's input schema when the input doesn't match it. */
function orShape(workflowId: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof RefusedError && error.kind === "invalid-input")
      error.message += ` Its input_schema is in: crosszone workflows show ${workflowId}`;
    throw error;
  };
}

/** Returns a run with its steps and output as text; `page` is the URL of its web page. */
export function runText(run: WorkflowRun, page: string, { stdout, env }: Pick<Session, "stdout" | "env">): string {
  const { run_id, workflow_id, version, name, created_at, deadline, correlation_id, error, output } = run;
  const facts = factsText({
    run: run_id,
    workflow: `${workflow_id} ${version} (${name})`,
    state: stateText(run),
    deadline: run.ended_at === undefined ? deadline : undefined,
    error: error && problemText(error),
    created: momentText(created_at, stdout),
    correlation: correlation_id,
    page,
  });
  const steps = run.steps.map((step) => [
    step.path,
    step.state,
    step.agent_name ?? step.type,
    String(step.attempt),
    takesOf(step),
    step.error?.message ?? "",
  ]);
  const said = output === undefined ? "" : `\n${asText(output)}\n`;
  return `${facts}\n${table(["STEP", "STATE", "DONE BY", "ATTEMPT", "TOOK", "ERROR"], steps, styled(stdout, env))}${said}`;
}

/** Returns reasonText a run or a step failed, on one line: message, kind and path. */
export function problemText({ kind, message, path }: RunProblem): string {
  const at = path === undefined ? "" : ` at ${path}`;
  return `${harmlessLine(message)} (${kind}${at})`;
}

interface PrintOptions extends Pick<Session, "stdout" | "stderr" | "env"> {
  readonly json: boolean;
}

/** Prints the result of a run: its output, or reasonText it failed. */
export function printResult(run: WorkflowRun, { stdout, stderr, env, json }: PrintOptions): ExitCode {
  const { run_id, state, output, retryable } = run;
  const took = tookOf(run);
  stderr.write(`${styled(stderr, env)(state)}${took && ` after ${took}`}\n`);
  if (json) stdout.write(`${harmlessJson(run)}\n`);
  if (state !== "succeeded") {
    stderr.write(`${reasonText(run)}\n`);
    if (retryable === false) stderr.write("A retry would fail the same way: fix the workflow, and start a new run.\n");
    else if (state !== "canceled") stderr.write(`To retry from the failed step: crosszone runs retry ${run_id}\n`);
    return exitCodes.failed;
  }
  if (!json && output !== undefined) stdout.write(`${asText(output)}\n`);
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
