import type { AgentRecord, MessageRecord, TaskRecord } from "@crosszone/contracts";

const at = (ms: number): string => new Date(Date.parse("2026-11-21T09:30:00Z") + ms).toISOString();

export const counter: AgentRecord = {
  id: "0b0f3c0e-7f5b-4f0e-9d6c-2d7b1c9a4e11",
  name: "counter",
  url: "http://127.0.0.1:8090",
  description: "Counts\u001b[2J",
  protocol: "auto",
  protocol_config: {},
  auth: { type: "none" },
  timeout_ms: 30_000,
  max_concurrency: 10,
  enabled: true,
  retry: { max_retries: 3, base_ms: 500, max_ms: 30_000 },
  breaker: { failures: 5, open_ms: 30_000 },
  source: "api",
  revision: 1,
  created_at: at(0),
  updated_at: at(0),
};

export const reference = "f8a53243-76d1-4764-b836-4766d22d188e";

export const task: TaskRecord = {
  task_id: "bc81fc9b-e33d-4ef0-9c4a-a27cc023bd3b",
  state: "error",
  caller: "verification",
  agent: "counter\u001b[2J of words",
  correlation_id: reference,
  attempts: 1,
  error: { kind: "agent_unavailable", code: -32_010, message: "Agent unavailable", detail: "no tokens\u001b[2J" },
  created_at: at(200),
  deadline: at(600_000),
  ended_at: at(8_500),
};

export const message: MessageRecord = {
  reference,
  revision: 1,
  state: "answered",
  team_id: "T1",
  channel: "C1",
  ts: "1732184531.000200",
  thread_ts: "1732184531.000200",
  user_id: "U1",
  attempts: 1,
  received_at: at(0),
  judged_at: at(20),
  posted_at: at(9_000),
  ended_at: at(9_100),
};
