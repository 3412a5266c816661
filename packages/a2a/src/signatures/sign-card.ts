import { FlattenedSign, importJWK, type JWK } from "jose";
import { type JsonObject, listAt } from "../check.ts";
import { signedForms } from "./canonical-card.ts";
import { algorithmOf } from "./card-keys.ts";

export interface SignCardOptions {
  /** A private key of P-256, RSA or Ed25519. */
  readonly key: JWK;
  /** The name of the key in the JWKS that clients trust. */
  readonly kid: string;
  /** URL of that JWKS. */
  readonly jku?: string;
  /** Writes JSON as RFC 8785 demands. */
  readonly canonicalJson: (value: unknown) => string;
}

/**
 * Returns the card with a signature. A card with empty members or security schemes gets one for each form that SDKs verify.
 * Throws a `TypeError` for a key of another kind.
 */
export async function signCard(card: JsonObject, options: SignCardOptions): Promise<JsonObject> {
  const { key, kid, jku, canonicalJson } = options;
  const alg = algorithmOf(key);
  if (alg === undefined)
    throw new TypeError(`Expected a key of P-256, RSA or Ed25519, got ${key.kty} ${key.crv ?? ""}.`);
  const secret = await importJWK(key, alg);
  const header = { alg, kid, typ: "JOSE", ...(jku !== undefined && { jku }) };
  const payloads = new Set(signedForms(card).map(canonicalJson));
  const signatures = [...payloads].map(async (payload) => {
    const jws = await new FlattenedSign(new TextEncoder().encode(payload)).setProtectedHeader(header).sign(secret);
    return { protected: jws.protected, signature: jws.signature };
  });
  return { ...card, signatures: [...listAt(card, "signatures"), ...(await Promise.all(signatures))] };
}
