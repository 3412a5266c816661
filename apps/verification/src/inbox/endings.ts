/** Thrown when another process has the record. The worker must stop, and post nothing. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** Thrown by a worker that must leave its record to the next process, for example during shutdown. The attempt does not count. */
export class HandBackError extends Error {
  override readonly name = "HandBackError";
}

/** Thrown when a record can never be answered, for example in an archived channel; `cause` has the reason. */
export class UnanswerableError extends Error {
  override readonly name = "UnanswerableError";
}
