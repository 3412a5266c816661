import { randomUUID } from "node:crypto";
import { readCard, spokenInterfaces } from "@crosszone/a2a";
import { protocols as protocolNames } from "@crosszone/agent-bridge/wire";
import type { ConformanceCheck, ConformanceReport } from "@crosszone/contracts";
import { type A2AAgent, createA2AAgent, findCard, type GivenAgent } from "./a2a/a2a-agent.ts";
import { type Dialect, dialects, findEndpoint, isJsonRpc, probeOf } from "./a2a/find-endpoint.ts";
import { type ConformanceOptions, outOfTime, runChecks, Slots } from "./check.ts";
import { a2aChecks, allSimpleChecks } from "./checklist.ts";
import { createSimpleAgent } from "./checks/simple.ts";
import { exchange, type Exchange, isObject, objectOf, stringOf, type Wire } from "./wire.ts";

/**
 * Chooses what to check: what the caller wants, what the card offers, or what the agent answers. Returns one failed check when the agent
 * speaks no protocol.
 */
async function chooseProtocols(wire: Wire, { url, protocols }: ConformanceOptions, limitMs: number) {
  try {
    const card = await findCard(wire, url, { headers: {}, limitMs });
    const agent = stringOf(card.json?.["name"]);
    if (protocols && protocols.length > 0) return { protocols: [...new Set(protocols)], agent, checks: [] };
    const facts = readCard(card.json);
    const offered = facts === undefined ? [] : spokenInterfaces(facts).map(({ version }) => protocolNames[version]);
    if (offered.length > 0) return { protocols: offered, agent, checks: [] };
    const { spoken, last } = await answeredProtocols(wire, url, limitMs);
    return { protocols: spoken, agent, checks: spoken.length > 0 ? [] : [nothingSpoken(last)] };
  } catch (error) {
    if (!wire.signal.aborted) throw error;
    return { protocols: protocols ?? [], agent: undefined, checks: protocols ? [] : [nothingSpoken(undefined)] };
  }
}

/** Without a card: the versions of A2A that know their own method names, otherwise A2A 0.3 or Simple A2A by the response. */
async function answeredProtocols(wire: Wire, url: string, limitMs: number) {
  const probes = await Promise.all(
    Object.values(dialects).map(async (dialect) => ({
      dialect,
      probe: await probeOf(wire, url, { dialect, limitMs }),
    })),
  );
  const rpc = probes.filter(({ probe }) => isJsonRpc(probe));
  const known = rpc.filter(({ probe }) => ![-32601, -32009].includes(codeOf(probe)));
  const [spoken = []] = [known, rpc.slice(-1)].filter((each) => each.length > 0);
  if (spoken.length > 0)
    return { spoken: spoken.map(({ dialect }) => dialect.protocol), last: (spoken[0] as (typeof probes)[0]).probe };
  const body = JSON.stringify({ task_id: randomUUID(), input: { text: "Hello" } });
  const headers = { "content-type": "application/json" };
  const simple = await exchange(wire, { url, method: "POST", headers, body, limitMs });
  const isSimple = isObject(simple.json) && ["success", "error"].includes(simple.json["status"] as string);
  return { spoken: isSimple ? (["simple-a2a"] as const) : [], last: simple };
}

const codeOf = ({ json }: Exchange): number => Number(objectOf(objectOf(json)?.["error"])?.["code"]);

function nothingSpoken(last: Exchange | undefined): ConformanceCheck {
  const came = last?.problem ?? (last ? `HTTP ${last.status}` : "nothing within the time limit");
  return {
    id: "protocol-spoken",
    protocol: "auto",
    title: "Speaks a protocol that can be checked",
    level: "must",
    status: "failed",
    rule: "The agent has a card with a JSON-RPC interface of A2A 1.0 or 0.3, or answers A2A or Simple A2A.",
    source: "https://a2a-protocol.org/v1.0.0/specification/#82-discovery-mechanisms",
    problem: `No card that offers A2A over JSON-RPC, and no response in A2A 1.0, A2A 0.3 or Simple A2A: ${came}.`,
    fix: "Check the URL. Serve a card at /.well-known/agent-card.json, or name the protocol with --protocol.",
    sent: last?.sent,
    received: last?.received,
  };
}

/** Checks an agent. Rejects only with the signal's reason, and with a `TypeError` for a URL that is not one. */
export async function checkConformance(options: ConformanceOptions): Promise<ConformanceReport> {
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
}

async function prepareAgent(wire: Wire, dialect: Dialect, given: GivenAgent): Promise<A2AAgent> {
  const { baseUrl, limitMs } = given;
  const card = await findCard(wire, baseUrl, { headers: dialect.wire.headers, limitMs });
  const endpoint = await findEndpoint(wire, baseUrl, { card: card.json, dialect, limitMs });
  return createA2AAgent({ ...given, dialect, card, endpoint }, wire);
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => (done ??= work());
}

function verdict(checks: readonly ConformanceCheck[]) {
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
