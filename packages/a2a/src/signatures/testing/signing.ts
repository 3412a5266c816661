import { canonicalJson } from "@crosszone/service-kit/json";
import { base64url, exportJWK, FlattenedSign, generateKeyPair, type JWK } from "jose";
import type { JsonObject } from "../../check.ts";
import { type CardKey, signCard, verifyCard, type VerifyCardOptions } from "../../signatures.ts";
import { cards } from "./cards.ts";

const { card } = cards;
export const now = Date.UTC(2026, 10, 25);
type Alg = "ES256" | "RS256" | "EdDSA";
export const privateKeys = {} as Record<Alg, JWK>;
export const publicKeys: CardKey[] = [];

/** Makes the keys of all files of tests, once. */
export async function makeKeys(): Promise<void> {
  if (publicKeys.length > 0) return;
  for (const alg of ["ES256", "RS256", "EdDSA"] as const) {
    const pair = await generateKeyPair(alg, { extractable: true });
    privateKeys[alg] = await exportJWK(pair.privateKey);
    publicKeys.push({ ...(await exportJWK(pair.publicKey)), kid: alg });
  }
}

export const sign = (whole: JsonObject = card, alg: Alg = "ES256", kid: string = alg): Promise<JsonObject> =>
  signCard(whole, { key: privateKeys[alg], kid, canonicalJson });

export const verify = (whole: JsonObject, own: Partial<VerifyCardOptions> = {}): Promise<JsonObject> =>
  verifyCard(whole, { mode: "require", keys: publicKeys, now, canonicalJson, ...own });

export const signaturesOf = (whole: JsonObject) => whole["signatures"] as readonly Record<string, unknown>[];
export const withEntry = (whole: JsonObject, change: object): JsonObject => ({
  ...whole,
  signatures: [{ ...signaturesOf(whole)[0], ...change }],
});
/** Signs the true content with a protected header of choice. */
export async function signWith(
  header: JsonObject,
  key: JWK | Uint8Array,
  whole: JsonObject = card,
): Promise<JsonObject> {
  const { signatures: _signatures, ...content } = whole;
  const made = new FlattenedSign(Buffer.from(canonicalJson(content))).setProtectedHeader(header);
  const { protected: head, signature } = await made.sign(key, { crit: { extra: true } });
  return { ...whole, signatures: [{ protected: head, signature }] };
}
export const encoded = (header: JsonObject): string => base64url.encode(JSON.stringify(header));

/** A card, and how it is verified. */
export interface Vector {
  readonly name: string;
  readonly make: () => Promise<JsonObject>;
  readonly own?: () => Partial<VerifyCardOptions>;
}
