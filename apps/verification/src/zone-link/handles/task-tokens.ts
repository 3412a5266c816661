import type { HandleGrant } from "./handle-store.ts";

/** Issues the `bot_token` of a task before the task starts, and revokes it after the task ends in any way. */
export interface TaskTokens {
  readonly issue: (grant: HandleGrant) => Promise<string>;
  readonly revoke: (grant: HandleGrant) => Promise<void>;
}

/** Issues the bot's real token, for an execution zone that calls Slack directly. It cannot be revoked. */
export function forwardToken(token: () => string): TaskTokens {
  return { issue: async () => token(), revoke: async () => undefined };
}
