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
  revoked_at: number | null;
}

/** The uses of a token, or of other credentials, in a day and from one place. Times are Unix milliseconds, by the process's clock. */
export interface TokenUseTable {
  /** As in `CredentialUse`. */
  actor: string;
  /** In UTC: `2026-11-21`. */
  day: string;
  /** As in `Sender`; `other` for both in places after the first fifty of a day. */
  address: string;
  client: string;
  uses: number;
  first_at: number;
  last_at: number;
}

export interface ApiTokenTables {
  api_token: ApiTokenTable;
  token_use: TokenUseTable;
}

/** Creates and drops the tables `api_token` and `token_use`. */
export const apiTokensStep = tablesStep(["api_token", "token_use"], async (db) => {
  await db.schema
    .createTable("api_token")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull().unique())
    .addColumn("digest", "text", (column) => column.notNull().unique())
    .addColumn("scopes", "text", (column) => column.notNull())
    .addColumn("created_by", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("revoked_at", "bigint")
    .execute();
  await db.schema
    .createTable("token_use")
    .addColumn("actor", "text", (column) => column.notNull())
    .addColumn("day", "text", (column) => column.notNull())
    .addColumn("address", "text", (column) => column.notNull())
    .addColumn("client", "text", (column) => column.notNull())
    .addColumn("uses", "bigint", (column) => column.notNull())
    .addColumn("first_at", "bigint", (column) => column.notNull())
    .addColumn("last_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("token_use_key", ["actor", "day", "address", "client"])
    .execute();
});
