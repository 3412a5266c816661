import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import { agentOf } from "./agent-of.ts";

/** A registered agent of A2A 0.3 with two immediate retries and a circuit that stays closed. */
export function newAgent(members: Partial<AgentRecord> = {}): AgentRecord {
  return agentOf({
    name: "A",
    url: "http://127.0.0.1:9/",
    timeout_ms: 60_000,
    retry: { max_retries: 2, base_ms: 100, max_ms: 1_000 },
    breaker: { failures: 1_000, open_ms: 1_000 },
    ...members,
  });
}

/** A task as consumed from the bus. */
export function newAgentTask(members: Partial<AgentTask> = {}): AgentTask {
  return { run_id: "r1", task_id: "t1", agent_name: "A", input_data: { text: "hi" }, correlation_id: "c1", ...members };
}
