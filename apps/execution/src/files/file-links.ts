import { hash, randomBytes } from "node:crypto";
import type { Purge } from "@crosszone/service-kit";
import { deleteOlder, now } from "@crosszone/sql";
import { sql } from "kysely";
import type { FileToLink } from "../agents/bridged/files-for-agent.ts";
import type { ExecutionDatabase } from "../database/open-execution-database.ts";

/** Stores the links that agents use to download files, for all processes of the zone. */
export interface FileLinks {
  /** Returns a random token for the file. Resolves when the link is durable. */
  readonly add: (link: FileToLink) => Promise<string>;
  /** Returns the file of a token; undefined when the token is unknown or expired, or a minute after the first complete download. */
  readonly find: (token: string) => Promise<Pick<FileToLink, "task_id" | "file_id"> | undefined>;
  /** Records a complete download. Later calls change nothing. */
  readonly markFetched: (token: string) => Promise<void>;
}

/** The path of links. A token follows. */
export const fileLinksPath = "/files/";

/** How long a file can be downloaded again after the first complete download, milliseconds. An agent whose connection broke can retry. */
const retryMs = 60_000;

/** The prefix by which logs recognize and hide tokens. */
const form = /^czf_[\w-]{43}$/;

const digestOf = (token: string): string => hash("sha256", token, "base64url");

/** Returns `FileLinks` in the zone's database, and the purge that deletes expired links. */
export function createSqlFileLinks({ db, engine }: ExecutionDatabase): FileLinks & { readonly purge: Purge } {
  const current = sql<number>`(select ${now(engine)})`;
  return {
    add: async ({ task_id, file_id, team = null, forMs }) => {
      const token = `czf_${randomBytes(32).toString("base64url")}`;
      const expires_at = sql<number>`${now(engine)} + ${Math.floor(forMs)}`;
      const link = { token_digest: digestOf(token), task_id, file_id, team, expires_at, fetched_at: null };
      await db.insertInto("agent_file_link").values(link).execute();
      return token;
    },

    find: async (token) => {
      if (!form.test(token)) return undefined;
      return db
        .selectFrom("agent_file_link")
        .select(["task_id", "file_id"])
        .where("token_digest", "=", digestOf(token))
        .where("expires_at", ">", now(engine))
        .where(sql<boolean>`(fetched_at is null or fetched_at > ${now(engine)} - ${retryMs})`)
        .executeTakeFirst();
    },

    markFetched: async (token) => {
      await db
        .updateTable("agent_file_link")
        .set({ fetched_at: now(engine) })
        .where("token_digest", "=", digestOf(token))
        .where("fetched_at", "is", null)
        .execute();
    },

    purge: {
      table: "agent_file_link",
      purge: (most) =>
        deleteOlder(db, { table: "agent_file_link", key: "token_digest", column: "expires_at", before: current }, most),
    },
  };
}
