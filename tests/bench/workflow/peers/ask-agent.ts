import type { AgentRecord } from "@crosszone/contracts";
import { createAskByHand } from "../../agents/ask-by-hand.ts";

/** Gives the agent of that name a text; its answer's. */
export type AskAgent = (agentName: string, text: string, taskId: string) => Promise<string>;

/** As somebody asks agents who writes it by hand. */
export function createAskAgent(agents: readonly AgentRecord[]): AskAgent {
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  const ask = createAskByHand();
  return async (agent_name, text, task_id) => {
    const agent = byName.get(agent_name);
    if (agent === undefined) throw new Error(`no agent ${agent_name}`);
    const ids = { run_id: task_id, task_id, correlation_id: task_id };
    return ask(agent, { ...ids, agent_name, input_data: { text } });
  };
}
