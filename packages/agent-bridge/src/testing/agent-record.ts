import type { AgentRecord, AgentTask } from "@crosszone/contracts";

/** A registered agent, of JSON-RPC when nothing else is said. */
export function newAgent(members: Partial<AgentRecord> = {}): AgentRecord {
  const at = "2026-01-01T00:00:00Z";
  return {
    id: "5b1f0f5e-8f6a-4a53-9a0c-6f6a1c1c9f10",
    name: "A",
    url: "http://127.0.0.1:9/",
    description: "",
    protocol: "jsonrpc-2.0",
    protocol_config: {},
    auth: { type: "none" },
    timeout_ms: 60_000,
    max_concurrency: 10,
    retry: { max_retries: 2, base_ms: 100, max_ms: 1_000 },
    breaker: { failures: 1_000, open_ms: 1_000 },
    enabled: true,
    source: "api",
    revision: 1,
    created_at: at,
    updated_at: at,
    ...members,
  };
}

/** A task as it comes off the bus. */
export function newAgentTask(members: Partial<AgentTask> = {}): AgentTask {
  return { run_id: "r1", task_id: "t1", agent_name: "A", input_data: { text: "hi" }, correlation_id: "c1", ...members };
}
