/** Why a message was denied. `denial-sentences.ts` has the message for each reason. */
export const denyReasons = [
  "foreign_team",
  "foreign_author",
  "unknown_team",
  "unknown_user",
  "unknown_channel",
  "deactivated",
  "bot",
  "stranger",
  "guest",
  "archived",
  "shared_channel",
  "user_not_listed",
  "channel_not_listed",
  "thread_rate",
  "user_rate",
  "channel_rate",
  "team_rate",
  "thread_busy",
  "text_too_long",
  "too_many_files",
  "file_too_large",
  "check_failed",
] as const;

export type DenyReason = (typeof denyReasons)[number];

/** A denial, with the data for its message. */
export interface Denial {
  readonly reason: DenyReason;
  /** How long to wait before asking again, milliseconds. */
  readonly retryAfterMs?: number;
  /** The exceeded limit: characters, files, bytes or waiting questions. */
  readonly limit?: number;
}

/** Denials of people who can ask, but asked too much. */
const tooMuch: ReadonlySet<DenyReason> = new Set<DenyReason>([
  "thread_rate",
  "user_rate",
  "channel_rate",
  "team_rate",
  "thread_busy",
  "text_too_long",
  "too_many_files",
  "file_too_large",
]);

/** Returns true if a judgement shows that its author can ask in general. */
export function mayAsk(denial: Denial | undefined): boolean {
  return denial === undefined || tooMuch.has(denial.reason);
}

/** Ends the work on a question with a denial, after more is known than its event contained. */
export class DeniedError extends Error {
  override readonly name = "DeniedError";
  readonly denial: Denial;

  constructor(denial: Denial) {
    super(`denied: ${denial.reason}`);
    this.denial = denial;
  }
}
