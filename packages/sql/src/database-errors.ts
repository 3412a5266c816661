/** A database could not be opened. The message names it and says what to do; it holds no password. */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = "DatabaseUnavailableError";
}

/** A newer version of the program has changed the tables. An older one must not write into them. */
export class NewerDatabaseError extends DatabaseUnavailableError {
  override readonly name: string = "NewerDatabaseError";

  constructor(steps: readonly string[]) {
    super(
      `A newer version of this program has used the database: it did ${steps.join(", ")}, which this version does not know. ` +
        "Start that version or a later one. Do not run an older one on this database; to go back, restore a backup of the time before.",
    );
  }
}
