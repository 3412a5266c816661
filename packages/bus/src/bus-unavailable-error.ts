/** The bus cannot take messages now; the same may be published again later. */
export class BusUnavailableError extends Error {
  override readonly name = "BusUnavailableError";

  constructor(cause: unknown) {
    super("the bus cannot be reached", { cause });
  }
}
