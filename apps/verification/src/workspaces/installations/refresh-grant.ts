import { WebClient, type WebClientOptions } from "@slack/web-api";
import { readCallError, SlackCallError } from "../../slack/slack-call-error.ts";
import type { Grant } from "./installation-store.ts";

/** How long before its expiry a token is renewed, to bridge a Slack outage. */
const earlyMs = 2 * 3_600_000;

/** Returns when a token with this lifetime expires and when to renew it: two hours before, or at half of a short lifetime. Milliseconds. */
export function tokenTimes(now: number, lifetimeMs: number): Required<Pick<Grant, "expires_at" | "renew_at">> {
  return { expires_at: now + lifetimeMs, renew_at: now + Math.max(lifetimeMs - earlyMs, lifetimeMs / 2) };
}

export interface RefreshGrantOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly client: WebClientOptions;
  /** Unix milliseconds. */
  readonly now: () => number;
}

const method = "oauth.v2.access";

/**
 * Makes a function that uses a refresh token at Slack, without retries. Rejects with a `SlackCallError`.
 * https://docs.slack.dev/authentication/using-token-rotation
 */
export function createRefreshGrant(options: RefreshGrantOptions): (refreshToken: string) => Promise<Grant> {
  const { clientId: client_id, clientSecret: client_secret, client, now } = options;
  const slack = new WebClient(undefined, client);
  return async (refresh_token) => {
    const asked = { client_id, client_secret, grant_type: "refresh_token" as const, refresh_token };
    const answer = await slack.oauth.v2.access(asked).catch((error: unknown) => {
      throw readCallError(method, error);
    });
    if (answer.access_token === undefined || answer.refresh_token === undefined || answer.expires_in === undefined)
      throw new SlackCallError(method, { failure: "unavailable", code: "unreadable_answer" });
    const times = tokenTimes(now(), answer.expires_in * 1_000);
    return { token: answer.access_token, refresh_token: answer.refresh_token, ...times };
  };
}
