import type { NewFileLink } from "../../files/links/file-links.ts";
import type { AgentContext } from "../agent.ts";

/** Makes links by which agents fetch files. */
export interface FileLinking {
  /** Largest file that a link can give out, bytes. */
  readonly maxBytes: number;
  /** Returns the URL of a new link. */
  readonly linkFile: (file: NewFileLink) => Promise<string>;
}

/** Makes links for the files of one task, by their ids. */
export interface TaskLinks {
  readonly maxBytes: number;
  readonly linkTo: (fileId: string) => Promise<string>;
}

/** Returns links that are valid until the deadline of the task, at most; undefined for a task without a deadline. */
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
