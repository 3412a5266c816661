import type { AgentErrorKind } from "@crosszone/contracts";
import { AgentFailure } from "../agent-failure.ts";
import type { AgentReply } from "../client/agent-client.ts";
import { agentWords } from "./agent-words.ts";

export function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * Returns the failure of an HTTP status without a response of the agent's protocol.
 * https://www.rfc-editor.org/rfc/rfc9110#section-15
 */
export function failureOfStatus({ status, body }: AgentReply): AgentFailure {
  const kind = kindOf(status);
  const said = agentWords(new TextDecoder().decode(body.subarray(0, 4_096)));
  return new AgentFailure(kind, `The agent answered with HTTP ${status}: ${meaning[kind]}.`, {
    code: status,
    ...(said !== undefined && { data: said }),
  });
}

const meaning = {
  unauthorized: "it rejects our credentials; check the agent's auth in the registry",
  rate_limited: "it is overloaded",
  http_unavailable: "it can't answer right now",
  http_error: "it rejects the request; check the agent's url and protocol in the registry",
} satisfies Partial<Record<AgentErrorKind, string>>;

function kindOf(status: number): keyof typeof meaning {
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 429) return "rate_limited";
  return status === 408 || status === 425 || status >= 500 ? "http_unavailable" : "http_error";
}
