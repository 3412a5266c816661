import { tablesStep } from "@crosszone/sql";

/** A token of the API. Times are Unix milliseconds, by the database's clock. */
export interface ApiTokenTable {
  id: string;
  /** Unique, also among revoked tokens: approvals and the audit log trust it. */
  name: string;
  /** SHA-256 of the token, hex. The token itself is not stored. */
  digest: string;
  /** `TokenScope`s with spaces between, before and after them. */
  scopes: string;
  /** The creator's `actor`. */
  created_by: string;
  created_at: number;
  expires_at: number;
  /** At most a minute old. */
  last_used_at: number | null;
  revoked_at: number | null;
}

export interface ApiTokenTables {
  api_token: ApiTokenTable;
}

/** Creates and drops the table `api_token`. */
export const apiTokensStep = tablesStep(["api_token"], async (db) => {
  await db.schema
    .createTable("api_token")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull().unique())
    .addColumn("digest", "text", (column) => column.notNull().unique())
    .addColumn("scopes", "text", (column) => column.notNull())
    .addColumn("created_by", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("last_used_at", "bigint")
    .addColumn("revoked_at", "bigint")
    .execute();
});
