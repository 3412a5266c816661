import type { AgentRecord } from "@crosszone/contracts";
import { agentDefaults } from "../registry/agent-settings.ts";

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
