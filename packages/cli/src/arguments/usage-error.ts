/** The command line is invalid. The message says how to fix it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
