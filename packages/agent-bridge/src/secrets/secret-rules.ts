import type { AgentAuth, AgentRecord } from "@crosszone/contracts";
import { AgentFailure } from "../protocol/agent-failure.ts";
import { matchesOrigin, type OriginPattern, parseOriginPattern } from "../addresses/address-rules.ts";
import { isSecretReference } from "./secret-source.ts";

/** Decides which secrets can be sent to which agents. */
export interface SecretRules {
  /**
   * Checks an agent's URL, source and `auth` before a secret is read. Throws an `AgentFailure` `secret_unavailable` that names the secret,
   * the origin and what to do.
   */
  readonly check: (agent: Pick<AgentRecord, "auth" | "source" | "url">) => void;
}

/**
 * Binds secrets to origins, so that an admin who can register agents can't send a secret to their own server. A secret
 * with bindings is sent only to those origins. A secret without one is sent only to agents of AGENTS_FILE, whose author
 * has access to the secrets anyway. Throws a `TypeError` for an entry that can't be parsed.
 */
export function createSecretRules({ bindings }: { readonly bindings: readonly string[] }): SecretRules {
  const bound = bindings.map(parseSecretBinding);

  const checkOne = (reference: string, url: string, isOfFile: boolean): void => {
    const places = bound.filter((binding) => binding.reference === reference);
    if (places.length === 0 && isOfFile) return;
    const target = URL.parse(url);
    if (target !== null && places.some((place) => matchesOrigin(place.origin, target))) return;
    const origin = target?.origin ?? "an invalid URL";
    const otherwise = places.length === 0 ? ", or declare the agent in AGENTS_FILE" : "";
    throw new AgentFailure(
      "secret_unavailable",
      `The secret ${reference} must not be sent to ${origin}. To allow it, add ${reference}=${origin} to AGENT_SECRETS_ORIGINS${otherwise}.`,
    );
  };

  return {
    check: ({ auth, source, url }) => {
      for (const reference of secretsIn(auth))
        for (const place of placesOf(auth, url)) checkOne(reference, place, source === "file");
    },
  };
}

/** The members that name a secret, by kind of auth. The certificate authority of `mtls` is not sent, so it is not one of them. */
const secretMembers: Readonly<Record<AgentAuth["type"], readonly string[]>> = {
  none: [],
  bearer: ["token"],
  api_key: ["value"],
  basic: ["password"],
  oauth2_client_credentials: ["client_secret"],
  mtls: ["cert", "key"],
};

/** Returns the references of the secrets that authenticate us. An unknown kind of auth has no credentials. */
const secretsIn = (auth: AgentAuth): readonly string[] =>
  Object.entries(auth).flatMap(([member, reference]) =>
    secretMembers[auth.type]?.includes(member) ? [String(reference)] : [],
  );

/** Returns the URLs that get credentials: the agent's, and the token endpoint of a client secret. */
const placesOf = (auth: AgentAuth, url: string): readonly string[] =>
  auth.type === "oauth2_client_credentials" ? [auth.token_url, url] : [url];

/**
 * Parses one binding, such as `env:AGENT_SECRET_SCOUT=https://agents.example.com`. The origin has the form of AGENT_ORIGINS. Throws a
 * `TypeError` that does not repeat the text before the `=`, which may be the secret itself.
 */
export function parseSecretBinding(entry: string): { readonly reference: string; readonly origin: OriginPattern } {
  const at = entry.indexOf("=");
  const reference = entry.slice(0, Math.max(at, 0)).trim();
  if (!isSecretReference(reference))
    throw new TypeError(
      "Expected env:AGENT_SECRET_… or file:…, then = and an origin such as https://agents.example.com",
    );
  return { reference, origin: parseOriginPattern(entry.slice(at + 1).trim()) };
}
