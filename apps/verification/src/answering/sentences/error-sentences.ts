import { type ErrorKind, type ParamProblem, ZoneError, type ZoneErrorDetail } from "@crosszone/contracts";
import { LinkError, type LinkErrorKind } from "@crosszone/jsonrpc";
import { denialSentence, DeniedError, waitText } from "../../policy/denials.ts";
import { literalMarkdown, oneLine } from "../markdown/neutralise.ts";
import { callOf } from "./agents-list.ts";
import { agentFailures, failedRunSentence, tryAgainSoon } from "./failed-run-sentence.ts";
import { NoSuchAgentError } from "./no-such-agent.ts";

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
 * protocol term. Each error kind has its own sentence.
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
  const ofRun = failed_run && failedRunSentence({ kind, failed_run, agent });
  const detail = data.owner_detail === undefined ? "" : `\n_For the agent's owner:_ ${oneLine(data.owner_detail, 500)}`;
  return `${ofRun ?? zoneSentences[kind](data)}${detail}`;
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
