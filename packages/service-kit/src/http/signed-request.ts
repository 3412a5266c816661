import { createHmac, hash, timingSafeEqual } from "node:crypto";

/** The headers that carry a signature. Times are whole seconds since 1970; the nonce is new for each request. */
export const signatureHeaders = {
  timestamp: "x-crosszone-timestamp",
  nonce: "x-crosszone-nonce",
  signature: "x-crosszone-signature",
} as const;

/** The signed parts of a request. Changing one of them requires the secret. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query as in the request line: `/rpc?zone=1`. */
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly body: Uint8Array;
}

/**
 * Returns the text to sign: six lines, joined by line feeds, without one at the end. `v1`, timestamp, nonce, method in capitals, target,
 * SHA-256 of the body in lower-case hex.
 */
export function canonicalRequest({ method, target, timestamp, nonce, body }: SignedRequest): string {
  return `v1\n${timestamp}\n${nonce}\n${method.toUpperCase()}\n${target}\n${hash("sha256", body, "hex")}`;
}

/** Signs a request: `v1=` and the HMAC-SHA256 of the canonical text, keyed with the secret's UTF-8 bytes, in lower-case hex. */
export function signRequest(secret: string, request: SignedRequest): string {
  return signText(secret, canonicalRequest(request));
}

/** Returns true if one of `secrets` made this signature, in constant time. Several secrets support rotation. */
export function isSignedBy(secrets: readonly string[], signature: string, request: SignedRequest): boolean {
  const text = canonicalRequest(request);
  return secrets.map((secret) => isSame(signature, signText(secret, text))).includes(true);
}

function signText(secret: string, text: string): string {
  return `v1=${createHmac("sha256", secret).update(text).digest("hex")}`;
}

/** Compares digests, because `timingSafeEqual` needs equal lengths. */
export const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(hash("sha256", one, "buffer"), hash("sha256", other, "buffer"));
