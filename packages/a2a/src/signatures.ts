/** Signatures of agent cards: JWS over the canonical JSON of a card. */
import { base64url, decodeProtectedHeader, FlattenedSign, flattenedVerify, importJWK, type JWK } from "jose";
import { isObject, type JsonObject, listAt, memberOf } from "./check.ts";

/** Returns the value of a member as it is signed; undefined leaves the member out. */
type Prune = (value: unknown) => unknown;

/** A member that is required or has the keyword `optional`: signed whenever the card has it, also when it is empty. */
const kept: Prune = (value) => value;

const isEmpty = (value: unknown): boolean =>
  value === "" || value === false || (typeof value === "object" && value !== null && Object.keys(value).length === 0);

/** Any other member: signed unless it has its default value. */
const filled: Prune = (value) => (isEmpty(value) ? undefined : value);

const message =
  (members: Readonly<Record<string, Prune>>): Prune =>
  (value) =>
    isObject(value) ? withMembers(Object.keys(members), (name) => members[name]?.(memberOf(value, name))) : value;

const list =
  (item: Prune): Prune =>
  (value) =>
    Array.isArray(value) ? value.map(item) : value;

const map =
  (item: Prune): Prune =>
  (value) =>
    isObject(value) ? withMembers(Object.keys(value), (name) => item(value[name])) : value;

const withMembers = (names: readonly string[], valueOf: (name: string) => unknown): JsonObject =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)]).filter(([, value]) => value !== undefined));

const unlessEmpty =
  (prune: Prune): Prune =>
  (value) =>
    filled(prune(value));

const requirements = unlessEmpty(list(message({ schemes: unlessEmpty(map(message({ list: filled }))) })));
const oldFlow = message({ authorizationUrl: filled, tokenUrl: filled, refreshUrl: filled, scopes: filled });
const flow = { tokenUrl: kept, refreshUrl: filled, scopes: kept };
const flows = message({
  authorizationCode: message({ ...flow, authorizationUrl: kept, pkceRequired: filled }),
  clientCredentials: message(flow),
  deviceCode: message({ ...flow, deviceAuthorizationUrl: kept }),
  implicit: oldFlow,
  password: oldFlow,
});
const securityScheme = message({
  apiKeySecurityScheme: message({ description: filled, location: kept, name: kept }),
  httpAuthSecurityScheme: message({ description: filled, scheme: kept, bearerFormat: filled }),
  oauth2SecurityScheme: message({ description: filled, flows, oauth2MetadataUrl: filled }),
  openIdConnectSecurityScheme: message({ description: filled, openIdConnectUrl: kept }),
  mtlsSecurityScheme: message({ description: filled }),
});
const extension = message({ uri: filled, description: filled, required: filled, params: kept });
const skill = message({
  id: kept,
  name: kept,
  description: kept,
  tags: kept,
  examples: filled,
  inputModes: filled,
  outputModes: filled,
  securityRequirements: requirements,
});

/** The agent card of A2A 1.0. https://github.com/a2aproject/A2A/blob/v1.0.1/specification/a2a.proto */
const cardV1 = message({
  name: kept,
  description: kept,
  supportedInterfaces: list(message({ url: kept, protocolBinding: kept, protocolVersion: kept, tenant: filled })),
  provider: message({ url: kept, organization: kept }),
  version: kept,
  documentationUrl: kept,
  capabilities: message({
    streaming: kept,
    pushNotifications: kept,
    extendedAgentCard: kept,
    extensions: unlessEmpty(list(extension)),
  }),
  securitySchemes: unlessEmpty(map(securityScheme)),
  securityRequirements: requirements,
  defaultInputModes: kept,
  defaultOutputModes: kept,
  skills: list(skill),
  iconUrl: kept,
});

/**
 * Returns the part of a card that is signed, before it becomes text: without `signatures`, members of default value and members that A2A 1.0
 * does not have. Of a card for 0.3 alone that is everything but `signatures`.
 * https://a2a-protocol.org/v1.0.0/specification/#841-canonicalization-requirements
 */
