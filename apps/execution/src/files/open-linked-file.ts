import type { ReadFile } from "../agents/agent.ts";
import { grantMessageFiles } from "../tasks/message-files.ts";
import type { GrantFiles } from "../tasks/run-agent.ts";
import { isFinal } from "../tasks/task.ts";
import type { TaskStore } from "../tasks/sql/task-store.ts";
import type { FileLinks } from "./file-links.ts";

export interface OpenLinkedFileDeps {
  readonly links: FileLinks;
  readonly store: TaskStore;
  /** Returns the reader for files of a task that runs in this process. */
  readonly readerOf: (taskId: string) => ReadFile | undefined;
  readonly grantFiles: GrantFiles;
}

/** The file of a link. */
export interface OpenedFile {
  readonly mediaType: string;
  /** Rejects when verification does not return the file. */
  readonly read: () => Promise<Uint8Array>;
}

/** Returns the file of a link's token; undefined when the token is unknown, used up or expired, or its task has ended. */
export type OpenLinkedFile = (token: string, signal: AbortSignal) => Promise<OpenedFile | undefined>;

const mediaTypeForm = /^[\w.+-]{1,127}\/[\w.+-]{1,127}$/;

/**
 * Opens linked files with the handle of their task. A process that does not run the task, for example after a restart, uses the handle in the
 * task store. The store has a handle only if `DATA_KEYS` is set. The files of a program are in its message.
 */
export function createOpenLinkedFile({ links, store, readerOf, grantFiles }: OpenLinkedFileDeps): OpenLinkedFile {
  return async (token, signal) => {
    const link = await links.find(token);
    if (link === undefined) return undefined;
    const { task_id, file_id } = link;
    const task = await store.get(task_id);
    if (task === undefined || isFinal(task.state)) return undefined;
    const attachment = task.params?.attachments?.find(({ id }) => id === file_id);
    if (attachment === undefined) return undefined;
    const { mime_type = "" } = attachment;
    return {
      mediaType: mediaTypeForm.test(mime_type) ? mime_type : "application/octet-stream",
      read: async () => {
        const message = task.params?.message;
        const grant = message === undefined ? grantFiles : grantMessageFiles(message);
        const readFile = readerOf(task_id) ?? grant({ handle: await store.handleOf(task_id), signal });
        return readFile(file_id);
      },
    };
  };
}
