import { randomUUID } from "node:crypto";
import { readCard } from "@crosszone/a2a";
import { invalidBody } from "@crosszone/admin-api";
import {
  type AgentRecord,
  type AgentTest,
  type AgentTestExchange,
  type AgentTestRequest,
  type AgentHealth,
} from "@crosszone/contracts";
import { isObject } from "@crosszone/service-kit/json";
import { steadyNow } from "@crosszone/service-kit/timing";
import type { Adapters } from "../adapters/adapters.ts";
import { createAgentCaller } from "../calls/create-agent-caller.ts";
import { parseCard } from "../client/agent-card.ts";
import type { AgentClient } from "../client/agent-client.ts";
import { chooseInterface } from "../calls/discovery.ts";
import { CircuitBreakers } from "../calls/circuit-breakers.ts";
import { showExchanges } from "../protocol/agent-events.ts";
import { AgentFailure } from "../protocol/protocol-adapter.ts";
import type { AgentCallCounts } from "../registry/agent-counts.ts";
import { withoutCard } from "../client/card-words.ts";
import type { AgentChanges } from "./change-agents.ts";

/** Timeout of a test, milliseconds. It is short because an admin waits for the result. */
const longestMs = 60_000;
const mostExchanges = 100;

/**
 * Sends a question to an agent as the bridge does, but once and without a circuit breaker. Returns all requests and responses. Rejects only
 * with the signal's reason.
 */
export async function testAgent(
  {
    client,
    adapters,
    counts,
  }: { readonly client: AgentClient; readonly adapters: Adapters; readonly counts: Pick<AgentCallCounts, "count"> },
  { agent, isRegistered, text }: TestedAgent,
  { correlationId, signal }: { readonly correlationId: string; readonly signal: AbortSignal },
): Promise<AgentTest> {
  const startedAt = performance.now();
  const health = await checkHealth(client, agent, signal);
  const exchanges: AgentTestExchange[] = [];
  const emit = showExchanges(({ agent_name: _name, correlation_id: _id, ...exchange }) => {
    if (exchanges.length < mostExchanges) exchanges.push(exchange);
  });
  const caller = createAgentCaller({ adapters, client, breakers: new CircuitBreakers(), emit });
  const task_id = randomUUID();
  const ids = { run_id: task_id, task_id, agent_name: agent.name, correlation_id: correlationId };
  const { output, failure, attempts } = await caller.call(
    { ...ids, input_data: { text } },
    { ...agent, retry: { ...agent.retry, max_retries: 0 } },
    { deadlineAt: steadyNow() + longestMs, signal, onRemoteId: async () => undefined },
  );
  const duration_ms = Math.round(performance.now() - startedAt);
  const { agent_name: _name, ...made } = ids;
  const call = { ...made, agent: agent.name, team: null, kind: failure?.kind, attempts };
  if (isRegistered) counts.count({ ...call, made_by: "test" });
  if (failure === undefined) return { status: "answered", output, health, exchanges, duration_ms };
  return { status: "failed", failure: failure.toJSON(), health, exchanges, duration_ms };
}

interface TestedAgent {
  readonly agent: AgentRecord;
  readonly isRegistered: boolean;
  readonly text: string;
}

/** Returns the agent and the question of a test request. Throws an `ApiProblem`. */
export async function testedAgent(
  changes: AgentChanges,
  { agent, url, protocol, text }: AgentTestRequest,
): Promise<TestedAgent> {
  if ((agent === undefined) === (url === undefined))
    throw invalidBody([{ pointer: "", message: "must have either agent or url" }]);
  if (agent !== undefined) return { agent: await changes.find(agent), isRegistered: true, text };
  const named = { name: URL.parse(url ?? "")?.host ?? "agent", url };
  const draft = await changes.draft(protocol === undefined ? named : { ...named, protocol });
  return { agent: draft, isRegistered: false, text };
}

/** Timeout of a probe, milliseconds. It is short because an admin waits for the result. */
const longestProbeMs = 10_000;

/**
 * Probes an agent by its card, of A2A 0.3 or 1.0: `healthy` with a card that leads to the agent, `reachable` when the agent answers but has
 * no card, `unhealthy` when it cannot be reached or its card is wrong; `problem` says what to do.
 * https://a2a-protocol.org/v1.0.0/specification/#8-agent-discovery-the-agent-card
 */
export async function checkHealth(client: AgentClient, agent: AgentRecord, signal: AbortSignal): Promise<AgentHealth> {
  const checked_at = new Date().toISOString();
  const startedAt = performance.now();
  const found = await probe(client, agent, signal);
  return { name: agent.name, checked_at, duration_ms: Math.round(performance.now() - startedAt), ...found };
}

type Found = Pick<AgentHealth, "status" | "card" | "problem">;

async function probe(client: AgentClient, agent: AgentRecord, signal: AbortSignal): Promise<Found> {
  const timeoutMs = Math.min(agent.timeout_ms, longestProbeMs);
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
