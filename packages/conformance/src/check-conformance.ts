import type { ConformanceCheck, ConformanceReport } from "@crosszone/contracts";
import { type A2AAgent, type AgentParts, createA2AAgent } from "./a2a/a2a-agent.ts";
import { type Dialect, dialects } from "./a2a/dialect.ts";
import { findCard, findEndpoint } from "./a2a/find-endpoint.ts";
import { a2aChecks, allSimpleChecks } from "./checks/checks.ts";
import { chooseProtocols } from "./choose-protocols.ts";
import type { CheckConformance } from "./conformance-options.ts";
import { outOfTime, runChecks, Slots } from "./run/run-checks.ts";
import { createSimpleAgent } from "./simple/simple-agent.ts";
import type { Wire } from "./wire/exchange.ts";

/** Checks an agent. Rejects only with the signal's reason, and with a `TypeError` for a URL that is not one. */
export const checkConformance: CheckConformance = async (options) => {
  const { timeoutMs = 30_000 } = options;
  const startedAt = new Date();
  const over = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, over]) : over;
  options.signal?.throwIfAborted();
  const wire = { fetch: options.fetch, signal };
  const limitMs = Math.ceil(timeoutMs / 3);
  const { url, onCheck = () => {} } = options;
  const choice = await chooseProtocols(wire, options, limitMs);
  for (const check of choice.checks) onCheck(check);
  const running = { slots: new Slots(), signal, onCheck };
  const given = {
    baseUrl: url,
    questions: { ...options.questions, answered: options.questions?.answered ?? "Hello" },
    limitMs,
  };
  const found = choice.protocols.map((protocol) => {
    if (protocol === "simple-a2a") {
      const agent = createSimpleAgent(given, wire);
      return runChecks(allSimpleChecks, { ...running, protocol, agent: async () => agent });
    }
    const prepared = once(() => prepareAgent(wire, dialects[protocol], given));
    const agent = async (alone: boolean) => (alone ? createA2AAgent(await prepared(), wire) : prepared());
    return runChecks(a2aChecks, { ...running, protocol, agent });
  });
  const checks = [...choice.checks, ...(await Promise.all(found)).flat()];
  options.signal?.throwIfAborted();
  return {
    url,
    agent: choice.agent,
    protocols: [...choice.protocols],
    ...verdict(checks),
    started_at: startedAt.toISOString(),
    duration_ms: Math.round(Date.now() - startedAt.getTime()),
    checks,
  };
};

async function prepareAgent(
  wire: Wire,
  dialect: Dialect,
  given: Omit<AgentParts, "dialect" | "card" | "endpoint">,
): Promise<A2AAgent> {
  const { baseUrl, limitMs } = given;
  const card = await findCard(wire, baseUrl, { headers: dialect.wire.headers, limitMs });
  const endpoint = await findEndpoint(wire, baseUrl, { card: card.json, dialect, limitMs });
  return createA2AAgent({ ...given, dialect, card, endpoint }, wire);
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => (done ??= work());
}

function verdict(checks: readonly ConformanceCheck[]): Pick<ConformanceReport, "compliant" | "summary"> {
  const count = (status: ConformanceCheck["status"], level?: ConformanceCheck["level"]): number =>
    checks.filter((check) => check.status === status && (level === undefined || check.level === level)).length;
  const summary = {
    passed: count("passed"),
    failed: count("failed", "must"),
    warned: count("failed", "should"),
    skipped: count("skipped"),
  };
  const isUnfinished = checks.some(({ level, problem }) => level === "must" && problem === outOfTime);
  return { compliant: summary.passed > 0 && summary.failed === 0 && !isUnfinished, summary };
}
