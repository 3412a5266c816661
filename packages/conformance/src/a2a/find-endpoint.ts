import { randomUUID } from "node:crypto";
import { AgentFailure, readCard, spokenInterfaces, urlOf } from "@crosszone/agent-bridge/wire";
import { exchange, type Exchange, type Wire } from "../wire/exchange.ts";
import { isObject, objectOf, type JsonObject } from "../wire/json.ts";
import type { Endpoint } from "./a2a-agent.ts";
import type { Dialect } from "./dialect.ts";

interface Search {
  readonly baseUrl: string;
  readonly card: JsonObject | undefined;
  readonly dialect: Dialect;
  readonly limitMs: number;
}

/** Finds out where the agent answers JSON-RPC: at the URL of its card, otherwise at the given one. */
export async function findEndpoint(wire: Wire, { baseUrl, card, dialect, limitMs }: Search): Promise<Endpoint> {
  const cardUrl = urlIn(card, baseUrl, dialect);
  const candidates = [...new Set([...(cardUrl === undefined ? [] : [cardUrl]), baseUrl])];
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
function urlIn(json: JsonObject | undefined, baseUrl: string, { protocol }: Dialect): string | undefined {
  const card = readCard(json);
  const named = card && spokenInterfaces(card).find((each) => each.protocol === protocol);
  if (named === undefined) return undefined;
  try {
    return urlOf(named, { name: "", url: baseUrl });
  } catch (error) {
    if (!(error instanceof AgentFailure)) throw error;
    return URL.canParse(named.url) ? named.url : undefined;
  }
}

/** Asks for a task that does not exist: it costs the agent nothing. */
export function probeOf(
  wire: Wire,
  url: string,
  { dialect, limitMs }: Pick<Search, "dialect" | "limitMs">,
): Promise<Exchange> {
  const body = { jsonrpc: "2.0", id: randomUUID(), method: dialect.methods.get, params: { id: randomUUID() } };
  const headers = { "content-type": "application/json", accept: "application/json", ...dialect.headers };
  return exchange(wire, { url, method: "POST", headers, body: JSON.stringify(body), limitMs });
}

/** Whether a response is JSON-RPC, be it a faulty one. */
export const isJsonRpc = ({ json }: Exchange): boolean =>
  isObject(json) && ("jsonrpc" in json || "result" in json || typeof objectOf(json["error"])?.["code"] === "number");
