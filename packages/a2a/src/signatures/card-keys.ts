import type { JWK } from "jose";

/** A public key of a JWKS. `exp`, Unix seconds, is when it expires. */
export type CardKey = JWK & { readonly exp?: number };

/** Returns true for a public key that can be trusted: with a name, of P-256, RSA or Ed25519. */
export const isCardKey = (key: JWK): key is CardKey =>
  typeof key.kid === "string" && key.d === undefined && algorithmOf(key) !== undefined;

/** The algorithm of a signature with a key: ES256, RS256 or EdDSA. Undefined for any other key. */
export function algorithmOf({ kty, crv, alg }: JWK): "ES256" | "RS256" | "EdDSA" | undefined {
  const usual = kty === "RSA" ? "RS256" : byCurve.get(`${kty} ${crv}`);
  return alg === undefined || alg === usual || (usual === "EdDSA" && alg === "Ed25519") ? usual : undefined;
}

const byCurve: ReadonlyMap<string, "ES256" | "EdDSA"> = new Map([
  ["EC P-256", "ES256"],
  ["OKP Ed25519", "EdDSA"],
]);
