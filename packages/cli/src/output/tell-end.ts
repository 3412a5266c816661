import type { WorkflowRun } from "@crosszone/contracts";
import { exitCodes, type ExitCode } from "../arguments/command.ts";
import type { Output } from "../session.ts";
import { asText } from "./as-text.ts";
import { tookOf } from "./duration.ts";
import { harmlessJson, harmlessLine } from "./harmless.ts";
import { problemText } from "./problem-text.ts";

export interface TellOptions {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly json: boolean;
}

/** Prints the result of a run: its output, or why it failed. */
export function tellEnd(run: WorkflowRun, { stdout, stderr, json }: TellOptions): ExitCode {
  const { run_id, state, output } = run;
  const took = tookOf(run);
  stderr.write(`${state}${took && ` after ${took}`}\n`);
  if (json) stdout.write(`${harmlessJson(run)}\n`);
  if (state !== "succeeded") {
    stderr.write(`${why(run)}\n`);
    if (state !== "canceled") stderr.write(`To retry from the failed step: crosszone runs retry ${run_id}\n`);
    return exitCodes.failed;
  }
  if (!json && output !== undefined) stdout.write(`${asText(output)}\n`);
  return exitCodes.done;
}

function why({ state, error }: WorkflowRun): string {
  if (error === undefined) return `The run is ${state}.`;
  const { agent_error, message } = error;
  const said =
    agent_error === undefined || agent_error.message === message
      ? ""
      : `\n  The agent: ${harmlessLine(agent_error.message)}`;
  return problemText(error) + said;
}
