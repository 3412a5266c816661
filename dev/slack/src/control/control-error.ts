/** Thrown for an invalid request to the control API. `status` is its HTTP status, 4xx; the message is for the caller. */
export class ControlError extends Error {
  override readonly name = "ControlError";
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}
