/** A mention that stands in a channel of the local Slack. */
export interface Mention {
  channel: string;
  ts: string;
  user: string;
  text: string;
}

/** What became of a mention: how many messages of the bot are in its thread, and when the answer was there, Unix milliseconds. */
export interface MentionOutcome {
  messages: number;
  right: boolean;
  answeredAt: number | undefined;
}

/** So many of a thousand requests are new mentions. */
export const mentionsPerMille = 40;

/** Each comes as a mention, as the `message` event that is its twin, and once more. */
export const eventsPerMention = 3;

/** So many mentions share a channel: Slack takes one message a second in each, and bursts. */
export const mentionsPerChannel = 50;
