import type { SlackApi, SlackChannel, SlackTeam, SlackUser } from "../slack/slack-api.ts";
import { createLookupCache } from "./lookup-cache.ts";
import type { JudgedRecord } from "./judged-record.ts";

/** Looks up people and places in Slack. Resolves with undefined for what does not exist; rejects when Slack fails or times out. */
export interface SlackDirectory {
  readonly team: (id: string) => Promise<SlackTeam | undefined>;
  readonly user: (id: string) => Promise<SlackUser | undefined>;
  readonly channel: (id: string) => Promise<SlackChannel | undefined>;
}

export interface SlackDirectoryOptions {
  readonly slack: Pick<SlackApi, "team" | "user" | "channel">;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Timeout of one lookup, milliseconds. */
  readonly timeoutMs: number;
}

const foundMs = 5 * 60_000;
const missingMs = 60_000;
const most = 10_000;

/** Makes a directory that caches Slack's results for five minutes, and missing ones for one minute. */
export function createSlackDirectory({ slack, now, timeoutMs }: SlackDirectoryOptions): SlackDirectory {
  const remembering = <Found>(load: (id: string) => Promise<Found | undefined>): typeof load =>
    createLookupCache({ load, foundMs, missingMs, timeoutMs, most, now });
  return {
    team: remembering(slack.team),
    user: remembering(slack.user),
    channel: remembering(slack.channel),
  };
}

/** Starts the lookups that the rules need for a record, so that they run concurrently. */
export function lookAhead(directory: SlackDirectory, { teams, user_id, channel }: JudgedRecord): void {
  const ahead = [...teams.map(directory.team), directory.user(user_id), directory.channel(channel)];
  // The rule that needs a lookup handles its failure.
  for (const lookup of ahead) lookup.catch(() => undefined);
}