export function canonicalCard(card: JsonObject): JsonObject {
  if (Object.hasOwn(card, "supportedInterfaces")) return cardV1(card) as JsonObject;
  const { signatures: _signatures, ...others } = card;
  return others;
}

/**
 * Returns the forms of a card that can be signed: that of the specification, that of SDKs, which leave out all that is empty, and that of the
 * SDK 1.3.0 for JavaScript, which loses the security schemes as well.
 */
function signedForms(card: JsonObject): readonly JsonObject[] {
  const form = canonicalCard(card);
  const { securitySchemes: _securitySchemes, ...others } = form;
  return [form, ...[form, others].map((each) => (withoutEmpty(each) ?? {}) as JsonObject)];
}

function withoutEmpty(value: unknown): unknown {
  if (value === false) return value;
  if (Array.isArray(value)) return filled(value.map(withoutEmpty).filter((item) => item !== undefined));
  if (isObject(value)) return unlessEmpty(map(withoutEmpty))(value);
  return value === null ? undefined : filled(value);
}

/** A public key of a JWKS. `exp`, Unix seconds, is when it expires. */
export type CardKey = JWK & { readonly exp?: number };

/** Returns true for a public key that can be trusted: with a name, of P-256, RSA or Ed25519. */
export const isCardKey = (key: JWK): key is CardKey =>
  typeof key.kid === "string" && key.d === undefined && algorithmOf(key) !== undefined;

/** The algorithm of a signature with a key: ES256, RS256 or EdDSA. Undefined for any other key. */
function algorithmOf({ kty, crv, alg }: JWK): "ES256" | "RS256" | "EdDSA" | undefined {
  const usual = kty === "RSA" ? "RS256" : byCurve.get(`${kty} ${crv}`);
  return alg === undefined || alg === usual || (usual === "EdDSA" && alg === "Ed25519") ? usual : undefined;
}

const byCurve: ReadonlyMap<string, "ES256" | "EdDSA"> = new Map([
  ["EC P-256", "ES256"],
  ["OKP Ed25519", "EdDSA"],
]);

export interface VerifyCardOptions {
  /** `if-present` accepts a card without signatures, and `off` every card. */
  readonly mode: "off" | "if-present" | "require";
  /** The public keys that are trusted. A `jku` of the card is never fetched. */
  readonly keys: readonly CardKey[];
  /** Unix milliseconds. */
  readonly now: number;
  /** Writes JSON as RFC 8785 demands. */
  readonly canonicalJson: (value: unknown) => string;
}

/** Why a card is not trusted. The message is a clause about the card, such as `it has no signature`. */
export class CardSignatureError extends Error {
  override readonly name = "CardSignatureError";
}

/** More signatures than a rotation of keys needs; the others are not read. */
const mostSignatures = 8;

/**
 * Returns the card that can be trusted: of a signed card, only the members that a valid signature covers. One valid signature is enough.
 * Throws a `CardSignatureError`. https://a2a-protocol.org/v1.0.0/specification/#843-signature-verification
 */
export async function verifyCard(card: JsonObject, options: VerifyCardOptions): Promise<JsonObject> {
  const { mode, canonicalJson } = options;
  const stated = memberOf(card, "signatures");
  if (mode === "off") return card;
  if (stated === undefined || (Array.isArray(stated) && stated.length === 0)) {
    if (mode === "require") throw new CardSignatureError("it has no signature");
    return card;
  }
  const entries = listAt(card, "signatures").slice(0, mostSignatures);
  const all = entries.map((entry) => readSignature(entry, options));
  const signatures = all.filter((read) => "key" in read);
  const tried = new Set<string>();
  for (const form of signatures.length === 0 ? [] : signedForms(card)) {
    const payload = base64url.encode(canonicalJson(form));
    if (tried.has(payload)) continue;
    tried.add(payload);
    for (const read of signatures) if (await isSignature(read, payload)) return form;
  }
  const problems = all.map((read) =>
    "problem" in read
      ? read
      : { problem: `its signature with the key ${read.kid} does not match`, isOfKey: true as const },
  );
  const worst = problems.find(({ isOfKey }) => isOfKey) ?? problems[0];
  throw new CardSignatureError(worst?.problem ?? "its signatures are not a list");
}

