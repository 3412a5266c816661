import type { AgentAuth, AgentRecord } from "@crosszone/contracts";
import { AgentFailure } from "../agent-failure.ts";
import { matchesOrigin } from "../client/address/origin-pattern.ts";
import { parseSecretBinding } from "./secret-binding.ts";

/** Says which secrets may be sent to which agents. */
export interface SecretRules {
  /**
   * Checks an agent by its URL, source and `auth`, before a secret is read. Throws an `AgentFailure` `secret_unavailable` that names the secret, the
   * origin and what to do.
   */
  readonly check: (agent: Pick<AgentRecord, "auth" | "source" | "url">) => void;
}

/**
 * Binds secrets to origins, so that an admin who can register agents cannot send a secret to a server of their own. A secret with bindings goes
 * to those origins only. A secret without one goes only to agents of AGENTS_FILE, whose author has the secrets anyway. Throws a `TypeError` for an
 * entry that cannot be parsed.
 */
export function createSecretRules({ bindings }: { readonly bindings: readonly string[] }): SecretRules {
  const bound = bindings.map(parseSecretBinding);

  const checkOne = (reference: string, url: string, isOfFile: boolean): void => {
    const places = bound.filter((binding) => binding.reference === reference);
    if (places.length === 0 && isOfFile) return;
    const target = URL.parse(url);
    if (target !== null && places.some((place) => matchesOrigin(place.origin, target))) return;
    const origin = target?.origin ?? "an address that is no URL";
    const otherwise = places.length === 0 ? ", or declare the agent in AGENTS_FILE" : "";
    throw new AgentFailure(
      "secret_unavailable",
      `The secret ${reference} is not allowed to go to ${origin}. Add ${reference}=${origin} to AGENT_SECRETS_ORIGINS${otherwise}.`,
    );
  };

  return {
    check: ({ auth, source, url }) => {
      for (const reference of secretsIn(auth))
        for (const place of placesOf(auth, url)) checkOne(reference, place, source === "file");
    },
  };
}

/** The references of what proves who we are. The authority of `mtls` proves nothing and is not sent. */
function secretsIn(auth: AgentAuth): readonly string[] {
  switch (auth.type) {
    case "none":
      return [];
    case "bearer":
      return [auth.token];
    case "api_key":
      return [auth.value];
    case "basic":
      return [auth.password];
    case "oauth2_client_credentials":
      return [auth.client_secret];
    case "mtls":
      return [auth.cert, auth.key];
    default:
      // The kind is not known: no credentials are found for it either.
      return [];
  }
}

/** Where credentials go: to the agent, and what a client secret is exchanged for goes there from its token endpoint. */
const placesOf = (auth: AgentAuth, url: string): readonly string[] =>
  auth.type === "oauth2_client_credentials" ? [auth.token_url, url] : [url];
