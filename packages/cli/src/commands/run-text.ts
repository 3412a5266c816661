import type { RunProblem, WorkflowRun } from "@crosszone/contracts";
import { type ExitCode, exitCodes } from "../program/errors.ts";
import type { Output } from "../program/session.ts";
import {
  asText,
  factsText,
  harmlessJson,
  harmlessLine,
  stateText,
  table,
  takesOf,
  tookOf,
} from "../text/terminal-text.ts";

/** Returns a run with its steps and output as text; `page` is the URL of its web page. */
export function runText(run: WorkflowRun, page: string): string {
  const { run_id, workflow_id, version, name, created_at, deadline, correlation_id, error, output } = run;
  const facts = factsText({
    run: run_id,
    workflow: `${workflow_id} ${version} (${name})`,
    state: stateText(run),
    deadline: run.ended_at === undefined ? deadline : undefined,
    error: error && problemText(error),
    created: created_at,
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
  return `${facts}\n${table(["STEP", "STATE", "DONE BY", "ATTEMPT", "TOOK", "ERROR"], steps)}${said}`;
}

/** Returns reasonText a run or a step failed, on one line: message, kind and path. */
export function problemText({ kind, message, path }: RunProblem): string {
  const at = path === undefined ? "" : ` at ${path}`;
  return `${harmlessLine(message)} (${kind}${at})`;
}

interface PrintOptions {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly json: boolean;
}

/** Prints the result of a run: its output, or reasonText it failed. */
export function printResult(run: WorkflowRun, { stdout, stderr, json }: PrintOptions): ExitCode {
  const { run_id, state, output } = run;
  const took = tookOf(run);
  stderr.write(`${state}${took && ` after ${took}`}\n`);
  if (json) stdout.write(`${harmlessJson(run)}\n`);
  if (state !== "succeeded") {
    stderr.write(`${reasonText(run)}\n`);
    if (state !== "canceled") stderr.write(`To retry from the failed step: crosszone runs retry ${run_id}\n`);
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
