import { parseOriginPattern, type OriginPattern } from "../client/address/origin-pattern.ts";
import { isSecretReference } from "./secret-reference.ts";

/** An origin that a secret can be sent to. */
export interface SecretBinding {
  /** `env:AGENT_SECRET_…` or `file:…`. */
  readonly reference: string;
  readonly origin: OriginPattern;
}

/**
 * Parses one binding, such as `env:AGENT_SECRET_SCOUT=https://agents.example.com`. The origin has the form of AGENT_ORIGINS. Throws a
 * `TypeError` that does not repeat the text before the `=`, which may be the secret itself.
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
