import type { SlackApi, SlackChannel, SlackTeam, SlackUser } from "../slack/slack-api.ts";
import { createLookupCache } from "./lookup-cache.ts";
import type { JudgedRecord } from "./judged-record.ts";

/** What Slack knows of people and places. Nothing for what does not exist; rejects when Slack cannot say in time. */
export interface SlackDirectory {
  readonly team: (id: string) => Promise<SlackTeam | undefined>;
  readonly user: (id: string) => Promise<SlackUser | undefined>;
  readonly channel: (id: string) => Promise<SlackChannel | undefined>;
}

export interface SlackDirectoryOptions {
  readonly slack: Pick<SlackApi, "team" | "user" | "channel">;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** How long one lookup may take, milliseconds. */
  readonly timeoutMs: number;
}

const foundMs = 5 * 60_000;
const missingMs = 60_000;
const most = 10_000;

/** A directory that asks Slack, and then not again for five minutes; for one minute about what does not exist. */
export function createSlackDirectory({ slack, now, timeoutMs }: SlackDirectoryOptions): SlackDirectory {
  const remembering = <Found>(load: (id: string) => Promise<Found | undefined>): typeof load =>
    createLookupCache({ load, foundMs, missingMs, timeoutMs, most, now });
  return {
    team: remembering(slack.team),
    user: remembering(slack.user),
    channel: remembering(slack.channel),
  };
}

/** Asks for all that the rules will want to know of a record, at once, so that they need not wait one after the other. */
export function lookAhead(directory: SlackDirectory, { teams, user_id, channel }: JudgedRecord): void {
  const ahead = [...teams.map(directory.team), directory.user(user_id), directory.channel(channel)];
  // Whoever needs the answer is told of its failure.
  for (const lookup of ahead) lookup.catch(() => undefined);
}
