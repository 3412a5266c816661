import type { NewFileLink } from "../../files/links/file-links.ts";
import type { AgentContext } from "../agent.ts";

/** Creates links that agents use to download files. */
export interface FileLinking {
  /** Largest file that a link can return, bytes. */
  readonly maxBytes: number;
  /** Returns the URL of a new link. */
  readonly linkFile: (file: NewFileLink) => Promise<string>;
}

/** Creates links for the files of one task, by file id. */
export interface TaskLinks {
  readonly maxBytes: number;
  readonly linkTo: (fileId: string) => Promise<string>;
}

/** Returns links that expire at the task's deadline at the latest; undefined for a task without a deadline. */
export function linksOfTask(
  { maxBytes, linkFile }: FileLinking,
  task: Pick<NewFileLink, "task_id" | "team">,
  { now, deadline }: Pick<AgentContext, "now" | "deadline">,
): TaskLinks | undefined {
  if (deadline === undefined) return undefined;
  const linkTo: TaskLinks["linkTo"] = (file_id) =>
    linkFile({ ...task, file_id, forMs: deadline.getTime() - now().getTime() });
  return { maxBytes, linkTo };
}
