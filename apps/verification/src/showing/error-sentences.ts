import {
  type ErrorKind,
  type FailedRun,
  type ParamProblem,
  type RunProblemKind,
  ZoneError,
  type ZoneErrorDetail,
} from "@crosszone/contracts";
import { LinkError, type LinkErrorKind } from "@crosszone/jsonrpc";
import { denialSentence, DeniedError, waitText } from "../policy/denials.ts";
import { callOf, NoSuchAgentError } from "./agents-list.ts";
import { literalMarkdown, oneLine } from "./markdown/neutralise.ts";

/** Advice for temporary failures. */
const tryAgainSoon = "Please try again in a moment.";

/** The text of an agent's failure for the requester. */
interface AgentFailure {
  /** Follows the agent's name. */
  readonly what: string;
  /** What the reader can do, as a sentence. */
  readonly advice: string;
}

/** The texts for each kind of agent failure, used for questions and for workflow steps. */
const agentFailures = {
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
interface FailedRunDetail {
  readonly agent?: string;
  readonly agent_says?: string;
  readonly kind: ErrorKind;
  readonly failed_run: FailedRun;
}

const tooLong = `${agentFailures.timeout.what}. ${agentFailures.timeout.advice}`;
const smaller = "Please try again, perhaps with less data.";

/** The failed step and what the requester can do. Nothing for an internal error, which is not the step's fault. */
const runSentences = {
  agent_failed: (failed) => {
    const failure = stepFailures[failed.kind];
    const does = failed.agent_says === undefined ? failure?.advice : `It says:\n${quoted(failed.agent_says)}`;
    return failure && `${placeOf(failed)} failed: ${failedStepName(failed)} ${failure.what}. ${does}`;
  },
  input_denied: (failed) => `${placeOf(failed)} was not approved, so the workflow stopped there.`,
  input_withdrawn: (failed) => `What was asked was withdrawn. ${placeOf(failed)} stopped there.`,
  step_timed_out: (failed) => `${placeOf(failed)} ${tooLong}`,
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

const stepFailures: Partial<Record<ErrorKind, AgentFailure>> = {
  ...agentFailures,
  canceled: { what: "was stopped", advice: tryAgainSoon },
};

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
function failedStepName({ agent, failed_run }: FailedRunDetail): string {
  return agent === undefined || agent === failed_run.workflow
    ? "the awaited event"
    : `the agent “${literalMarkdown(agent)}”`;
}

const titleOf = (title: string): string => literalMarkdown(oneLine(title, 80));

type Sentence = (detail: ZoneErrorDetail) => string;

const ourFault = "Something went wrong on our side, and this was not your doing.";

const zoneSentences = {
  parse_error: () => `${ourFault} Your message could not be processed.`,
  invalid_request: () => `${ourFault} Your message was rejected by another part of this service.`,
  method_not_found: () =>
    `${ourFault} Two parts of this service have incompatible versions. It probably needs an update.`,
  invalid_params: () => "I could not use your message. Please rephrase or shorten it.",
  internal: () => `${ourFault} ${tryAgainSoon} If it happens again, tell the people who run this service.`,
  timeout: ({ agent }) => failureOf("timeout", agent ? nameOf(agent) : "This"),
  task_not_found: () => "I lost track of your question while it was being worked on. Please ask again.",
  unknown_agent: ({ agent }) =>
    `I do not know ${agent ? `an agent called “${agent}”` : "that agent"}. Write \`agents\` to see who can answer.`,
  invalid_state_transition: () => "This was already finished, so there was nothing left to change.",
  agent_unavailable: ({ agent, agent_says }) => failureOf("agent_unavailable", nameOf(agent)) + saying(agent_says),
  agent_misconfigured: ({ agent, agent_says }) => failureOf("agent_misconfigured", nameOf(agent)) + saying(agent_says),
  agent_failed: ({ agent, agent_says }) =>
    `${nameOf(agent)} ${agentFailures.agent_failed.what}${
      agent_says === undefined ? " and did not say why." : `. It says:\n${quoted(agent_says)}`
    }`,
  agent_invalid_response: ({ agent }) => failureOf("agent_invalid_response", nameOf(agent)),
  agent_lost_task: ({ agent }) => failureOf("agent_lost_task", nameOf(agent)),
  agent_lost_answer: ({ agent }) => failureOf("agent_lost_answer", nameOf(agent)),
  rate_limited: ({ retry_after_ms }) =>
    `I have too much to do right now. Please try again in ${waitText(retry_after_ms)}.`,
  unauthorized: () => `${ourFault} This service is not set up correctly; please tell the people who run it.`,
  payload_too_large: () => "This is more text than I can process. Please send less text, or ask in a new thread.",
  canceled: () => "This was stopped before it finished.",
  input_request_not_found: () => "What was asked here is not open any more.",
  zone_unavailable: ({ problems = [] }) =>
    `The part of this service that answers questions cannot work right now${because(problems[0])}. ${tryAgainSoon}`,
  shutting_down: () => `The part of this service that answers questions is being restarted. ${tryAgainSoon}`,
} satisfies Record<ErrorKind, Sentence>;

const linkSentences = {
  unreachable: () => `The part of this service that answers questions cannot be reached right now. ${tryAgainSoon}`,
  timeout: () => `The part of this service that answers questions did not answer in time. ${tryAgainSoon}`,
  aborted: () => "This was interrupted before it finished. Please ask again.",
  invalid_response: () => `${ourFault} I received an answer that I could not read.`,
  server_error: () => `${ourFault} The part of this service that answers questions reported an unknown problem.`,
} satisfies Record<LinkErrorKind, Sentence>;

/**
 * Returns a message for the requester: what went wrong, what to do, and the reference to find in the logs. It has no error code, stack or
 * protocol term, and no details for the agent's owner. Each error kind has its own sentence.
 */
export function errorSentence(error: unknown, reference: string): string {
  const denied = error instanceof DeniedError ? denialSentence(error.denial, reference) : undefined;
  if (denied !== undefined) return denied;
  return `${sentenceOf(error)}\n_Reference: ${reference}_`;
}

function sentenceOf(error: unknown): string {
  if (error instanceof NoSuchAgentError) return noSuchAgent(error);
  if (error instanceof ZoneError) return zoneSentence(error);
  if (error instanceof LinkError) return linkSentences[error.kind]();
  return zoneSentences.internal();
}

function zoneSentence({ kind, data }: ZoneError): string {
  const { agent, agent_says, failed_run } = data;
  // Execution's own assistant: its sentence says all that the requester needs. The operator finds the details with the reference.
  if (agent === undefined && agent_says !== undefined) return literalMarkdown(oneLine(agent_says, longestQuote));
  const ofRun = failed_run && runSentences[failed_run.reason]({ kind, failed_run, agent, agent_says });
  return ofRun ?? zoneSentences[kind](data);
}

function noSuchAgent({ data: { agent }, near }: NoSuchAgentError): string {
  const meant = near.map((one) => `\`${callOf(one)}: …\``);
  const last = meant.pop();
  const first = `I don't know “${agent}”`;
  if (last === undefined) return `${first}; it may be off. Write \`agents\` to see who can answer.`;
  return `${first}. Did you mean ${meant.length === 0 ? last : `${meant.join(", ")} or ${last}`}?`;
}

/** Returns the agent's own explanation as a quote; empty when it gave none. */
const saying = (words: string | undefined): string => (words === undefined ? "" : ` It says:\n${quoted(words)}`);

/** Quotes the agent's own words. */
function quoted(words: string): string {
  const lines = words.slice(0, longestQuote).toWellFormed().split("\n");
  return lines.map((line) => `> ${line}`).join("\n");
}

const longestQuote = 1_000;

const because = (problem?: ParamProblem): string =>
  problem === undefined ? "" : `: ${literalMarkdown(oneLine(problem.message, 200))}`;

function failureOf(kind: keyof typeof agentFailures, name: string): string {
  const { what, advice } = agentFailures[kind];
  return `${name} ${what}. ${advice}`;
}

function nameOf(agent: string | undefined): string {
  return agent ? `The agent “${agent}”` : "The agent";
}
