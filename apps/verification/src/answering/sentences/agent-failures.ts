import type { ErrorKind } from "@crosszone/contracts";

/** The text of an agent's failure for the requester. */
export interface AgentFailure {
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
} as const satisfies Partial<Record<ErrorKind, AgentFailure>>;
