import type { HandleGrant } from "./handle-store.ts";

/** What stands in `bot_token` of a task: issued before the task starts, revoked when it has ended, however it ended. */
export interface TaskTokens {
  readonly issue: (grant: HandleGrant) => Promise<string>;
  readonly revoke: (requestId: string) => Promise<void>;
}

/** The real token of the bot, for a peer that still calls Slack by itself. It cannot be taken back. */
export function forwardToken(token: () => string): TaskTokens {
  return { issue: async () => token(), revoke: async () => undefined };
}
