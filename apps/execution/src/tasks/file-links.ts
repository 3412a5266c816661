import { hash, randomBytes } from "node:crypto";
import { now, purgeAfter } from "@crosszone/sql";
import { sql } from "kysely";
import type { ReadFile } from "../agents/agent.ts";
import type { FileToLink } from "../agents/bridged/files-for-agent.ts";
import type { ExecutionDatabase } from "../store/open-execution-database.ts";
import { type GrantFiles, grantMessageFiles } from "./task-files.ts";
import type { TaskStore } from "./store/task-store.ts";
import { isFinal } from "./task.ts";

/** The path of links. A token follows. */
export const fileLinksPath = "/files/";

/** How long a file can be downloaded again after the first complete download, milliseconds. An agent whose connection broke can retry. */
const retryMs = 60_000;

/** The prefix by which logs recognize and hide tokens. */
const form = /^czf_[\w-]{43}$/;

const digestOf = (token: string): string => hash("sha256", token, "base64url");

/** The links that agents use to download files, for all processes of the zone. */
export type FileLinks = ReturnType<typeof createSqlFileLinks>;

export function createSqlFileLinks(database: ExecutionDatabase) {
  const { db, engine } = database;
  return {
    /** Returns a random token for the file. Resolves when the link is durable. */
    add: async ({ task_id, file_id, team, forMs }: FileToLink): Promise<string> => {
      const token = `czf_${randomBytes(32).toString("base64url")}`;
      const expires_at = sql<number>`${now(engine)} + ${Math.floor(forMs)}`;
      const link = {
        token_digest: digestOf(token),
        task_id,
        file_id,
        team: team ?? null,
        expires_at,
        fetched_at: null,
      };
      await db.insertInto("agent_file_link").values(link).execute();
      return token;
    },

    /** Returns the file of a token; undefined when the token is unknown or expired, or a minute after the first complete download. */
    find: async (token: string) => {
      if (!form.test(token)) return undefined;
      return db
        .selectFrom("agent_file_link")
        .select(["task_id", "file_id"])
        .where("token_digest", "=", digestOf(token))
        .where("expires_at", ">", now(engine))
        .where(sql<boolean>`(fetched_at is null or fetched_at > ${now(engine)} - ${retryMs})`)
        .executeTakeFirst();
    },

    /** Records a complete download. Later calls change nothing. */
    markFetched: async (token: string): Promise<void> => {
      await db
        .updateTable("agent_file_link")
        .set({ fetched_at: now(engine) })
        .where("token_digest", "=", digestOf(token))
        .where("fetched_at", "is", null)
        .execute();
    },

    purge: purgeAfter(database, { table: "agent_file_link", key: "token_digest", column: "expires_at" }, 0),
  };
}

export interface LinkedFile {
  readonly mediaType: string;
  /** Rejects when verification does not return the file. */
  readonly read: () => Promise<Uint8Array>;
}

/** Returns the file of a link's token; undefined when the token is unknown, used up or expired, or its task has ended. */
export type OpenLinkedFile = (token: string, signal: AbortSignal) => Promise<LinkedFile | undefined>;

const mediaTypeForm = /^[\w.+-]{1,127}\/[\w.+-]{1,127}$/;

/**
 * Opens linked files with the handle of their task. A process that does not run the task, for example after a restart, uses the handle in the
 * task store. The store has a handle only if `DATA_KEYS` is set. The files of a program are in its message.
 */
export function createOpenLinkedFile(deps: {
  readonly links: FileLinks;
  readonly store: TaskStore;
  /** Returns the reader for files of a task that runs in this process. */
  readonly readerOf: (taskId: string) => ReadFile | undefined;
  readonly grantFiles: GrantFiles;
}): OpenLinkedFile {
  const { links, store, readerOf, grantFiles } = deps;
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
