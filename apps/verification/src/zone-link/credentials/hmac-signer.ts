import { randomBytes } from "node:crypto";
import { signatureHeaders, signRequest, type LiveFiles } from "@crosszone/service-kit";
import type { Credentials } from "./credentials.ts";

export interface HmacSignerOptions {
  /** A secret from a file follows the file's current content. */
  readonly secret: string | LiveFiles<string>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Signs each request with its body: see `canonicalRequest` of service-kit. Every request gets its own nonce. */
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
