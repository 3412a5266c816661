import { isSignedBy, signatureHeaders } from "@crosszone/service-kit";
import type { IncomingMessage } from "node:http";
import { type Authenticator, refused, type AuthVerdict } from "./authenticator.ts";

interface HmacAuthOptions {
  /** One secret, or two during a rotation. Called for each request. */
  readonly secrets: () => readonly string[];
  /** The caller's name, the same for every signer. */
  readonly caller: string;
  /** The largest difference between a timestamp and this clock, milliseconds. */
  readonly windowMs: number;
  /** The most nonces remembered. */
  readonly mostNonces: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * Authenticates signed requests: see `canonicalRequest` of service-kit. The header is checked before the body is read,
 * and the signature, which covers the body, after. A nonce counts as used only once its signature is valid; otherwise
 * anyone could use up other callers' nonces.
 */
export function createHmacAuth({ secrets, caller, windowMs, mostNonces, now }: HmacAuthOptions): Authenticator {
  const windowS = Math.ceil(windowMs / 1_000);
  const nonces = new NonceMemory(windowS, mostNonces);
  const accepted = { caller };

  const confirm = (request: IncomingMessage, signed: Signed, body: Uint8Array): AuthVerdict => {
    const { method = "", url: target = "" } = request;
    const whole = { method, target, timestamp: signed.timestamp, nonce: signed.nonce, body };
    if (!isSignedBy(secrets(), signed.signature, whole)) return refused("signature_wrong");
    return nonces.remember(Number(signed.timestamp), signed.nonce) ? accepted : refused("nonce_replayed");
  };

  return {
    challenge: "Crosszone-HMAC",
    hint: `sign the request: ${Object.values(signatureHeaders).join(", ")}`,
    authenticate: (request) => {
      const signed = readSigned(request);
      if (signed === "missing") return refused("credentials_missing");
      if (signed === "malformed") return refused("token_malformed");
      const second = Number(signed.timestamp);
      const ageMs = now() - second * 1_000;
      if (ageMs > windowMs || second <= nonces.forgottenUntil) return refused("timestamp_stale");
      if (ageMs < -windowMs) return refused("timestamp_in_future");
      return { caller, confirm: (body) => confirm(request, signed, body) };
    },
  };
}

interface Signed {
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
}

function readSigned({ headers }: IncomingMessage): Signed | "missing" | "malformed" {
  const timestamp = headers[signatureHeaders.timestamp];
  const nonce = headers[signatureHeaders.nonce];
  const signature = headers[signatureHeaders.signature];
  if (typeof timestamp !== "string" || typeof nonce !== "string" || typeof signature !== "string") return "missing";
  const wellFormed =
    /^\d{1,12}$/.test(timestamp) && /^[\w-]{16,64}$/.test(nonce) && /^v1=[0-9a-f]{64}$/.test(signature);
  return wellFormed ? { timestamp, nonce, signature } : "malformed";
}

/**
 * Remembers used nonces, so that each is accepted once. They are stored by the second of their timestamp, for as long
 * as that timestamp is accepted. Above the limit the oldest second is forgotten and timestamps that old are refused. So
 * memory is bounded and replays are still refused.
 */
export class NonceMemory {
  /** Nonces up to this timestamp (seconds) are forgotten, so older timestamps must be refused regardless of the window. */
  forgottenUntil = -Infinity;
  readonly #windowS: number;
  readonly #most: number;
  readonly #seconds = new Map<number, Set<string>>();
  #size = 0;
  #newest = -Infinity;

  constructor(windowS: number, most: number) {
    this.#windowS = windowS;
    this.#most = most;
  }

  /**
   * Remembers a nonce until its timestamp (seconds) is `windowS` old. Returns false when the nonce was, or may have
   * been, used before.
   */
  remember(timestamp: number, nonce: string): boolean {
    if (timestamp <= this.forgottenUntil || this.#seconds.get(timestamp)?.has(nonce)) return false;
    this.#seconds.getOrInsertComputed(timestamp, () => new Set()).add(nonce);
    this.#size += 1;
    if (timestamp > this.#newest) {
      this.#newest = timestamp;
      // Uses no clock: an accepted timestamp is at most one window ahead, so a timestamp two windows older has expired.
      for (const second of this.#seconds.keys()) if (second < timestamp - 2 * this.#windowS) this.#forget(second);
    }
    if (this.#size > this.#most) this.#forget(Math.min(...this.#seconds.keys()));
    return true;
  }

  #forget(second: number): void {
    this.#size -= this.#seconds.get(second)?.size ?? 0;
    this.#seconds.delete(second);
    this.forgottenUntil = Math.max(this.forgottenUntil, second);
  }
}
