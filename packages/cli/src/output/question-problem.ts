import type { ErrorKind } from "@crosszone/contracts";
import type { QuestionError } from "../api/ask-agent.ts";
import { harmless, harmlessLine } from "./harmless.ts";

/** What happened and what to do, for each error kind of a question. */
const sentences: Partial<Record<ErrorKind, string>> = {
  agent_unavailable: "The agent can't be reached. Check that it runs, and its URL: crosszone agents show",
  agent_misconfigured:
    "The agent's address or protocol can't be used. Check its URL and its card: crosszone agents show",
  agent_failed: "The agent failed.",
  agent_invalid_response: "The agent sent a response that Crosszone can't read.",
  timeout: "The agent timed out. Slow agents should return a task at once and complete it later.",
  canceled: "Canceled.",
  rate_limited: "The agent or the zone is busy. Try again later.",
  unauthorized: "The zone needs CROSSZONE_LINK_TOKEN: its EXECUTION_TOKEN. `pnpm crosszone` sets it for `pnpm dev`.",
};

/** Returns the error text of a failed question: a sentence, the agent's own message, the owner's detail, and the reference for the logs. */
export function questionProblem({ message, data }: QuestionError): string {
  const { kind, agent_says, owner_detail, correlation_id } = data;
  const lines = [
    harmlessLine((kind && sentences[kind]) ?? message),
    ...(agent_says === undefined ? [] : [`The agent says: ${harmless(agent_says)}`]),
    ...(owner_detail === undefined ? [] : [`Detail: ${harmless(owner_detail)}`]),
    ...(correlation_id === undefined ? [] : [`Reference: ${harmlessLine(correlation_id)}`]),
  ];
  return `${lines.join("\n")}\n`;
}
