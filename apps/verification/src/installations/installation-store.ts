/** An installation of the app, without its tokens. */
export interface Installation {
  /** The id of the workspace, or of the organisation when it installed the app as a whole. */
  readonly id: string;
  /** Another one each time that the app is installed. UUID. */
  readonly install: string;
  /** The organisation that the workspace is part of. */
  readonly enterprise_id?: string;
  readonly bot_user_id: string;
  readonly bot_id: string;
  readonly scopes: readonly string[];
  /** User id. */
  readonly installed_by: string;
  /** Unix milliseconds. */
  readonly installed_at: number;
}

/** What an installation gives the app; all but the token with token rotation only. */
export interface Grant {
  readonly token: string;
  /** May be spent once. */
  readonly refresh_token?: string;
  /** Unix milliseconds; another token should be there well before. */
  readonly expires_at?: number;
  readonly renew_at?: number;
}

/** The permission to spend a refresh token. */
export interface RefreshLease {
  /** As it is once the lease is held. */
  readonly grant: Grant;
  /** Unix milliseconds of the database: tells this lease from every other. */
  readonly until: number;
}

/** Keeps installations, their tokens sealed. Several processes may share one store. All methods may be repeated. */
export interface InstallationStore {
  /** Takes the place of the installation with the same id. */
  put(installation: Installation, grant: Grant): Promise<void>;
  find(id: string): Promise<Installation | undefined>;
  /** Nothing when the app was removed or installed again since. */
  grantOf(installation: Pick<Installation, "id" | "install">): Promise<Grant | undefined>;
  /** Of all processes, one gets the lease, for `forMs` milliseconds; nothing for the others, and when it is not installed any more. */
  leaseRefresh(installation: Pick<Installation, "id" | "install">, forMs: number): Promise<RefreshLease | undefined>;
  /** Stores what the lease was spent for and ends the lease. False when the lease was lost or the app removed: nothing is stored then. */
  refreshed(installation: Pick<Installation, "id" | "install">, until: number, grant: Grant): Promise<boolean>;
  /** Forgets the installation, unless it was made after `before`, Unix milliseconds. Whether there was one. */
  remove(id: string, before: number): Promise<boolean>;
}
