import { opensDeeperThan } from "@crosszone/jsonrpc";
import { isObject, ownList, ownMember } from "../adapters/own-member.ts";

/** An interface of an agent, from its card. */
export interface CardInterface {
  readonly url: string;
  /** `JSONRPC`, `GRPC` or `HTTP+JSON`, or the URI of another binding, as in the card. */
  readonly binding: string;
  /** Version of A2A, such as `1.0` or `0.3.0`. */
  readonly version: string;
  readonly tenant?: string;
}

/** What a card says about calling its agent. */
export interface CardFacts {
  /** In the card's order, the preferred one first. */
  readonly interfaces: readonly CardInterface[];
  /** Media types that the agent accepts by default or for one of its skills; empty when the card lists none. */
  readonly inputModes: readonly string[];
  readonly streaming: boolean;
}

/** Largest nesting depth of arrays and objects. Parsing a million levels takes seconds and blocks the process. */
const maxDepth = 64;

/** Returns the JSON of an agent card; undefined when it is not JSON or nested too deeply. */
export function parseCard(body: Uint8Array): unknown {
  if (opensDeeperThan(body, maxDepth)) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/**
 * Reads a card of A2A 1.0 (`supportedInterfaces`) or 0.x (`url`, `preferredTransport`, `additionalInterfaces`), or of
 * both at once. Undefined when the value is not a card of either version. Members that a call doesn't need are not
 * checked. https://a2a-protocol.org/v1.0.0/specification/#441-agentcard
 */
export function readCard(card: unknown): CardFacts | undefined {
  const interfaces = [...interfacesOfV1(card), ...interfacesOfV0(card)];
  if (interfaces.length === 0) return undefined;
  const ofSkills = ownList(card, "skills").flatMap((skill) => ownList(skill, "inputModes"));
  const modes = [...ownList(card, "defaultInputModes"), ...ofSkills];
  return {
    interfaces,
    inputModes: modes.filter((mode) => typeof mode === "string"),
    streaming: ownMember(ownMember(card, "capabilities"), "streaming") === true,
  };
}

function interfacesOfV1(card: unknown): readonly CardInterface[] {
  return ownList(card, "supportedInterfaces").flatMap((each) => {
    const [url, binding, version] = ["url", "protocolBinding", "protocolVersion"].map((name) => ownMember(each, name));
    if (typeof url !== "string" || typeof binding !== "string") return [];
    const tenant = ownMember(each, "tenant");
    return [
      {
        url,
        binding,
        version: typeof version === "string" && version !== "" ? version : "1.0",
        ...(typeof tenant === "string" && tenant !== "" && { tenant }),
      },
    ];
  });
}

function interfacesOfV0(card: unknown): readonly CardInterface[] {
  const url = ownMember(card, "url");
  if (!isObject(card) || typeof url !== "string") return [];
  const stated = ownMember(card, "protocolVersion");
  const version = typeof stated === "string" && stated !== "" ? stated : "0.3.0";
  const preferred = ownMember(card, "preferredTransport");
  const additional = ownList(card, "additionalInterfaces").map((each) => ({
    url: ownMember(each, "url"),
    transport: ownMember(each, "transport"),
  }));
  return [{ url, transport: preferred ?? "JSONRPC" }, ...additional].flatMap((each) =>
    typeof each.url === "string" && typeof each.transport === "string"
      ? [{ url: each.url, binding: each.transport, version }]
      : [],
  );
}
