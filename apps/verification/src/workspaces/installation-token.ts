import { type Clock, retry, sharedRun } from "@crosszone/service-kit/timing";
import { WebClient, type WebClientOptions } from "@slack/web-api";
import type { BotToken } from "../slack/token-clients.ts";
import { readCallError, SlackCallError } from "../slack/slack-call-error.ts";
import type { Grant, InstallationStore, InstallId } from "./installation-store.ts";

/** How long before its expiry a token is renewed, to bridge a Slack outage. */
const earlyMs = 2 * 3_600_000;

/** Returns when a token with this lifetime expires and when to renew it: two hours before, or at half of a short lifetime. Milliseconds. */
export function tokenTimes(
  now: number,
  lifetimeMs: number,
): { readonly expires_at: number; readonly renew_at: number } {
  return { expires_at: now + lifetimeMs, renew_at: now + Math.max(lifetimeMs - earlyMs, lifetimeMs / 2) };
}

const method = "oauth.v2.access";

/**
 * Makes a function that uses a refresh token at Slack, without retries. Rejects with a `SlackCallError`.
 * https://docs.slack.dev/authentication/using-token-rotation
 */
export function createRefreshGrant(options: {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly client: WebClientOptions;
  readonly now: () => number;
}): (refreshToken: string) => Promise<Grant> {
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

export interface InstallationTokenOptions {
  readonly installations: InstallationStore;
  readonly installation: InstallId;
  /** Uses a refresh token at Slack. Rejects with a `SlackCallError`. */
  readonly refresh: (refreshToken: string) => Promise<Grant>;
  readonly clock: Clock;
  readonly onRenewed: () => void;
  /** Called with the reason why a token could not be renewed; the renewal is retried. */
  readonly onNotRenewed: (error: unknown) => void;
}

/** Exceeds the duration of a refresh with its timeouts. After a failure, it delays the next attempt. */
const leaseMs = 40_000;
/** How long storing a refreshed grant is retried. If it is never stored, the installation is lost. */
const storeMs = 3_600_000;
/** How long to wait for another process to renew an expired token. */
const timeoutMs = 15_000;

/**
 * Makes the bot's token of one installation. With token rotation, one of the processes renews it in time and stores it before use, because
 * a refresh token works once. https://docs.slack.dev/authentication/using-token-rotation
 */
export function createInstallationToken(options: InstallationTokenOptions): BotToken {
  const { installations, installation, refresh, clock, onRenewed, onNotRenewed } = options;
  let cached: Grant | undefined;
  const isFresh = ({ renew_at = Infinity }: Grant): boolean => clock.now() < renew_at;
  /** A token stays valid until its own expiry, even after a renewal. */
  const isGood = ({ expires_at = Infinity }: Grant): boolean => clock.now() < expires_at;

  const load = sharedRun(renewed);

  async function renewed(): Promise<Grant> {
    const waitUntil = clock.now() + timeoutMs;
    for (;;) {
      const grant = await installations.grantOf(installation);
      if (grant === undefined) throw notInstalled();
      if (isFresh(grant) || grant.refresh_token === undefined) return keep(grant);
      const lease = await installations.leaseRefresh(installation, leaseMs);
      if (lease !== undefined) return keep(await spend(lease));
      if (isGood(grant)) return grant;
      if (clock.now() > waitUntil)
        throw new SlackCallError(method, { failure: "unavailable", code: "token_not_renewed" });
      await clock.sleep(250);
    }
  }

  async function spend({ grant, until }: { readonly grant: Grant; readonly until: number }): Promise<Grant> {
    // Another process may have renewed it before this lease.
    if (isFresh(grant) || grant.refresh_token === undefined) {
      await installations.refreshed(installation, until, grant);
      return grant;
    }
    let next: Grant;
    try {
      next = await refresh(grant.refresh_token);
    } catch (error) {
      onNotRenewed(error);
      if (isGood(grant)) return grant;
      throw error;
    }
    const stored = await storeGrant(options, next, { spent: grant.refresh_token, until });
    if (stored === next) onRenewed();
    return stored;
  }

  function keep(grant: Grant): Grant {
    cached = grant;
    return grant;
  }

  return {
    current: async () => {
      const grant = cached !== undefined && isFresh(cached) ? cached : await load();
      return grant.token;
    },
    renew: async (refused) => {
      cached = undefined;
      return (await load()).token !== refused;
    },
  };
}

function notInstalled(): SlackCallError {
  return new SlackCallError(method, { failure: "refused", code: "not_installed" });
}

/** Stores a grant, or returns the one that replaced it. A process that has taken the lease since cannot use the spent refresh token. */
async function storeGrant(
  { installations, installation, clock }: InstallationTokenOptions,
  next: Grant,
  lease: { readonly spent: string; readonly until: number },
): Promise<Grant> {
  const storing = { budgetMs: storeMs, firstMs: 100, longestMs: 2_000, clock, retryAfter: () => 0 };
  let until: number | undefined = lease.until;
  for (;;) {
    const leased = until;
    if (leased !== undefined && (await retry(() => installations.refreshed(installation, leased, next), storing)))
      return next;
    const found = await retry(() => installations.grantOf(installation), storing);
    if (found === undefined) throw notInstalled();
    if (found.refresh_token !== lease.spent) return found;
    until = (await retry(() => installations.leaseRefresh(installation, leaseMs), storing))?.until;
    if (until === undefined) await clock.sleep(250);
  }
}
