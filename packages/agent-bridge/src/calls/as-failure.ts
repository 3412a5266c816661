import { AgentFailure } from "../agent-failure.ts";

/**
 * Converts an error of an agent call to a failure. An unexpected error becomes `internal`, with its text in `cause`,
 * for the log.
 */
export function asFailure(error: unknown): AgentFailure {
  if (error instanceof AgentFailure) return error;
  return new AgentFailure("internal", "An unexpected error occurred while the agent was called.", { cause: error });
}