interface Problem {
  readonly problem: string;
  /** Whether it is about a signature with a trusted key. */
  readonly isOfKey?: true;
}

interface ReadSignature {
  readonly kid: string;
  readonly key: CardKey;
  readonly alg: string;
  readonly protected: string;
  readonly signature: string;
}

/** Chooses the key by the protected header alone: anybody can change the other one. */
function readSignature(entry: unknown, { keys, now }: VerifyCardOptions): ReadSignature | Problem {
  const [header, signature] = ["protected", "signature"].map((name) => memberOf(entry, name));
  if (!isBase64Url(header) || !isBase64Url(signature)) return { problem: "its signature is not a JWS" };
  const { alg, kid } = headerOf(header);
  if (typeof kid !== "string") return { problem: "its signature does not name its key (kid)" };
  const named = keys.filter((one) => one.kid === kid && one.use !== "enc");
  const isExpired = ({ exp }: CardKey): boolean => exp !== undefined && exp * 1_000 <= now;
  const key = named.find((one) => !isExpired(one)) ?? named[0];
  const shown = JSON.stringify(kid.slice(0, 100));
  if (key === undefined) return { problem: `its signature has the unknown key ${shown}` };
  const isOfKey = true as const;
  if (isExpired(key)) return { problem: `the key ${shown} has expired`, isOfKey };
  const expected = algorithmOf(key);
  if (expected === undefined || alg !== expected)
    return {
      problem: `its signature has the algorithm ${JSON.stringify(alg)}, but the key ${shown} needs ${expected}`,
      isOfKey,
    };
  return { kid: shown, key, alg: expected, protected: header, signature };
}

const isBase64Url = (text: unknown): text is string => typeof text === "string" && /^[\w-]+$/.test(text);

function headerOf(text: string): { readonly alg?: unknown; readonly kid?: unknown } {
  try {
    return decodeProtectedHeader({ protected: text });
  } catch {
    return {};
  }
}

async function isSignature(
  { key, alg, protected: header, signature }: ReadSignature,
  payload: string,
): Promise<boolean> {
  try {
    await flattenedVerify({ protected: header, signature, payload }, await importJWK(key, alg), { algorithms: [alg] });
    return true;
  } catch {
    return false;
  }
}

interface SignCardOptions {
  /** A private key of P-256, RSA or Ed25519. */
  readonly key: JWK;
  /** The name of the key in the JWKS that clients trust. */
  readonly kid: string;
  /** Writes JSON as RFC 8785 demands. */
  readonly canonicalJson: (value: unknown) => string;
}

/**
 * Returns the card with a signature. A card with empty members or security schemes gets one for each form that SDKs verify.
 * Throws a `TypeError` for a key of another kind.
 */
export async function signCard(card: JsonObject, options: SignCardOptions): Promise<JsonObject> {
  const { key, kid, canonicalJson } = options;
  const alg = algorithmOf(key);
  if (alg === undefined)
    throw new TypeError(`Expected a key of P-256, RSA or Ed25519, got ${key.kty} ${key.crv ?? ""}.`);
  const secret = await importJWK(key, alg);
  const header = { alg, kid, typ: "JOSE" };
  const payloads = new Set(signedForms(card).map(canonicalJson));
  const signatures = [...payloads].map(async (payload) => {
    const jws = await new FlattenedSign(new TextEncoder().encode(payload)).setProtectedHeader(header).sign(secret);
    return { protected: jws.protected, signature: jws.signature };
  });
  return { ...card, signatures: [...listAt(card, "signatures"), ...(await Promise.all(signatures))] };
}
