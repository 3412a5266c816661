/** Thrown when somebody else has the record by now: whoever gets this stops working on it, and says nothing to anybody. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** Thrown by whoever works on a record and has to leave it to the next process, as at a stop: the attempt does not count. */
export class HandBackError extends Error {
  override readonly name = "HandBackError";
}

/** Thrown when nobody can answer a record, however often it is tried, as in a channel that is archived; `cause` says why. */
export class UnanswerableError extends Error {
  override readonly name = "UnanswerableError";
}
