import type { ChannelName, MessageHeaders } from "./bus-message.ts";

/** A dead letter as it is kept, for an operator. */
export interface KeptDeadLetter {
  /** Names it for `replay`, within its channel. */
  readonly id: string;
  readonly channel: ChannelName;
  /** The group that could not handle it. */
  readonly group: string;
  /** Why. */
  readonly reason: string;
  /** How often it was delivered. */
  readonly attempts: number;
  /** When it was given up, Unix milliseconds. */
  readonly at: number;
  readonly headers: MessageHeaders;
  /** The message as it came. */
  readonly bytes: Uint8Array;
}

/** The messages that were given up, until somebody who mended the cause has them delivered again. */
export interface DeadLetters {
  /** The oldest first, `most` of them at the most. */
  readonly list: (channel: ChannelName, most: number) => Promise<readonly KeptDeadLetter[]>;
  /** Delivers them again to the group that gave them up, as new messages, oldest first. Gives how many; an id that is not known is none. */
  readonly replay: (channel: ChannelName, ids: readonly string[] | "all") => Promise<number>;
}
