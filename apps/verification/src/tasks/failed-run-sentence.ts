import type { ErrorKind, FailedRun, RunProblemKind, ZoneErrorDetail } from "@crosszone/contracts";
import { literalMarkdown } from "../answers/literal-markdown.ts";
import { oneLine } from "../answers/one-line.ts";
import { agentFailures, type AgentFailure } from "./agent-failures.ts";
import { againSoon } from "./again-soon.ts";

/** A run that failed, and what the zone says of it beside that. */
export interface FailedRunDetail extends Pick<ZoneErrorDetail, "agent"> {
  readonly kind: ErrorKind;
  readonly failed_run: FailedRun;
}

type Sentence = (failed: FailedRunDetail) => string | undefined;

const tooLong = `${agentFailures.timeout.what}. ${agentFailures.timeout.advice}`;
const smaller = "Please try again, perhaps with less of it.";

const sentences = {
  agent_failed: (failed) => agentSentence(failed),
  step_timed_out: (failed) => `${placeOf(failed)} failed: ${nameOf(failed)} ${tooLong}`,
  run_timed_out: ({ failed_run }) => `${workflowOf(failed_run)} ${tooLong}`,
  mapping_failed: (failed) => mistake(failed, "something that it uses is not there"),
  condition_failed: (failed) => mistake(failed, "its condition cannot be worked out"),
  collection_invalid: (failed) => mistake(failed, "what it repeats is no list, or a list that is too long"),
  join_failed: (failed) => `${placeOf(failed)} failed: too few of its branches succeeded. ${againSoon}`,
  step_failed: (failed) => `${placeOf(failed)} failed, as a step inside it did. ${againSoon}`,
  run_too_large: (failed) => `${placeOf(failed)} failed: there is more data than one run may hold. ${smaller}`,
  canceled: ({ failed_run }) => `${workflowOf(failed_run)} was stopped by somebody before it was finished.`,
  internal: () => undefined,
} satisfies Record<RunProblemKind, Sentence>;

/** Says to a person which step of their run failed, and what they can do. Nothing when that is a fault of ours, and no matter of the step. */
export function failedRunSentence(failed: FailedRunDetail): string | undefined {
  return sentences[failed.failed_run.reason](failed);
}

const stepFailures: Partial<Record<ErrorKind, AgentFailure>> = {
  ...agentFailures,
  canceled: { what: "was told to stop", advice: againSoon },
};

function agentSentence(failed: FailedRunDetail): string | undefined {
  const failure = stepFailures[failed.kind];
  return failure && `${placeOf(failed)} failed: ${nameOf(failed)} ${failure.what}. ${failure.advice}`;
}

/** Trying again helps as little as other words do. */
function mistake({ failed_run }: FailedRunDetail, what: string): string {
  const place = failed_run.step === undefined ? "what it answers with" : `the step “${titleOf(failed_run.step)}”`;
  return `${workflowOf(failed_run)} has a mistake in ${place}: ${what}. Please tell who maintains it.`;
}

function placeOf({ failed_run }: FailedRunDetail): string {
  if (failed_run.step === undefined) return workflowOf(failed_run);
  return `The step “${titleOf(failed_run.step)}” of the workflow “${failed_run.workflow}”`;
}

function workflowOf({ workflow }: FailedRun): string {
  return `The workflow “${workflow}”`;
}

/** A step that no agent does is named by its workflow. */
function nameOf({ agent, failed_run }: FailedRunDetail): string {
  return agent === undefined || agent === failed_run.workflow
    ? "what it waited for"
    : `the agent “${literalMarkdown(agent)}”`;
}

const titleOf = (title: string): string => literalMarkdown(oneLine(title, 80));
