import type { AgentHealth, AgentRecord } from "@crosszone/contracts";
import { isObject } from "@crosszone/service-kit/json";
import { AgentFailure } from "../protocol/agent-failure.ts";
import type { AgentClient } from "../client/agent-client.ts";
import { chooseInterface } from "../discovery/choose-interface.ts";
import { readCard } from "../protocol/read-card.ts";
import { parseCard } from "../client/agent-card.ts";

/** Timeout of a probe, milliseconds. It is short because an admin waits for the result. */
const longestMs = 10_000;

/**
 * Probes an agent by its card, of A2A 0.3 or 1.0: `healthy` with a card that leads to the agent, `reachable` when the agent answers but has
 * no card, `unhealthy` when it cannot be reached or its card is wrong; `problem` says what to do.
 * https://a2a-protocol.org/v1.0.0/specification/#8-agent-discovery-the-agent-card
 */
export async function checkHealth(
  client: Pick<AgentClient, "fetchCard">,
  agent: AgentRecord,
  signal: AbortSignal,
): Promise<AgentHealth> {
  const checked_at = new Date().toISOString();
  const startedAt = performance.now();
  const found = await probe(client, agent, signal);
  return { name: agent.name, checked_at, duration_ms: Math.round(performance.now() - startedAt), ...found };
}

type Found = Pick<AgentHealth, "status" | "card" | "problem">;

/** Statuses of a server without a card: not found, method not allowed, gone, not implemented. */
const withoutCard: ReadonlySet<number> = new Set([404, 405, 410, 501]);

async function probe(client: Pick<AgentClient, "fetchCard">, agent: AgentRecord, signal: AbortSignal): Promise<Found> {
  const timeoutMs = Math.min(agent.timeout_ms, longestMs);
  try {
    const { status, body } = await client.fetchCard({ agent, timeoutMs, signal });
    if (withoutCard.has(status))
      return { status: "reachable", problem: `The agent answers but has no agent card (HTTP ${status}).` };
    if (status !== 200)
      return { status: "unhealthy", problem: `The request for the agent card failed with HTTP ${status}.` };
    return judgeCard(parseCard(body), agent);
  } catch (error) {
    if (error instanceof AgentFailure) return { status: "unhealthy", problem: error.message };
    throw error;
  }
}

function judgeCard(card: unknown, agent: AgentRecord): Found {
  const { url, protocol } = agent;
  if (!isObject(card))
    return { status: "unhealthy", problem: "The agent card is not a JSON object of at most 64 levels." };
  const facts = readCard(card);
  if (facts === undefined)
    return {
      status: "unhealthy",
      card,
      problem:
        "The agent card has no interface to call: add supportedInterfaces (A2A 1.0), or url and protocolVersion (0.3).",
    };
  const chosen = chooseInterface(facts, agent);
  if (protocol === "auto" || new URL(chosen.url).href === new URL(url).href) return { status: "healthy", card };
  const problem = `The agent card names the URL ${chosen.url}, but the agent is registered with ${url}. Register it with that URL, or with protocol "auto".`;
  return { status: "unhealthy", card, problem };
}
