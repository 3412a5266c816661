import { base64url, decodeProtectedHeader, flattenedVerify, importJWK } from "jose";
import { type JsonObject, listAt, memberOf } from "../check.ts";
import { signedForms } from "./canonical-card.ts";
import { algorithmOf, type CardKey } from "./card-keys.ts";

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
