import type { WorkspaceId } from "../../slack/slack-api.ts";

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
