import type { CommandRecord } from "./command-record.ts";
import type { InboxRecord } from "../inbox/inbox.ts";

/** A message or a slash command for the policy to judge. */
export type JudgedRecord = InboxRecord | CommandRecord;
