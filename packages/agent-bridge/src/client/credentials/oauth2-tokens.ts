import { createHash } from "node:crypto";
import type { AgentAuthOAuth2ClientCredentials } from "@crosszone/contracts";
import type { AgentReply } from "../agent-client.ts";
import { readToken } from "./read-token.ts";

/** Posts a form to a token endpoint. Fails like a request to an agent. */
export type PostForm = (
  url: string,
  form: { readonly authorization: string; readonly body: string },
) => Promise<AgentReply>;

export interface OAuth2TokensOptions {
  readonly post: PostForm;
  /** Monotonic milliseconds; the process's own clock when absent. */
  readonly now?: () => number;
}

export interface OAuth2Tokens {
  /** Returns a valid token. */
  readonly get: (auth: AgentAuthOAuth2ClientCredentials, clientSecret: string) => Promise<string>;
  /** Discards a token that an agent refused, unless a newer one exists. */
  readonly drop: (token: string) => void;
}

interface Held {
  readonly token: string;
  readonly renewAt: number;
}

/** A token is renewed this long before it expires, milliseconds, or after four fifths of a shorter lifetime. */
const renewBeforeMs = 60_000;
/** The most tokens cached. Beyond it, the least recently used one is dropped. */
const most = 1_000;

/**
 * Caches tokens of the client credentials grant until shortly before they expire. Concurrent calls share one fetch.
 * https://www.rfc-editor.org/rfc/rfc6749#section-4.4
 */
export function createOAuth2Tokens({ post, now = () => performance.now() }: OAuth2TokensOptions): OAuth2Tokens {
  const held = new Map<string, Held>();
  const pending = new Map<string, Promise<string>>();

  const fetch = async (key: string, auth: AgentAuthOAuth2ClientCredentials, secret: string): Promise<string> => {
    const { token_url, client_id, scope, audience } = auth;
    const body = new URLSearchParams({
      grant_type: "client_credentials",
      ...(scope !== undefined && { scope }),
      ...(audience !== undefined && { audience }),
    });
    const authorization = `Basic ${Buffer.from(`${formEncoded(client_id)}:${formEncoded(secret)}`).toString("base64")}`;
    const { token, lifeMs } = readToken(await post(token_url, { authorization, body: body.toString() }));
    held.set(key, { token, renewAt: now() + lifeMs - Math.min(renewBeforeMs, lifeMs / 5) });
    if (held.size > most) held.delete(held.keys().next().value ?? key);
    return token;
  };

  return {
    get: (auth, clientSecret) => {
      const key = keyOf(auth, clientSecret);
      const known = held.get(key);
      held.delete(key);
      if (known !== undefined && now() < known.renewAt) {
        // The map is ordered by use.
        held.set(key, known);
        return Promise.resolve(known.token);
      }
      const coming = pending.get(key) ?? fetch(key, auth, clientSecret).finally(() => pending.delete(key));
      pending.set(key, coming);
      return coming;
    },
    drop: (token) => {
      for (const [key, known] of held) if (known.token === token) held.delete(key);
    },
  };
}

function keyOf({ token_url, client_id, scope, audience }: AgentAuthOAuth2ClientCredentials, secret: string): string {
  return createHash("sha256")
    .update(JSON.stringify([token_url, client_id, scope, audience, secret]))
    .digest("base64");
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1 */
const formEncoded = (text: string): string => new URLSearchParams([["", text.toWellFormed()]]).toString().slice(1);
