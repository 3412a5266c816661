import { AgentFailure } from "../agent-failure.ts";

/** What was thrown while an agent was called, as a failure. What nobody expected is `internal`: its text stays in `cause`, for the log. */
export function asFailure(error: unknown): AgentFailure {
  if (error instanceof AgentFailure) return error;
  return new AgentFailure("internal", "Something unexpected happened while the agent was called.", { cause: error });
}
