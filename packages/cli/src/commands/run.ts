import { randomUUID } from "node:crypto";
import { RefusedError } from "../api/api-failure.ts";
import { defineCommand, exitCodes, jsonOption, type Command } from "../arguments/command.ts";
import { readDuration } from "../arguments/read-duration.ts";
import { UsageError } from "../arguments/usage-error.ts";
import { readInput } from "../input/read-input.ts";
import { harmlessJson } from "../output/harmless.ts";
import { tellEnd } from "../output/tell-end.ts";
import { followRun } from "../progress/follow-run.ts";
import { orNear } from "./near-workflows.ts";

export const runCommand: Command = defineCommand({
  name: "run",
  summary: "Starts a run of a workflow, shows its progress, and prints its output.",
  operands: "<workflow>",
  count: [1, 1],
  options: {
    input: {
      type: "string",
      multiple: true,
      value: "<input>",
      help: "JSON, @file, - (standard input), or key=value; can be repeated",
    },
    version: { type: "string", value: "<version>", help: "version of the workflow (default: the latest)" },
    timeout: { type: "string", value: "<time>", help: "deadline of the run, such as 90s, 5m or 1h" },
    detach: { type: "boolean", help: "start the run, print its id, and exit" },
    "idempotency-key": {
      type: "string",
      value: "<key>",
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
    const { api: open, stdin, stdout, stderr } = session;
    const key = values["idempotency-key"] ?? randomUUID();
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
    return tellEnd(run, { stdout, stderr, json });
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
