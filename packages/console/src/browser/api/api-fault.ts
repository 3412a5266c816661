/** An error of the API; status 0 when it couldn't be reached. The message is for the user. */
export class ApiFault extends Error {
  override readonly name = "ApiFault";
  readonly status: number;
  /** The last part of the problem's type: `api-off`, `run-not-found`. */
  readonly kind: string;

  constructor(message: string, { status, kind }: { readonly status: number; readonly kind: string }) {
    super(message);
    this.status = status;
    this.kind = kind;
  }
}

/** Whether a retry can't help: the resource is gone, or the token may not read it. */
export const isHopeless = (error: unknown): error is ApiFault =>
  error instanceof ApiFault && [401, 403, 404].includes(error.status);

/** Returns the fault of an unsuccessful response. https://www.rfc-editor.org/rfc/rfc9457 */
export async function faultOf(response: Response): Promise<ApiFault> {
  const problem: unknown = await response.json().catch(() => undefined);
  const { detail, title, type } = (typeof problem === "object" && problem !== null ? problem : {}) as Record<
    string,
    unknown
  >;
  const sentences = [title, detail].filter((text) => typeof text === "string");
  const message =
    sentences.length > 0 ? sentences.join(". ") : `The server answered with status ${String(response.status)}.`;
  const kind = typeof type === "string" ? type.slice(type.lastIndexOf("/") + 1) : "unknown";
  return new ApiFault(message, { status: response.status, kind });
}
