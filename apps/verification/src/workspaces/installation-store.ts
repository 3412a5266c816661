import type { AppendAudit, NewAuditEvent } from "@crosszone/audit";
import type { Vault } from "@crosszone/service-kit";
import { now } from "@crosszone/sql";
import { sql } from "kysely";
import type { InstallationsTable, VerificationDatabase } from "../database.ts";
import type { WorkspaceId } from "../slack/slack-api.ts";

const form = /^[TE][A-Z0-9]{1,40}$/;

/**
 * Returns the id of an installation: that of the workspace, or of the organization that installed the app as a whole. Undefined if the ids
 * are invalid.
 */
export function installationIdOf({ team_id, org_id }: WorkspaceId): string | undefined {
  const id = org_id ?? team_id;
  return form.test(id) && form.test(team_id) ? id : undefined;
}

/** One installation of the app in a workspace or organization. */
export interface InstallId {
  /** The id of the workspace, or of the organization that installed the app as a whole. */
  readonly id: string;
  /** Changes with each installation. UUID. */
  readonly install: string;
}

/** An installation of the app, without its tokens. */
export interface Installation extends InstallId {
  readonly bot_user_id: string;
  readonly bot_id: string;
  readonly installed_by: string;
  /** Unix milliseconds. */
  readonly installed_at: number;
  /** The workspace's organization. */
  readonly enterprise_id?: string;
  readonly scopes: readonly string[];
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

/** Returns the context that seals a grant to its row. */
export const grantContext = (id: string): string => `installation ${id}`;

/**
 * Stores installations, with their tokens sealed by the vault for their own row. Several processes can share one store. All methods are safe
 * to repeat.
 */
export function createInstallationStore(
  { db, engine, transaction }: VerificationDatabase,
  vault: Vault,
  append: AppendAudit,
) {
  const sealed = (id: string, grant: Grant): string => vault.seal(JSON.stringify(grant), grantContext(id));
  const opened = (id: string, text: string): Grant => JSON.parse(vault.open(text, grantContext(id))) as Grant;

  /** Undefined if the app was removed or reinstalled since. */
  async function grantOf({ id, install }: InstallId): Promise<Grant | undefined> {
    const found = db.selectFrom("installation").select("grant_sealed");
    const row = await found.where((it) => it.and({ id, install })).executeTakeFirst();
    return row && opened(id, row.grant_sealed);
  }

  return {
    /** Replaces the installation with the same id: its scopes can differ. Its audit event has the id of the installation. */
    put: async (installation: Installation, grant: Grant): Promise<void> => {
      const row = { ...toRow(installation), grant_sealed: sealed(installation.id, grant), refresh_until: null };
      const { id: _id, ...rest } = row;
      const { installed_by, install } = installation;
      await transaction(async (tx) => {
        const replaced = await tx
          .selectFrom("installation")
          .select("scopes")
          .where("id", "=", row.id)
          .executeTakeFirst();
        const inserted = tx.insertInto("installation").values(row);
        await inserted.onConflict((conflict) => conflict.column("id").doUpdateSet(rest)).execute();
        const details = { scopes: row.scopes, replaced_scopes: replaced?.scopes ?? null };
        const actor = { type: "person", id: installed_by, team: row.id } as const;
        await append(tx, [{ ...actOn("install", row.id, actor), id: install, details }]);
      });
    },
    find: async (id: string): Promise<Installation | undefined> => {
      const row = await db.selectFrom("installation").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toInstallation(row);
    },
    ids: async (): Promise<readonly string[]> => {
      const rows = await db.selectFrom("installation").select("id").orderBy("id").execute();
      return rows.map(({ id }) => id);
    },
    grantOf,
    /**
     * Leases the right to use the refresh token of `grant` to one process for `forMs` milliseconds. `until`, in the database's time, identifies
     * the lease. Undefined for the other processes, and if the app is no longer installed.
     */
    leaseRefresh: async ({ id, install }: InstallId, forMs: number) => {
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
    /** Stores the refreshed grant and ends the lease. Resolves with false, without storing, if the lease was lost or the app removed. */
    refreshed: async ({ id, install }: InstallId, until: number, grant: Grant): Promise<boolean> => {
      const { numUpdatedRows } = await db
        .updateTable("installation")
        .set({ grant_sealed: sealed(id, grant), refresh_until: null })
        .where((it) => it.and({ id, install }))
        .where("refresh_until", "=", until)
        .executeTakeFirstOrThrow();
      // A repeated call after a lost response finds the grant stored.
      return numUpdatedRows > 0n || (await grantOf({ id, install }))?.token === grant.token;
    },
    /** Deletes the installation, unless it was made after `before`, Unix milliseconds. Resolves with true if it deleted one. */
    remove: (id: string, before: number): Promise<boolean> =>
      transaction(async (tx) => {
        const deleted = tx.deleteFrom("installation").where("id", "=", id).where("installed_at", "<=", before);
        const isRemoved = (await deleted.executeTakeFirstOrThrow()).numDeletedRows > 0n;
        // Slack doesn't say who removed the app.
        if (isRemoved) await append(tx, [actOn("remove", id, { type: "person", id: "?", team: id })]);
        return isRemoved;
      }),
  };
}

export type InstallationStore = ReturnType<typeof createInstallationStore>;

const actOn = (verb: "install" | "remove", id: string, actor: NewAuditEvent["actor"]): NewAuditEvent => ({
  action: `workspace.${verb}`,
  outcome: "done",
  actor,
  target: { type: "workspace", id },
  surface: "slack",
  at: Date.now(),
});

function toRow({ scopes, enterprise_id, ...installation }: Installation) {
  return { ...installation, enterprise_id: enterprise_id ?? null, scopes: scopes.join(",") };
}

function toInstallation({
  scopes,
  enterprise_id,
  grant_sealed: _sealed,
  refresh_until: _until,
  ...row
}: InstallationsTable): Installation {
  return { ...row, scopes: scopes.split(","), enterprise_id: enterprise_id ?? undefined };
}
