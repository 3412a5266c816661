import type { AgentAuth } from "@crosszone/contracts";
import { AgentFailure } from "../../protocol/agent-failure.ts";
import type { SecretSource } from "../../secrets/secret-source.ts";
import type { OAuth2Tokens } from "./oauth2-tokens.ts";

/** Client certificate of one agent, PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
  /** The authority of the agent's own certificate, instead of the usual ones. */
  readonly ca?: string;
}

export interface Credentials {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Secret texts in every form in which they are sent. */
  readonly secrets: readonly string[];
  readonly certificate?: ClientCertificate;
  /** Discards what the agent refused with 401. Present only when other credentials can be tried. */
  readonly renew?: () => void;
}

/**
 * Returns the current credentials of an agent, so that replaced ones take effect with the next call. Throws an
 * `AgentFailure`.
 */
export async function findCredentials(
  auth: AgentAuth,
  secrets: SecretSource,
  tokens: OAuth2Tokens,
): Promise<Credentials> {
  const inHeader = async (reference: string): Promise<string> => {
    const secret = await secrets.read(reference);
    if (/^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(secret)) return secret;
    throw new AgentFailure(
      "secret_unavailable",
      `The secret ${reference} contains characters that are invalid in an HTTP header.`,
    );
  };

  switch (auth.type) {
    case "none":
      return { headers: {}, secrets: [] };
    case "bearer": {
      const token = await inHeader(auth.token);
      return { headers: { authorization: `Bearer ${token}` }, secrets: [token] };
    }
    case "api_key": {
      const key = await inHeader(auth.value);
      return { headers: { [auth.header.toLowerCase()]: key }, secrets: [key] };
    }
    case "basic": {
      // https://www.rfc-editor.org/rfc/rfc7617#section-2.1
      const password = await secrets.read(auth.password);
      const pair = Buffer.from(`${auth.username}:${password}`).toString("base64");
      return { headers: { authorization: `Basic ${pair}` }, secrets: [password, pair] };
    }
    case "oauth2_client_credentials": {
      const token = await tokens.get(auth, await secrets.read(auth.client_secret));
      return { headers: { authorization: `Bearer ${token}` }, secrets: [token], renew: () => tokens.drop(token) };
    }
    case "mtls": {
      const [cert, key] = await Promise.all([secrets.read(auth.cert), secrets.read(auth.key)]);
      const ca = auth.ca === undefined ? undefined : await secrets.read(auth.ca);
      return { headers: {}, secrets: [], certificate: { cert, key, ca } };
    }
    default:
      throw new AgentFailure("internal", "The agent is registered with an unknown kind of authentication.");
  }
}

/** A shorter secret occurs in many answers by chance, and is easy to guess anyway. */
const leastUnits = 8;

/**
 * Returns an answer without our credentials. Many agents repeat the request in an error, which would put them into
 * results, logs and chats.
 */
export function hideSecretsIn(body: Uint8Array, secrets: readonly string[]): Uint8Array {
  const written = secrets
    .filter(({ length }) => length >= leastUnits)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)].map((text) => Buffer.from(text)));
  let kept = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  // In latin1 each byte is one character, so no other byte changes, text or not.
  for (const bytes of written)
    if (kept.includes(bytes))
      kept = Buffer.from(kept.toString("latin1").replaceAll(bytes.toString("latin1"), "[redacted]"), "latin1");
  return kept;
}
