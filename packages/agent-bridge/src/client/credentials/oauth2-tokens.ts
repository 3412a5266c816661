import { createHash } from "node:crypto";
import type { AgentAuthOAuth2ClientCredentials } from "@crosszone/contracts";
import { AgentFailure } from "../../protocol/agent-failure.ts";
import type { AgentReply } from "../../protocol/protocol-adapter.ts";

/** Posts a form to a token endpoint. Fails like a request to an agent. */
export type PostForm = (
  url: string,
  form: { readonly authorization: string; readonly body: string },
) => Promise<AgentReply>;

/** A token is renewed this long before it expires, milliseconds, or after four fifths of a shorter lifetime. */
const renewBeforeMs = 60_000;
/** Maximum number of cached tokens. Beyond it, the least recently used one is dropped. */
const most = 1_000;

export interface OAuth2Tokens {
  readonly get: (auth: AgentAuthOAuth2ClientCredentials, clientSecret: string) => Promise<string>;
  /** Discards a token that an agent refused, unless a newer one exists. */
  readonly drop: (token: string) => void;
}

/**
 * Caches tokens of the client credentials grant until shortly before they expire. Concurrent calls share one fetch. `now`: monotonic milliseconds.
 * https://www.rfc-editor.org/rfc/rfc6749#section-4.4
 */
export function createOAuth2Tokens(post: PostForm, now: () => number = () => performance.now()): OAuth2Tokens {
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
  const answer = membersOf(body);
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

function membersOf(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString());
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
