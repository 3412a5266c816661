import type { Clock } from "../clock.ts";
import type { BotToken } from "../slack/bot-token.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import { retrying } from "../tasks/retry.ts";
import type { Grant, Installation, InstallationStore } from "./installation-store.ts";

export interface InstallationTokenOptions {
  readonly installations: Pick<InstallationStore, "grantOf" | "leaseRefresh" | "refreshed">;
  readonly installation: Pick<Installation, "id" | "install">;
  /** Spends a refresh token at Slack. Rejects with a `SlackCallError`. */
  readonly refresh: (refreshToken: string) => Promise<Grant>;
  readonly clock: Clock;
  readonly onRenewed: () => void;
  /** Told why a token could not be renewed; it is tried again. */
  readonly onNotRenewed: (error: unknown) => void;
}

/** Longer than a refresh takes, with its time limits. After one that failed, so long nobody tries again. */
const leaseMs = 40_000;
/** How long it is tried to store what a refresh token was spent for: it is lost otherwise, and with it the installation. */
const storeMs = 3_600_000;
/** How long it is waited for a token that another process renews, when the one before has ended. */
const patienceMs = 15_000;

/**
 * The bot's token of one installation. With token rotation it is renewed in time, by one of all processes, and stored before it is
 * used: a refresh token is good once. https://docs.slack.dev/authentication/using-token-rotation
 */
export function createInstallationToken(options: InstallationTokenOptions): BotToken {
  const { installations, installation, refresh, clock, onRenewed, onNotRenewed } = options;
  let held: Grant | undefined;
  let loading: Promise<Grant> | undefined;
  const isFresh = ({ renew_at = Infinity }: Grant): boolean => clock.now() < renew_at;
  /** The token before is good until its own end, also when it was renewed. */
  const isGood = ({ expires_at = Infinity }: Grant): boolean => clock.now() < expires_at;

  const load = (): Promise<Grant> =>
    (loading ??= renewed().finally(() => {
      loading = undefined;
    }));

  async function renewed(): Promise<Grant> {
    const waitUntil = clock.now() + patienceMs;
    for (;;) {
      const grant = await installations.grantOf(installation);
      if (grant === undefined) throw notInstalled();
      if (isFresh(grant) || grant.refresh_token === undefined) return keep(grant);
      const lease = await installations.leaseRefresh(installation, leaseMs);
      if (lease !== undefined) return keep(await spend(lease));
      if (isGood(grant)) return grant;
      if (clock.now() > waitUntil)
        throw new SlackCallError("oauth.v2.access", { failure: "unavailable", code: "token_not_renewed" });
      await clock.sleep(250);
    }
  }

  async function spend({ grant, until }: { readonly grant: Grant; readonly until: number }): Promise<Grant> {
    // Another process may have had the lease before.
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
    const stored = await store(next, { spent: grant.refresh_token, until });
    if (stored === next) onRenewed();
    return stored;
  }

  /** Stores a grant, or gives the one that stands there by now. Who has taken the lease meanwhile can do nothing with what is spent. */
  async function store(next: Grant, lease: { readonly spent: string; readonly until: number }): Promise<Grant> {
    const storing = { budgetMs: storeMs, firstMs: 100, longestMs: 2_000, clock, retryAfter: () => 0 };
    let until: number | undefined = lease.until;
    for (;;) {
      const leased = until;
      if (leased !== undefined && (await retrying(() => installations.refreshed(installation, leased, next), storing)))
        return next;
      const found = await retrying(() => installations.grantOf(installation), storing);
      if (found === undefined) throw notInstalled();
      if (found.refresh_token !== lease.spent) return found;
      until = (await retrying(() => installations.leaseRefresh(installation, leaseMs), storing))?.until;
      if (until === undefined) await clock.sleep(250);
    }
  }

  function keep(grant: Grant): Grant {
    held = grant;
    return grant;
  }

  return {
    current: async () => {
      const grant = held !== undefined && isFresh(held) ? held : await load();
      return grant.token;
    },
    renew: async (refused) => {
      held = undefined;
      return (await load()).token !== refused;
    },
  };
}

function notInstalled(): SlackCallError {
  return new SlackCallError("oauth.v2.access", { failure: "refused", code: "not_installed" });
}
