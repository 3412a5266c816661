import type { RecordHead } from "../inbox/inbox.ts";

/** Who typed a slash command, and where, for the policy check. A command has no thread and is not stored: Slack sends it once. */
export interface CommandRecord extends Omit<RecordHead, "thread_ts" | "in_thread" | "claims"> {
  readonly kind: "command";
  readonly thread_ts?: undefined;
}
