import { parseOriginPattern, type OriginPattern } from "../client/address/origin-pattern.ts";
import { isSecretReference } from "./secret-reference.ts";

/** An origin that one secret may be sent to. */
export interface SecretBinding {
  /** `env:AGENT_SECRET_…` or `file:…`. */
  readonly reference: string;
  readonly origin: OriginPattern;
}

/**
 * Parses one entry of the list of bindings: `env:AGENT_SECRET_SCOUT=https://agents.example.com`, with any origin that AGENT_ORIGINS takes. Throws a
 * `TypeError` that does not repeat what stands before the `=`, which may be the secret itself.
 */
export function parseSecretBinding(entry: string): SecretBinding {
  const at = entry.indexOf("=");
  const reference = entry.slice(0, Math.max(at, 0)).trim();
  if (!isSecretReference(reference))
    throw new TypeError(
      "Expected env:AGENT_SECRET_… or file:…, then = and an origin such as https://agents.example.com",
    );
  return { reference, origin: parseOriginPattern(entry.slice(at + 1).trim()) };
}
