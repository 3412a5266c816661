import { randomUUID } from "node:crypto";
import { RefusedError } from "../api/failures.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { exitCodes, UsageError } from "../program/errors.ts";
import { readDuration } from "../program/options.ts";
import { followRun } from "../progress/follow-run.ts";
import { harmlessJson } from "../text/terminal-text.ts";
import { orNear } from "./unknown-names.ts";
import { readInput } from "./run-input.ts";
import { printResult } from "./run-text.ts";

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
      ...(version !== undefined && { version }),
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
