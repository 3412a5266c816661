import { randomUUID } from "node:crypto";
import { exchange, type Exchange, type Wire } from "../wire/exchange.ts";
import { isObject, objectOf, objectsOf, stringOf, type JsonObject } from "../wire/json.ts";
import type { Endpoint } from "./a2a-agent.ts";
import type { Dialect } from "./dialect.ts";

/** Returns the versions of A2A that a card offers over JSON-RPC, with their URLs, in the card's order. */
export function offersOf(card: JsonObject | undefined): readonly { readonly version: string; readonly url: string }[] {
  if (!card) return [];
  const declared = objectsOf(card["supportedInterfaces"])
    .filter((each) => each["protocolBinding"] === "JSONRPC")
    .map((each) => ({ version: versionOf(each["protocolVersion"]), url: stringOf(each["url"]) ?? "" }));
  const preferred = stringOf(card["preferredTransport"]) ?? "JSONRPC";
  const additional = objectsOf(card["additionalInterfaces"]).find((each) => each["transport"] === "JSONRPC");
  const url = preferred === "JSONRPC" ? stringOf(card["url"]) : stringOf(additional?.["url"]);
  const older = versionOf(card["protocolVersion"]);
  return [...declared, ...(url !== undefined && older === "0.3" ? [{ version: older, url }] : [])];
}

/** `1.0.1` is the version 1.0. Versions before 0.3 are read as it. */
function versionOf(value: unknown): string {
  const version = /^\d+\.\d+/.exec(String(value))?.[0] ?? "";
  return ["0.1", "0.2"].includes(version) ? "0.3" : version;
}

interface Search {
  readonly baseUrl: string;
  readonly card: JsonObject | undefined;
  readonly dialect: Dialect;
  readonly limitMs: number;
}

/** Finds out where the agent answers JSON-RPC: at the URL of its card, otherwise at the given one. */
export async function findEndpoint(wire: Wire, { baseUrl, card, dialect, limitMs }: Search): Promise<Endpoint> {
  const named = offersOf(card).find(({ version }) => version === dialect.version)?.url;
  const cardUrl = named !== undefined && URL.canParse(named) ? named : undefined;
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
