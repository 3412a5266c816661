import type { ConformanceCheck, ConformanceReport } from "@crosszone/contracts";
import { createA2AAgent } from "./a2a/a2a-agent.ts";
import { dialects } from "./a2a/dialect.ts";
import { findCard, findEndpoint } from "./a2a/find-endpoint.ts";
import { a2aChecks, allSimpleChecks } from "./checks/checks.ts";
import { chooseProtocols } from "./choose-protocols.ts";
import type { CheckConformance, ConformanceOptions, ConformanceProtocol } from "./conformance-options.ts";
import { createSlots, outOfTime, runChecks, type Slots } from "./run/run-checks.ts";
import { createSimpleAgent } from "./simple/simple-agent.ts";
import type { Wire } from "./wire/exchange.ts";

/** Checks that run at once. */
const slotCount = 6;

/** Checks an agent. Rejects only with the signal's reason, and with a `TypeError` for a URL that is not one. */
export const checkConformance: CheckConformance = async (options) => {
  const { timeoutMs = 30_000 } = options;
  const startedAt = new Date();
  const over = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, over]) : over;
  options.signal?.throwIfAborted();
  const run: Run = {
    options,
    wire: { fetch: options.fetch, signal },
    limitMs: Math.ceil(timeoutMs / 3),
    slots: createSlots(slotCount),
    questions: { ...options.questions, answered: options.questions?.answered ?? "Hello" },
    onCheck: options.onCheck ?? (() => {}),
  };
  const { protocols, agent, checks } = await checked(run);
  options.signal?.throwIfAborted();
  return {
    url: options.url,
    agent,
    protocols: [...protocols],
    ...verdict(checks),
    started_at: startedAt.toISOString(),
    duration_ms: Math.round(Date.now() - startedAt.getTime()),
    checks,
  };
};

interface Run {
  readonly options: ConformanceOptions;
  readonly wire: Wire;
  readonly limitMs: number;
  readonly slots: Slots;
  readonly questions: NonNullable<ConformanceOptions["questions"]> & { readonly answered: string };
  readonly onCheck: (check: ConformanceCheck) => void;
}

interface Checked {
  readonly protocols: readonly ConformanceProtocol[];
  readonly agent: string | undefined;
  readonly checks: ConformanceCheck[];
}

async function checked(run: Run): Promise<Checked> {
  const { options, wire, limitMs } = run;
  const choice = await chooseProtocols(wire, { url: options.url, protocols: options.protocols, limitMs });
  for (const check of choice.checks) run.onCheck(check);
  const checks = await Promise.all(choice.protocols.map((protocol) => checksOf(run, protocol)));
  return { protocols: choice.protocols, agent: choice.agent, checks: [...choice.checks, ...checks.flat()] };
}

async function checksOf(run: Run, protocol: ConformanceProtocol): Promise<ConformanceCheck[]> {
  const { options, wire, questions, limitMs, slots, onCheck } = run;
  const { url } = options;
  const common = { protocol, slots, signal: wire.signal, onCheck };
  if (protocol === "simple-a2a")
    return runChecks(allSimpleChecks, { ...common, agent: createSimpleAgent({ url, questions, limitMs }, wire) });
  const dialect = dialects[protocol];
  const prepared = once(async () => {
    const card = await findCard(wire, url, { headers: dialect.headers, limitMs });
    const endpoint = await findEndpoint(wire, { baseUrl: url, card: card.json, dialect, limitMs });
    return createA2AAgent({ dialect, questions, baseUrl: url, card, endpoint, limitMs }, wire);
  });
  const checks = a2aChecks.map((check) => ({
    ...check,
    judge: async () => check.judge(await prepared()),
  }));
  return runChecks(checks, { ...common, agent: undefined });
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
