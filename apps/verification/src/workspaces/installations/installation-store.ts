import type { WorkspaceId } from "../../slack/slack-api.ts";
import type { Vault } from "@crosszone/service-kit";
import { now } from "@crosszone/sql";
import { sql } from "kysely";
import type { VerificationDatabase } from "../../database/open-verification-database.ts";
import type { InstallationsTable } from "../../database/tables.ts";

const form = /^[TE][A-Z0-9]{1,40}$/;

/**
 * Returns the id of an installation: that of the workspace, or of the organization that installed the app as a whole. Undefined if the ids
 * are invalid.
 */
export function installationIdOf({ team_id, org_id }: WorkspaceId): string | undefined {
  const id = org_id ?? team_id;
  return form.test(id) && form.test(team_id) ? id : undefined;
}

/** An installation of the app, without its tokens. */
export interface Installation {
  /** The id of the workspace, or of the organization that installed the app as a whole. */
  readonly id: string;
  /** Changes with each installation. UUID. */
  readonly install: string;
  /** The workspace's organization. */
  readonly enterprise_id?: string;
  readonly bot_user_id: string;
  readonly bot_id: string;
  readonly scopes: readonly string[];
  /** User id. */
  readonly installed_by: string;
  /** Unix milliseconds. */
  readonly installed_at: number;
}

/** The tokens of an installation. Without token rotation, it has only the token. */
export interface Grant {
  readonly token: string;
  /** Can be used once. */
  readonly refresh_token?: string;
  /** Unix milliseconds; the token must be renewed well before. */
  readonly expires_at?: number;
  readonly renew_at?: number;
}

/** The right to use a refresh token. */
export interface RefreshLease {
  /** The grant at the time of the lease. */
  readonly grant: Grant;
  /** Unix milliseconds of the database; identifies this lease. */
  readonly until: number;
}

/** Stores installations, with their tokens sealed. Several processes can share one store. All methods are safe to repeat. */
export interface InstallationStore {
  /** Replaces the installation with the same id. */
  put(installation: Installation, grant: Grant): Promise<void>;
  find(id: string): Promise<Installation | undefined>;
  /** Undefined if the app was removed or reinstalled since. */
  grantOf(installation: Pick<Installation, "id" | "install">): Promise<Grant | undefined>;
  /**
   * Leases the refresh to one process for `forMs` milliseconds. Undefined for the other processes, and if the app is no longer installed.
   */
  leaseRefresh(installation: Pick<Installation, "id" | "install">, forMs: number): Promise<RefreshLease | undefined>;
  /** Stores the refreshed grant and ends the lease. Resolves with false, without storing, if the lease was lost or the app removed. */
  refreshed(installation: Pick<Installation, "id" | "install">, until: number, grant: Grant): Promise<boolean>;
  /** Deletes the installation, unless it was made after `before`, Unix milliseconds. Resolves with true if it deleted one. */
  remove(id: string, before: number): Promise<boolean>;
}

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
    enterprise_id: enterprise_id ?? undefined,
  };
}
