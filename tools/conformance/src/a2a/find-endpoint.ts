import { randomUUID } from "node:crypto";
import { methodOf, readCard, spokenInterfaces, type Version, versions } from "@crosszone/a2a";
import { AgentFailure, protocols, urlOf } from "@crosszone/agent-bridge/wire";
import { exchange, type Exchange, isObject, type JsonObject, objectOf, type Wire } from "../wire.ts";

type A2AProtocol = "a2a-1.0" | "jsonrpc-2.0";

/** Task states by the names of A2A 0.3, which name them the same way in both versions. */
export const stateNames = [
  "submitted",
  "working",
  "input-required",
  "completed",
  "canceled",
  "failed",
  "rejected",
  "auth-required",
  "unknown",
] as const;

export type StateName = (typeof stateNames)[number];

/** One version of A2A, and the words that a message or a task has in it. */
export interface Dialect {
  readonly protocol: A2AProtocol;
  readonly version: Version["name"];
  readonly wire: Version;
  readonly roles: { readonly user: string; readonly agent: string };
  readonly stateWords: readonly string[];
}

export const dialects: Readonly<Record<A2AProtocol, Dialect>> = {
  "a2a-1.0": {
    protocol: protocols["1.0"],
    version: "1.0",
    wire: versions["1.0"],
    roles: { user: "ROLE_USER", agent: "ROLE_AGENT" },
    stateWords: stateNames
      .filter((name) => name !== "unknown")
      .map((name) => `TASK_STATE_${name.toUpperCase().replace("-", "_")}`),
  },
  "jsonrpc-2.0": {
    protocol: protocols["0.3"],
    version: "0.3",
    wire: versions["0.3"],
    roles: { user: "user", agent: "agent" },
    stateWords: stateNames,
  },
};

export interface Endpoint {
  readonly url: string;
  /** The URL of the card, when it has one for this version. */
  readonly cardUrl: string | undefined;
  /** The last request that tried to find the endpoint. */
  readonly probe: Exchange;
  readonly answers: boolean;
}

/** How an agent is probed. */
interface Probing {
  readonly dialect: Dialect;
  readonly limitMs: number;
}

/** Finds out where the agent answers JSON-RPC: at the URL of its card, otherwise at the given one. */
export async function findEndpoint(
  wire: Wire,
  baseUrl: string,
  { card, dialect, limitMs }: Probing & { readonly card: JsonObject | undefined },
): Promise<Endpoint> {
  const cardUrl = urlIn(card, baseUrl, dialect);
  const candidates = new Set([cardUrl ?? baseUrl, baseUrl]);
  let first: Endpoint | undefined;
  for (const url of candidates) {
    const probe = await probeOf(wire, url, { dialect, limitMs });
    const endpoint = { url, cardUrl, probe, answers: isJsonRpc(probe) };
    if (endpoint.answers) return endpoint;
    if (first === undefined || first.probe.status === 404) first = endpoint;
  }
  return first as Endpoint;
}

/** Returns the URL at which the zone asks the agent in this version; the URL as the card has it when the zone rejects it. */
function urlIn(json: JsonObject | undefined, baseUrl: string, { version }: Dialect): string | undefined {
  const card = readCard(json);
  const named = card && spokenInterfaces(card).find((each) => each.version === version);
  if (named === undefined) return undefined;
  try {
    return urlOf(named.url, { name: "", url: baseUrl });
  } catch (error) {
    if (!(error instanceof AgentFailure)) throw error;
    return URL.canParse(named.url) ? named.url : undefined;
  }
}

/** Asks for a task that does not exist: it costs the agent nothing. */
export function probeOf(wire: Wire, url: string, { dialect, limitMs }: Probing): Promise<Exchange> {
  const body = {
    jsonrpc: "2.0",
    id: randomUUID(),
    method: methodOf(dialect.wire, "get"),
    params: { id: randomUUID() },
  };
  const headers = { "content-type": "application/json", accept: "application/json", ...dialect.wire.headers };
  return exchange(wire, { url, method: "POST", headers, body: JSON.stringify(body), limitMs });
}

/** Whether a response is JSON-RPC, be it a faulty one. */
export const isJsonRpc = ({ json }: Exchange): boolean =>
  isObject(json) && ("jsonrpc" in json || "result" in json || typeof objectOf(json["error"])?.["code"] === "number");
