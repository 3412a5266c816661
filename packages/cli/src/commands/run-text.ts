import type { RunProblem, WorkflowRun } from "@crosszone/contracts";
import { type ExitCode, exitCodes } from "../program/errors.ts";
import type { Session } from "../program/session.ts";
import { styled } from "../progress/displays.ts";
import {
  asText,
  factsText,
  harmlessJson,
  harmlessLine,
  momentText,
  stateText,
  table,
  takesOf,
  tookOf,
} from "../text/terminal-text.ts";

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
