import type { Spending } from "@crosszone/assistant";
import type { AgentTaskInput } from "../agents/agent.ts";
import { assistantName } from "../agents/assistant/assistant-agent.ts";
import { teamKey } from "../tasks/team-key.ts";
import type { Usage } from "./sql-usage.ts";

/** Returns the spending of a task's model calls, paid by the requester, channel and team. */
export function spendingOf(usage: Pick<Usage, "reserve">) {
  return ({ task_id, team_id, user_id, channel }: AgentTaskInput, onNote: (sentence: string) => void): Spending => {
    const team = team_id === undefined ? undefined : teamKey(team_id);
    const payer = { task_id, team, person: user_id, channel, agent: assistantName };
    return { reserve: (most) => usage.reserve(payer, most, onNote) };
  };
}
