/** What the API refused, or that it could not be reached (status 0). Its message is for the person who looks. */
export class ApiFault extends Error {
  override readonly name = "ApiFault";
  readonly status: number;
  /** As in the type of the problem: `api-off`, `run-not-found`. */
  readonly kind: string;

  constructor(message: string, { status, kind }: { readonly status: number; readonly kind: string }) {
    super(message);
    this.status = status;
    this.kind = kind;
  }
}

/** Whether asking again is of no use: what was asked for, or the right to see it, is gone. */
export const isHopeless = (error: unknown): error is ApiFault =>
  error instanceof ApiFault && [401, 403, 404].includes(error.status);

/** The fault of an answer that is none of success. https://www.rfc-editor.org/rfc/rfc9457 */
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
