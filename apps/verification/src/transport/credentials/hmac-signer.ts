import { randomBytes } from "node:crypto";
import { signatureHeaders, signRequest, type LiveFiles } from "@crosszone/service-kit";
import type { Credentials } from "./credentials.ts";

export interface HmacSignerOptions {
  /** Of a file, always what the file says now. */
  readonly secret: string | LiveFiles<string>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Signs each request, its body included: see `canonicalRequest` of service-kit. Every request gets a nonce of its own. */
export function createHmacSigner({ secret, now }: HmacSignerOptions): Credentials {
  const current = typeof secret === "string" ? () => secret : secret.current;
  return {
    headers: ({ method, target, body }) => {
      const timestamp = String(Math.floor(now() / 1_000));
      const nonce = randomBytes(16).toString("base64url");
      const signature = signRequest(current(), { method, target, timestamp, nonce, body });
      return {
        [signatureHeaders.timestamp]: timestamp,
        [signatureHeaders.nonce]: nonce,
        [signatureHeaders.signature]: signature,
      };
    },
    invalidate: () => typeof secret !== "string" && secret.current() !== secret.reread(),
  };
}
