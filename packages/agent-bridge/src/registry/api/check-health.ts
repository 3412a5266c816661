import { isA2AAgentCard, problemsOf, type AgentHealth, type AgentRecord } from "@crosszone/contracts";
import { opensDeeperThan } from "@crosszone/jsonrpc";
import { AgentFailure } from "../../agent-failure.ts";
import type { AgentClient } from "../../client/agent-client.ts";

/** An admin waits for it. */
const longestMs = 10_000;

/** Levels of arrays and objects. What is nested by the million takes seconds to parse, and the process does nothing else then. */
const maxDepth = 64;

/**
 * Looks whether an agent answers, by its agent card: `healthy` with a card, `unhealthy` when it cannot be reached or its card is none,
 * `unknown` when it answers and has no card, as agents need not. https://a2a-protocol.org/v0.3.0/specification/#5-agent-discovery-the-agent-card
 */
export async function checkHealth(
  client: Pick<AgentClient, "fetchCard">,
  agent: AgentRecord,
  signal: AbortSignal,
): Promise<AgentHealth> {
  const checked_at = new Date().toISOString();
  const startedAt = performance.now();
  const seen = await look(client, agent, signal);
  return { name: agent.name, checked_at, duration_ms: Math.round(performance.now() - startedAt), ...seen };
}

type Seen = Pick<AgentHealth, "status" | "card" | "problem">;

async function look(client: Pick<AgentClient, "fetchCard">, agent: AgentRecord, signal: AbortSignal): Promise<Seen> {
  const timeoutMs = Math.min(agent.timeout_ms, longestMs);
  try {
    const { status, body } = await client.fetchCard({ agent, timeoutMs, signal });
    if (status === 404 || status === 405 || status === 410)
      return { status: "unknown", problem: `It answers, and has no agent card: HTTP ${status}.` };
    if (status !== 200)
      return { status: "unhealthy", problem: `It answers the question for its card with HTTP ${status}.` };
    return readCard(body);
  } catch (error) {
    if (error instanceof AgentFailure) return { status: "unhealthy", problem: error.message };
    throw error;
  }
}

function readCard(body: Uint8Array): Seen {
  if (opensDeeperThan(body, maxDepth))
    return { status: "unhealthy", problem: `Its agent card is nested in more than ${maxDepth} levels.` };
  let card: unknown;
  try {
    card = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return { status: "unhealthy", problem: "Its agent card is not JSON." };
  }
  if (isA2AAgentCard(card)) return { status: "healthy", card };
  const wrong = problemsOf(isA2AAgentCard, card).map(({ pointer, message }) => `${pointer} ${message}`.trim());
  return { status: "unhealthy", problem: `Its agent card is not valid: ${wrong.join("; ")}.` };
}
