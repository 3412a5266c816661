/** A database could not be opened. The message names it and says what to do. Contains no password. */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = "DatabaseUnavailableError";
}

/** A newer version of the program has migrated the tables. An older one must not write to them. */
export class NewerDatabaseError extends DatabaseUnavailableError {
  override readonly name: string = "NewerDatabaseError";

  constructor(steps: readonly string[]) {
    super(
      `A newer version of this program has migrated the database: it applied ${steps.join(", ")}, which this version does not know. ` +
        "Start that version or a later one. Do not run an older one on this database. To go back, restore a backup from before the upgrade.",
    );
  }
}
