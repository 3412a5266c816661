import { randomUUID } from "node:crypto";
import {
  isAgentTestRequest,
  problemsOf,
  type AgentRecord,
  type AgentTest,
  type AgentTestExchange,
  type AgentTestRequest,
} from "@crosszone/contracts";
import type { Adapters } from "../adapters/adapters.ts";
import { createCircuitBreakers } from "../limits/circuit-breakers.ts";
import { createAgentCaller } from "../calls/create-agent-caller.ts";
import type { AgentClient } from "../client/agent-client.ts";
import { observeExchanges } from "../observer/observe-exchanges.ts";
import { invalid, type AgentChanges } from "./change-agents.ts";
import { checkHealth } from "./check-health.ts";

export interface TestAgentOptions {
  readonly client: Pick<AgentClient, "post" | "stream" | "fetchCard">;
  readonly adapters: Pick<Adapters, "adapterOf">;
  readonly agent: AgentRecord;
  readonly text: string;
  readonly correlationId: string;
  readonly signal: AbortSignal;
}

/** Timeout of a test, milliseconds. It is short because an admin waits for the result. */
const longestMs = 60_000;
const mostExchanges = 100;

/**
 * Sends a question to an agent as the bridge does, but once and without a circuit breaker. Returns all requests and responses. Rejects only
 * with the signal's reason.
 */
export async function testAgent(options: TestAgentOptions): Promise<AgentTest> {
  const { client, adapters, agent, text, correlationId, signal } = options;
  const startedAt = performance.now();
  const health = await checkHealth(client, agent, signal);
  const exchanges: AgentTestExchange[] = [];
  const observer = observeExchanges(({ agent_name: _name, correlation_id: _id, ...exchange }) => {
    if (exchanges.length < mostExchanges) exchanges.push(exchange);
  });
  const caller = createAgentCaller({ adapters, client, breakers: createCircuitBreakers(), observer });
  const task_id = randomUUID();
  const task = {
    run_id: task_id,
    task_id,
    agent_name: agent.name,
    input_data: { text },
    correlation_id: correlationId,
  };
  const { output, failure } = await caller.call(
    task,
    { ...agent, retry: { ...agent.retry, max_retries: 0 } },
    {
      deadlineAt: Date.now() + longestMs,
      signal,
      remoteId: undefined,
      onRemoteId: async () => undefined,
      traceparent: undefined,
    },
  );
  const found = failure === undefined ? ({ status: "answered", output } as const) : ({ status: "failed" } as const);
  return {
    ...found,
    ...(failure !== undefined && { failure: failure.toJSON() }),
    health,
    exchanges,
    duration_ms: Math.round(performance.now() - startedAt),
  };
}

/** Returns the agent and the question of a test request. Throws a `RegistryProblem`. */
export async function testedAgent(
  { find, draft }: Pick<AgentChanges, "find" | "draft">,
  body: unknown,
): Promise<Pick<TestAgentOptions, "agent" | "text">> {
  const problems = problemsOf(isAgentTestRequest, body);
  if (problems.length > 0) throw invalid(problems);
  const { agent, url, protocol, text } = body as AgentTestRequest;
  if ((agent === undefined) === (url === undefined))
    throw invalid([{ pointer: "", message: "must have either agent or url" }]);
  if (agent !== undefined) return { agent: await find(agent), text };
  const settings = { name: URL.parse(url ?? "")?.host ?? "agent", url, ...(protocol !== undefined && { protocol }) };
  return { agent: await draft(settings), text };
}
