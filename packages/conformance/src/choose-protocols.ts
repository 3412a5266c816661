import { randomUUID } from "node:crypto";
import { readCard, spokenInterfaces } from "@crosszone/a2a";
import { protocols as protocolNames } from "@crosszone/agent-bridge/wire";
import type { ConformanceCheck } from "@crosszone/contracts";
import { dialects } from "./a2a/dialect.ts";
import { findCard, isJsonRpc, probeOf } from "./a2a/find-endpoint.ts";
import type { ConformanceOptions, ConformanceProtocol } from "./conformance-options.ts";
import { exchange, type Exchange, type Wire } from "./wire/exchange.ts";
import { isObject, objectOf, stringOf } from "./wire/json.ts";

export interface Choice {
  readonly protocols: readonly ConformanceProtocol[];
  /** The agent's name, from its card. */
  readonly agent: string | undefined;
  /** One failed check when the agent speaks no protocol, otherwise none. */
  readonly checks: ConformanceCheck[];
}

/** Chooses what to check: what the caller wants, what the card offers, or what the agent answers. */
export async function chooseProtocols(
  wire: Wire,
  { url, protocols }: ConformanceOptions,
  limitMs: number,
): Promise<Choice> {
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
