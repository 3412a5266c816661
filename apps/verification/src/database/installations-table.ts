import type { MigrationStep } from "@crosszone/sql";

/** Installations of the app, one row per workspace or organisation. */
export interface InstallationsTable {
  /** Id of a workspace, or of an organisation that installed the app as a whole. */
  id: string;
  /** Changes with each installation. */
  install: string;
  enterprise_id: string | null;
  bot_user_id: string;
  bot_id: string;
  /** Comma-separated. */
  scopes: string;
  installed_by: string;
  /** Unix milliseconds. */
  installed_at: number;
  /** A `Grant`, JSON, sealed for `grantContext`. */
  grant_sealed: string;
  /** End of the lease that lets one process use the refresh token, Unix milliseconds of the database. */
  refresh_until: number | null;
}

/** Returns the context that seals a grant to its row. */
export const grantContext = ({ id }: Pick<InstallationsTable, "id">): string => `installation ${id}`;

export const installationsStep: MigrationStep = {
  up: async (db) => {
    await db.schema
      .createTable("installation")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("install", "text", (column) => column.notNull())
      .addColumn("enterprise_id", "text")
      .addColumn("bot_user_id", "text", (column) => column.notNull())
      .addColumn("bot_id", "text", (column) => column.notNull())
      .addColumn("scopes", "text", (column) => column.notNull())
      .addColumn("installed_by", "text", (column) => column.notNull())
      .addColumn("installed_at", "bigint", (column) => column.notNull())
      .addColumn("grant_sealed", "text", (column) => column.notNull())
      .addColumn("refresh_until", "bigint")
      .execute();
  },
  down: async (db) => {
    await db.schema.dropTable("installation").execute();
  },
};
