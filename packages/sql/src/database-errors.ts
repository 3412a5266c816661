/** A database could not be opened. The message names it and says what to do. Contains no password. */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = "DatabaseUnavailableError";
}

/** A newer version of the program migrated the tables in a way that this one can't work with. */
export class NewerDatabaseError extends DatabaseUnavailableError {
  override readonly name: string = "NewerDatabaseError";

  constructor(steps: readonly string[]) {
    super(
      `A newer version of this program changed the database (${steps.join(", ")}), and this version can't work with that change. ` +
        "Use that version or a later one. To go back, restore a backup from before the upgrade.",
    );
  }
}
