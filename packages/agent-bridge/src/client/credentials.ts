import { createHash } from "node:crypto";
import type { AgentAuth, AgentAuthOAuth2ClientCredentials } from "@crosszone/contracts";
import { plainJson, recordOf } from "@crosszone/service-kit/json";
import { AgentFailure, type AgentReply } from "../protocol/protocol-adapter.ts";
import type { SecretSource } from "./secret-source.ts";

/** Posts a form to a token endpoint. Fails like a request to an agent. */
export type PostForm = (
  url: string,
  form: { readonly authorization: string; readonly body: string },
) => Promise<AgentReply>;

/** A token is renewed this long before it expires, milliseconds, or after four fifths of a shorter lifetime. */
const renewBeforeMs = 60_000;
/** Maximum number of cached tokens. Beyond it, the least recently used one is dropped. */
const most = 1_000;

/**
 * Caches tokens of the client credentials grant until shortly before they expire. Concurrent calls share one fetch. `now`: monotonic milliseconds.
 * https://www.rfc-editor.org/rfc/rfc6749#section-4.4
 */
export function createOAuth2Tokens(post: PostForm, now: () => number = () => performance.now()) {
  /** Ordered by use. */
  const cached = new Map<string, { readonly token: string; readonly renewAt: number }>();
  const pending = new Map<string, Promise<string>>();

  async function get(auth: AgentAuthOAuth2ClientCredentials, clientSecret: string): Promise<string> {
    const key = keyOf(auth, clientSecret);
    const known = cached.get(key);
    cached.delete(key);
    if (known !== undefined && now() < known.renewAt) {
      cached.set(key, known);
      return known.token;
    }
    return pending.getOrInsertComputed(key, () =>
      fetchToken(key, auth, clientSecret).finally(() => pending.delete(key)),
    );
  }

  /** Discards a token that an agent refused, unless a newer one exists. */
  function drop(token: string): void {
    for (const [key, known] of cached) if (known.token === token) cached.delete(key);
  }

  async function fetchToken(key: string, auth: AgentAuthOAuth2ClientCredentials, secret: string): Promise<string> {
    const { token_url, client_id, scope, audience } = auth;
    const body = new URLSearchParams({ grant_type: "client_credentials" });
    if (scope !== undefined) body.set("scope", scope);
    if (audience !== undefined) body.set("audience", audience);
    const authorization = `Basic ${Buffer.from(`${formEncoded(client_id)}:${formEncoded(secret)}`).toString("base64")}`;
    const { token, lifeMs } = readToken(await post(token_url, { authorization, body: body.toString() }));
    cached.set(key, { token, renewAt: now() + lifeMs - Math.min(renewBeforeMs, lifeMs / 5) });
    if (cached.size > most) cached.delete(cached.keys().next().value ?? key);
    return token;
  }

  return { get, drop };
}

function keyOf({ token_url, client_id, scope, audience }: AgentAuthOAuth2ClientCredentials, secret: string): string {
  return createHash("sha256")
    .update(JSON.stringify([token_url, client_id, scope, audience, secret]))
    .digest("base64");
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1 */
const formEncoded = (text: string): string => new URLSearchParams([["", text.toWellFormed()]]).toString().slice(1);

/** The lifetime of a token when its endpoint doesn't state one, and the longest; seconds. */
const usualLife = 300;
const longestLife = 86_400;

/** The characters of an `access_token`. https://www.rfc-editor.org/rfc/rfc6749#appendix-A.12 */
const tokenForm = /^[\x21-\x7e]{1,65536}$/;
const errorForm = /^[a-z_]{1,60}$/;

/**
 * Parses the response of a token endpoint. Throws an `AgentFailure` with the endpoint's error code and nothing else of
 * its response. https://www.rfc-editor.org/rfc/rfc6749#section-5
 */
function readToken({ status, body }: AgentReply): { readonly token: string; readonly lifeMs: number } {
  const answer = recordOf(plainJson(Buffer.from(body).toString()));
  if (status !== 200) throw refusal(status, answer["error"]);
  const { access_token: token, token_type: type = "bearer", expires_in: life } = answer;
  if (typeof token !== "string" || !tokenForm.test(token) || !/^bearer$/i.test(String(type)))
    throw new AgentFailure("unauthorized", "The agent's token endpoint answered without a bearer token.");
  const seconds = Number(life ?? Number.NaN);
  return { token, lifeMs: 1_000 * (seconds > 0 ? Math.min(seconds, longestLife) : usualLife) };
}

function refusal(status: number, error: unknown): AgentFailure {
  const why = typeof error === "string" && errorForm.test(error) ? `: ${error}` : "";
  const message = `The agent's token endpoint returned no token (HTTP ${status}${why}).`;
  const kind = status === 429 ? "rate_limited" : status >= 500 || status === 408 ? "http_unavailable" : "unauthorized";
  return new AgentFailure(kind, message, { code: status });
}

/** Client certificate of one agent, PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
  /** The authority of the agent's own certificate, instead of the usual ones. */
  readonly ca?: string;
}

export interface AgentCredentials {
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
  tokens: ReturnType<typeof createOAuth2Tokens>,
): Promise<AgentCredentials> {
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
