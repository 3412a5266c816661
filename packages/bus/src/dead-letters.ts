import type { ChannelName, MessageHeaders } from "./bus-message.ts";

/** A stored dead letter, for an operator. */
export interface KeptDeadLetter {
  /** Identifies it for `replay`, within its channel. */
  readonly id: string;
  readonly channel: ChannelName;
  /** The group that failed to handle it. */
  readonly group: string;
  /** Why. */
  readonly reason: string;
  /** Number of deliveries. */
  readonly attempts: number;
  /** When it became a dead letter, Unix milliseconds. */
  readonly at: number;
  readonly headers: MessageHeaders;
  /** The original message. */
  readonly bytes: Uint8Array;
}

/** The dead letters of a bus. An operator can replay them once the cause is fixed. */
export interface DeadLetters {
  /** Returns at most `most` dead letters, oldest first. */
  readonly list: (channel: ChannelName, most: number) => Promise<readonly KeptDeadLetter[]>;
  /** Delivers dead letters again to the group that failed, as new messages, oldest first. Returns their number; unknown ids are ignored. */
  readonly replay: (channel: ChannelName, ids: readonly string[] | "all") => Promise<number>;
}
