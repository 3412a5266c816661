/** An error whose message is shown to the user of a command. */
export class DataCommandError extends Error {
  override readonly name = "DataCommandError";
}
