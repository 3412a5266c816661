/** The promises to programs that ask over A2A (A) and MCP (C), by id. */
export const programRequirements = {
  A1: "the A2A server does what the specification demands of a server over JSON-RPC",
  A2: "A2A 1.0 and 0.3 are told apart by A2A-Version; without it a request is 0.3",
  A3: "a task, agent or request of another program looks like one that does not exist, in every operation",
  A4: "tasks, streams and subscriptions survive kill -9 and a change of process, in one order for all",
  A5: "the same idempotency key is one task",
  A6: "push notifications are refused as the specification demands",
  A7: "agent cards are signed, and signed cards of others are verified",
  C1: "one endpoint serves MCP 2026-07-28 and 2025-11-25, and the official conformance suite finds nothing unexpected",
  C2: "long work ends right for a client with tasks, with progress, and with neither",
  C3: "only scoped tokens, or tokens for this audience, are accepted; none is passed on",
  C4: "tools of MCP servers that we use are pinned, bounded and withheld when changed, and an elicitation becomes an input request",
} as const;
