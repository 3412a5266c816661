/** Why a message was denied. The sentence for each is in `denial-sentences.ts`. */
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

/** A no, with what its sentence needs. */
export interface Denial {
  readonly reason: DenyReason;
  /** How long to wait before it makes sense to ask again, milliseconds. */
  readonly retryAfterMs?: number;
  /** The limit that was passed: characters, files, bytes or waiting questions. */
  readonly limit?: number;
}

/** Denials of people who may ask: it was only too much. */
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

/** Whether a judgement shows that its author may ask, if not this and not now. */
export function mayAsk(denial: Denial | undefined): boolean {
  return denial === undefined || tooMuch.has(denial.reason);
}

/** Carries a denial out of the work on a question, once more is known of it than its event said. */
export class DeniedError extends Error {
  override readonly name = "DeniedError";
  readonly denial: Denial;

  constructor(denial: Denial) {
    super(`denied: ${denial.reason}`);
    this.denial = denial;
  }
}
