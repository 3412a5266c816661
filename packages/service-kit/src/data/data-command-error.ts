/** What a person who gave a command has to know; its message is shown as it is. */
export class DataCommandError extends Error {
  override readonly name = "DataCommandError";
}
