import type { ErrorKind, FailedRun, RunProblemKind } from "@crosszone/contracts";
import { literalMarkdown, oneLine } from "../markdown/neutralise.ts";

/** Advice for temporary failures. */
export const tryAgainSoon = "Please try again in a moment.";

/** The text of an agent's failure for the requester. */
interface AgentFailure {
  /** Follows the agent's name. */
  readonly what: string;
  /** What the reader can do, as a sentence. */
  readonly advice: string;
}

/** The texts for each kind of agent failure, used for questions and for workflow steps. */
export const agentFailures = {
  timeout: { what: "took too long, so I stopped it", advice: "Please try again, perhaps with a smaller question." },
  agent_unavailable: { what: "cannot be reached right now", advice: "If this continues, tell the people who run it." },
  agent_misconfigured: { what: "is not configured correctly", advice: "Please tell the person who runs it." },
  agent_failed: { what: "could not finish this", advice: "Please try again with other words." },
  agent_invalid_response: {
    what: "sent an answer that I could not read",
    advice: "The people who run it need to fix that.",
  },
  agent_lost_task: { what: "has lost this task", advice: "Please ask again." },
  agent_lost_answer: {
    what: "accepted this, but its connection ended without an answer",
    advice: "It may have acted: please check before you ask again.",
  },
} as const satisfies Partial<Record<ErrorKind, AgentFailure>>;

/** A failed run and its other error data. */
export interface FailedRunDetail {
  readonly agent?: string;
  readonly kind: ErrorKind;
  readonly failed_run: FailedRun;
}

const tooLong = `${agentFailures.timeout.what}. ${agentFailures.timeout.advice}`;
const smaller = "Please try again, perhaps with less data.";

const sentences = {
  agent_failed: (failed) => agentSentence(failed),
  input_denied: (failed) => `${placeOf(failed)} was not approved, so the workflow stopped there.`,
  step_timed_out: (failed) => `${placeOf(failed)} failed: ${nameOf(failed)} ${tooLong}`,
  run_timed_out: ({ failed_run }) => `${workflowOf(failed_run)} ${tooLong}`,
  mapping_failed: (failed) => mistake(failed, "a value that it uses is missing"),
  condition_failed: (failed) => mistake(failed, "its condition cannot be evaluated"),
  collection_invalid: (failed) => mistake(failed, "the items to repeat are not a list, or the list is too long"),
  join_failed: (failed) => `${placeOf(failed)} failed: too few of its branches succeeded. ${tryAgainSoon}`,
  step_failed: (failed) => `${placeOf(failed)} failed because a step inside it failed. ${tryAgainSoon}`,
  run_too_large: (failed) => `${placeOf(failed)} failed: the run has too much data. ${smaller}`,
  canceled: ({ failed_run }) => `${workflowOf(failed_run)} was stopped by someone before it finished.`,
  internal: () => undefined,
} satisfies Record<RunProblemKind, (failed: FailedRunDetail) => string | undefined>;

/**
 * Returns a message about the failed step and what the requester can do. Undefined for an internal error, which is not the step's fault.
 */
export function failedRunSentence(failed: FailedRunDetail): string | undefined {
  return sentences[failed.failed_run.reason](failed);
}

const stepFailures: Partial<Record<ErrorKind, AgentFailure>> = {
  ...agentFailures,
  canceled: { what: "was stopped", advice: tryAgainSoon },
};

function agentSentence(failed: FailedRunDetail): string | undefined {
  const failure = stepFailures[failed.kind];
  return failure && `${placeOf(failed)} failed: ${nameOf(failed)} ${failure.what}. ${failure.advice}`;
}

/** Neither a retry nor a rephrased question helps against a mistake in the workflow. */
function mistake({ failed_run }: FailedRunDetail, what: string): string {
  const place = failed_run.step === undefined ? "its output" : `the step “${titleOf(failed_run.step)}”`;
  return `${workflowOf(failed_run)} has a mistake in ${place}: ${what}. Please tell the person who maintains it.`;
}

function placeOf({ failed_run }: FailedRunDetail): string {
  if (failed_run.step === undefined) return workflowOf(failed_run);
  return `The step “${titleOf(failed_run.step)}” of the workflow “${failed_run.workflow}”`;
}

function workflowOf({ workflow }: FailedRun): string {
  return `The workflow “${workflow}”`;
}

/** A step without an agent is named by its workflow. */
function nameOf({ agent, failed_run }: FailedRunDetail): string {
  return agent === undefined || agent === failed_run.workflow
    ? "the awaited event"
    : `the agent “${literalMarkdown(agent)}”`;
}

const titleOf = (title: string): string => literalMarkdown(oneLine(title, 80));
