import { withTimeout } from "@crosszone/service-kit/timing";
import type { NameLookups } from "../slack/notation.ts";
import type { SlackApi, SlackIdentity } from "../slack/slack-api.ts";

/** No id of Slack is longer. What is kept for callers is as small as their number allows. */
const longestId = 255;

/** Makes a cache that loads each key once for all concurrent callers, and caches found and missing values for a while, but no rejection. */
export function createLookupCache<Found>(options: {
  /** Resolves with undefined if the key does not exist. */
  readonly load: (key: string) => Promise<Found | undefined>;
  readonly foundMs: number;
  readonly missingMs: number;
  /** Timeout of one load; then all its callers get a rejection. */
  readonly timeoutMs: number;
  /** Maximum number of cached values; beyond it, the least recently used one is dropped. */
  readonly most: number;
  readonly now: () => number;
}): (key: string) => Promise<Found | undefined> {
  const { load, foundMs, missingMs, timeoutMs, most, now } = options;
  const kept = new Map<string, { readonly found: Found | undefined; readonly until: number }>();
  const loading = new Map<string, Promise<Found | undefined>>();

  async function loadOnce(key: string): Promise<Found | undefined> {
    try {
      const found = await withTimeout(timeoutMs, () => load(key));
      keep(key, found, now() + (found === undefined ? missingMs : foundMs));
      return found;
    } finally {
      loading.delete(key);
    }
  }

  /** The map's insertion order is the order of use. */
  function keep(key: string, found: Found | undefined, until: number): void {
    kept.delete(key);
    kept.set(key, { found, until });
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
  }

  return async (key) => {
    if (key.length > longestId) return undefined;
    const entry = kept.get(key);
    if (entry !== undefined && now() < entry.until) {
      keep(key, entry.found, entry.until);
      return entry.found;
    }
    return loading.getOrInsertComputed(key, () => loadOnce(key));
  };
}

/** Looks up people and places in Slack. Resolves with undefined for what does not exist; rejects when Slack fails or times out. */
export interface SlackDirectory extends NameLookups {
  readonly team: SlackApi["team"];
}

const foundMs = 5 * 60_000;
const missingMs = 60_000;
const most = 10_000;

/** Makes a directory that caches Slack's results for five minutes, and missing ones for one minute. */
export function createSlackDirectory(options: {
  readonly slack: SlackApi;
  readonly identity: SlackIdentity;
  readonly now: () => number;
  /** Timeout of one lookup. */
  readonly timeoutMs: number;
}): SlackDirectory {
  const { slack, identity, now, timeoutMs } = options;
  const remembering = <Found>(load: (id: string) => Promise<Found | undefined>): typeof load =>
    createLookupCache({ load, foundMs, missingMs, timeoutMs, most, now });
  // Slack lists all groups of a team at once.
  const groupHandles = remembering(slack.groupHandles);
  return {
    team: remembering(slack.team),
    user: remembering(slack.user),
    channel: remembering(slack.channel),
    groupHandle: async (id) => (await groupHandles(identity.team_id))?.get(id),
  };
}
