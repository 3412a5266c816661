import type { Vault } from "@crosszone/service-kit";
import { now } from "@crosszone/sql";
import { sql } from "kysely";
import type { VerificationDatabase } from "../../database/open-verification-database.ts";
import type { Grant, Installation, InstallationStore } from "./installation-store.ts";
import type { InstallationsTable } from "../../database/tables.ts";

/** Returns the context that seals a grant to its row. */
export const grantContext = ({ id }: Pick<InstallationsTable, "id">): string => `installation ${id}`;

/** Stores installations in the zone's database. `vault` seals their secrets, each for its own row. */
export function createSqlInstallationStore(
  { db, engine }: Pick<VerificationDatabase, "db" | "engine">,
  { vault }: { readonly vault: Vault },
): InstallationStore {
  const sealed = (id: string, grant: Grant): string => vault.seal(JSON.stringify(grant), grantContext({ id }));
  const opened = (id: string, text: string): Grant => JSON.parse(vault.open(text, grantContext({ id }))) as Grant;

  const store: InstallationStore = {
    put: async (installation, grant) => {
      const row = { ...toRow(installation), grant_sealed: sealed(installation.id, grant), refresh_until: null };
      const { id: _id, ...rest } = row;
      await db
        .insertInto("installation")
        .values(row)
        .onConflict((conflict) => conflict.column("id").doUpdateSet(rest))
        .execute();
    },
    find: async (id) => {
      const row = await db.selectFrom("installation").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toInstallation(row);
    },
    grantOf: async ({ id, install }) => {
      const row = await db
        .selectFrom("installation")
        .select("grant_sealed")
        .where((it) => it.and({ id, install }))
        .executeTakeFirst();
      return row && opened(id, row.grant_sealed);
    },
    leaseRefresh: async ({ id, install }, forMs) => {
      const row = await db
        .updateTable("installation")
        .set({ refresh_until: sql<number>`${now(engine)} + ${forMs}` })
        .where((it) => it.and({ id, install }))
        .where((it) => it.or([it("refresh_until", "is", null), it("refresh_until", "<", now(engine))]))
        .returning(["refresh_until", "grant_sealed"])
        .executeTakeFirst();
      if (row === undefined || row.refresh_until === null) return undefined;
      return { grant: opened(id, row.grant_sealed), until: row.refresh_until };
    },
    refreshed: async ({ id, install }, until, grant) => {
      const { numUpdatedRows } = await db
        .updateTable("installation")
        .set({ grant_sealed: sealed(id, grant), refresh_until: null })
        .where((it) => it.and({ id, install }))
        .where("refresh_until", "=", until)
        .executeTakeFirstOrThrow();
      // A repeated call after a lost response finds the grant stored.
      return numUpdatedRows > 0n || (await store.grantOf({ id, install }))?.token === grant.token;
    },
    remove: async (id, before) => {
      const { numDeletedRows } = await db
        .deleteFrom("installation")
        .where("id", "=", id)
        .where("installed_at", "<=", before)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
  };
  return store;
}

type Row = Omit<InstallationsTable, "grant_sealed" | "refresh_until">;

function toRow({ scopes, enterprise_id, ...installation }: Installation): Row {
  return { ...installation, enterprise_id: enterprise_id ?? null, scopes: scopes.join(",") };
}

function toInstallation({ scopes, enterprise_id, ...row }: Row): Installation {
  const { id, install, bot_user_id, bot_id, installed_by, installed_at } = row;
  return {
    id,
    install,
    bot_user_id,
    bot_id,
    installed_by,
    installed_at,
    scopes: scopes.split(","),
    ...(enterprise_id !== null && { enterprise_id }),
  };
}
