import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import { agentDefaults } from "../registry/agent-settings.ts";
import type { AgentReply } from "../protocol/protocol-adapter.ts";

export function jsonReply(value: unknown, status = 200): AgentReply {
  return textReply(JSON.stringify(value), status);
}

export function textReply(text: string, status = 200): AgentReply {
  return { status, headers: {}, body: Buffer.from(text) };
}

export function resultOf(result: unknown, id: unknown = "t1"): object {
  return { jsonrpc: "2.0", id, result };
}

export function taskIn(state: unknown, members: object = {}): object {
  return { kind: "task", id: "remote-1", contextId: "ctx-1", status: { state }, ...members };
}

export function doneWith(text: string): object {
  return taskIn("completed", { artifacts: [{ artifactId: "a", parts: [{ kind: "text", text }] }] });
}

/** An agent of A2A 0.3 as the registry returns it: defaults, overridden by `own`. */
export function agentOf(own: Partial<AgentRecord> & Pick<AgentRecord, "url">): AgentRecord {
  return {
    ...agentDefaults,
    protocol: "jsonrpc-2.0",
    id: "7b0f7d0e-6a5e-4f57-9b7e-1f7d5a0f0a01",
    name: "scout",
    source: "api",
    revision: 1,
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
    ...own,
  };
}

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
