import type { CommandRecord } from "../commands/command-record.ts";
import type { InboxRecord } from "../inbox/inbox.ts";

/** What somebody asked for, by a message or by a slash command. */
export type JudgedRecord = InboxRecord | CommandRecord;
