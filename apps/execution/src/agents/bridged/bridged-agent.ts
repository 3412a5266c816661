import { ZoneError, type AgentRecord, type AgentResult } from "@crosszone/contracts";
import { teamKey } from "../../tasks/team-key.ts";
import type { Agent, AgentAnswer } from "../agent.ts";
import { agentTaskOf } from "./agent-task-of.ts";
import { answerWith } from "./answer-with.ts";
import type { TaskExchange } from "./task-exchange.ts";
import { zoneKindOf } from "./zone-kind-of.ts";

/**
 * An agent of the registry, which the bridge asks over HTTP. A task of it may be run again: the bridge knows it by its id, and gives
 * the result that it has.
 */
export function createBridgedAgent(
  { name, description }: Pick<AgentRecord, "name" | "description">,
  exchange: Pick<TaskExchange, "ask" | "cancel">,
): Agent {
  return {
    name,
    description,
    skills: [],
    repeatable: true,
    run: async (input, context) => {
      const { signal, traceparent } = context;
      const team = input.team_id === undefined ? undefined : teamKey(input.team_id);
      const result = await exchange.ask({ task: agentTaskOf(name, input, context), team, traceparent }, signal);
      return answerOf(result, name);
    },
    cancelElsewhere: (task) => exchange.cancel(task, "canceled"),
  };
}

function answerOf({ status, output_data, error, error_message }: AgentResult, agent: string): AgentAnswer {
  if (status === "SUCCESS") return answerWith(output_data);
  const kind = error === undefined ? "agent_failed" : zoneKindOf(error.kind);
  // What the agent says is for the log: it may hold anything.
  const cause = new AgentResultError(error?.message ?? error_message ?? "the agent failed and did not say why");
  throw new ZoneError(kind, { agent }, { cause });
}

/** What the bridge says of an agent that failed, for the log. */
class AgentResultError extends Error {
  override readonly name = "AgentResultError";
}
