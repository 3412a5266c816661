import { tablesStep } from "@crosszone/sql";
import { sql } from "kysely";

/** Links that agents use to download files of their tasks. Times are Unix milliseconds, by the database's clock. */
export interface FileLinkTable {
  /** SHA-256 of the token. The token itself is not stored. */
  token_digest: string;
  task_id: string;
  file_id: string;
  /** Digest of the requester's team. */
  team: string | null;
  expires_at: number;
  /** When the first complete download ended. */
  fetched_at: number | null;
}

export interface FileLinkTables {
  agent_file_link: FileLinkTable;
}

/** Creates and drops the table `agent_file_link`. */
export const fileLinksStep = tablesStep(["agent_file_link"], async (db) => {
  await db.schema
    .createTable("agent_file_link")
    .addColumn("token_digest", "text", (column) => column.primaryKey())
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("file_id", "text", (column) => column.notNull())
    .addColumn("team", "text")
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("fetched_at", "bigint")
    .execute();
  await db.schema.createIndex("agent_file_link_by_expiry").on("agent_file_link").column("expires_at").execute();
  await sql`create index agent_file_link_by_team on agent_file_link (team) where team is not null`.execute(db);
});
