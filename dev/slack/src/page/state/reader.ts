import type { Workspace } from "../../control/protocol.ts";
import { type Names, namesOf } from "../text/names.ts";

/** The reader of messages: the acting user, the app's bot, and names for ids. */
export interface Reader {
  user: string;
  bot: string;
  names: Names;
}

/** Returns the reader for a user of the workspace. */
export function readerOf(workspace: Workspace, user: string): Reader {
  return { user, bot: workspace.app.bot_user_id, names: namesOf(workspace) };
}
