import { isObject, listAt, memberOf } from "./check.ts";
import type { Version } from "./version.ts";

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
  /** URIs of the extensions of A2A that the agent supports. */
  readonly extensions: readonly string[];
}

/**
 * Reads a card of A2A 1.0 (`supportedInterfaces`) or 0.x (`url`, `preferredTransport`, `additionalInterfaces`), or of
 * both at once. Undefined when the value is not a card of either version. Members that a call doesn't need are not
 * checked. https://a2a-protocol.org/v1.0.0/specification/#441-agentcard
 */
export function readCard(card: unknown): CardFacts | undefined {
  const interfaces = [...interfacesOfV1(card), ...interfacesOfV0(card)];
  if (interfaces.length === 0) return undefined;
  const ofSkills = listAt(card, "skills").flatMap((skill) => listAt(skill, "inputModes"));
  const modes = [...listAt(card, "defaultInputModes"), ...ofSkills];
  const capabilities = memberOf(card, "capabilities");
  return {
    interfaces,
    inputModes: modes.filter((mode) => typeof mode === "string"),
    streaming: memberOf(capabilities, "streaming") === true,
    extensions: listAt(capabilities, "extensions")
      .map((extension) => memberOf(extension, "uri"))
      .filter((uri) => typeof uri === "string"),
  };
}

/** Returns a text member; undefined if it is absent or empty. */
function textAt(holder: unknown, name: string): string | undefined {
  const text = memberOf(holder, name);
  return typeof text === "string" && text !== "" ? text : undefined;
}

function interfacesOfV1(card: unknown): readonly CardInterface[] {
  return listAt(card, "supportedInterfaces").flatMap((each) => {
    const [url, binding] = [memberOf(each, "url"), memberOf(each, "protocolBinding")];
    if (typeof url !== "string" || typeof binding !== "string") return [];
    return [{ url, binding, version: textAt(each, "protocolVersion") ?? "1.0", tenant: textAt(each, "tenant") }];
  });
}

function interfacesOfV0(card: unknown): readonly CardInterface[] {
  const url = memberOf(card, "url");
  if (!isObject(card) || typeof url !== "string") return [];
  const version = textAt(card, "protocolVersion") ?? "0.3.0";
  const preferred = textAt(card, "preferredTransport");
  const additional = listAt(card, "additionalInterfaces").map((each) => ({
    url: memberOf(each, "url"),
    transport: memberOf(each, "transport"),
  }));
  return [{ url, transport: preferred ?? "JSONRPC" }, ...additional].flatMap((each) =>
    typeof each.url === "string" && typeof each.transport === "string"
      ? [{ url: each.url, binding: each.transport, version }]
      : [],
  );
}

/** An interface over JSON-RPC in a version of this package. */
interface SpokenInterface extends Omit<CardInterface, "version"> {
  readonly version: Version["name"];
}

/** Returns the first JSON-RPC interface of each version, 1.0 before 0.3. A version such as `0.2.6` counts as 0.3. */
export function spokenInterfaces({ interfaces }: CardFacts): readonly SpokenInterface[] {
  const jsonRpc = interfaces.filter(({ binding }) => binding.toUpperCase() === "JSONRPC");
  return patterns.flatMap(([version, pattern]) => {
    const found = jsonRpc.find((each) => pattern.test(each.version));
    return found === undefined ? [] : [{ ...found, version }];
  });
}

const patterns = [
  ["1.0", /^1(\.|$)/],
  ["0.3", /^0\./],
] as const;

/** Returns the members of a card by which readers of A2A 1.0, and of 0.3 unless the form is that of 1.0, find the same URL. */
export const cardInterfaces = (url: string, form: Version["name"] = "0.3"): object => ({
  supportedInterfaces: ["1.0", "0.3"].map((protocolVersion) => ({ url, protocolBinding: "JSONRPC", protocolVersion })),
  ...(form === "0.3" && { url, preferredTransport: "JSONRPC", protocolVersion: "0.3.0" }),
});

const scheme = "bearer";

/** Returns the members of a card that declare a bearer token, for the same readers. */
export const bearerSecurity = (scopes: readonly string[], form: Version["name"] = "0.3"): object => ({
  securitySchemes: {
    bearer: { ...(form === "0.3" && { type: "http", scheme }), httpAuthSecurityScheme: { scheme } },
  },
  ...(form === "0.3" && { security: [{ bearer: scopes }] }),
  securityRequirements: [{ schemes: { bearer: { list: scopes } } }],
});
