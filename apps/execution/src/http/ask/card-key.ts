import { createPrivateKey, createPublicKey } from "node:crypto";
import { signCard } from "@crosszone/a2a/signatures";
import { canonicalJson } from "@crosszone/service-kit/json";
import { calculateJwkThumbprint, type JSONWebKeySet, type JWK } from "jose";

/** The path of the public keys. */
export const keysPath = "/.well-known/jwks.json";

/** Signs a card with a private key, PEM. The key's name is its thumbprint. https://www.rfc-editor.org/rfc/rfc7638 */
export async function signWithKey(card: object, pem: string): Promise<object> {
  const key = createPrivateKey(pem).export({ format: "jwk" }) as JWK;
  return signCard({ ...card }, { key, kid: await calculateJwkThumbprint(key), canonicalJson });
}

/** Returns the public key of a private key, PEM; no key without one. https://www.rfc-editor.org/rfc/rfc7517#section-5 */
export async function publicKeysOf(pem: string | undefined): Promise<JSONWebKeySet> {
  if (pem === undefined) return { keys: [] };
  const key = createPublicKey(pem).export({ format: "jwk" }) as JWK;
  return { keys: [{ ...key, kid: await calculateJwkThumbprint(key), use: "sig" }] };
}
