/** The command was called wrongly. The message is a sentence that says how to call it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
