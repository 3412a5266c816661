/** Thrown by a handler for a message that can never be handled. Its text is kept beside the dead letter, for an operator. */
export class DeadLetterError extends Error {
  override readonly name = "DeadLetterError";
}
