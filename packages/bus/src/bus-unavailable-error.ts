/** The bus is unreachable. The same messages can be published again later. */
export class BusUnavailableError extends Error {
  override readonly name = "BusUnavailableError";

  constructor(cause: unknown) {
    super("the bus is unreachable", { cause });
  }
}
