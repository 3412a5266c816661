/** Thrown by a handler for a message that can never be handled. Its message is stored with the dead letter, for an operator. */
export class DeadLetterError extends Error {
  override readonly name = "DeadLetterError";
}
