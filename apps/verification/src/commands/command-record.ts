import type { RecordHead } from "../inbox/inbox.ts";

/** Who typed a slash command and where, for the policy to judge. It is in no thread, and it is not kept: Slack sends it once. */
export interface CommandRecord extends Omit<RecordHead, "thread_ts" | "in_thread" | "claims"> {
  readonly kind: "command";
  readonly thread_ts?: undefined;
}
