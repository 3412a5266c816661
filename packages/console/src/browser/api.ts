import type { ParamProblem } from "@crosszone/contracts";
import { type OperationId, operationRequest, type Operations, type TypedAsk } from "@crosszone/contracts/operations";

/** The API as the console uses it. Every rejection is an `ApiFault`, or the abort of its signal. */
export type Api = ReturnType<typeof createApi>;

/** The longest pause that a server can request, milliseconds. */
const longestQuietMs = 30_000;

/** Creates a client of `/api/v1`. Without a token, the browser sends the cookie of the session. */
export function createApi(token?: string) {
  let clockAhead = 0;
  let quietUntil = 0;

  /** Pauses every request of the page until the time that the server's 429 names. */
  function keepQuiet({ headers }: Response): void {
    const seconds = Number(headers.get("retry-after") ?? 0);
    if (seconds > 0) quietUntil = performance.now() + Math.min(seconds * 1_000, longestQuietMs);
  }

  async function open<Id extends OperationId>(
    id: Id,
    asked: TypedAsk<Id>,
    init: Pick<RequestInit, "signal" | "headers"> = {},
  ): Promise<Response> {
    const quietMs = quietUntil - performance.now();
    if (quietMs > 0) await new Promise((resolve) => setTimeout(resolve, quietMs));
    const { method, path, body } = operationRequest(id, asked);
    const headers = new Headers(init.headers);
    if (method !== "GET") headers.set("content-type", "application/json");
    // Such a token doesn't fit into a header.
    if (token !== undefined && !/^[!-~]+$/.test(token))
      throw new ApiFault("The token contains invalid characters.", { status: 401, kind: "unauthorized" });
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    const sent: RequestInit = { cache: "no-store", ...init, method, headers };
    if (body !== undefined) sent.body = JSON.stringify(body);
    const response = await fetch(`/api/v1/${path}`, sent).catch((error: unknown) => {
      if (init.signal?.aborted === true) throw error;
      throw new ApiFault("Cannot reach the server.", { status: 0, kind: "unreachable" });
    });
    const date = Date.parse(response.headers.get("date") ?? "");
    // HTTP dates have whole seconds.
    if (Math.abs(date + 500 - Date.now() - clockAhead) > 1_500) clockAhead = date + 500 - Date.now();
    if (response.status === 429) keepQuiet(response);
    if (!response.ok) throw await faultOf(response);
    return response;
  }

  return {
    /** Calls an operation. */
    call: async <Id extends OperationId>(
      id: Id,
      asked: TypedAsk<Id>,
      signal?: AbortSignal,
    ): Promise<Operations[Id]["result"]> => {
      const response = await open(id, asked, { signal: signal ?? null });
      const text = await response.text();
      return text === "" ? undefined : JSON.parse(text);
    },
    /** The response to an operation itself: an event stream or a download. */
    open,
    /** The server's time, Unix milliseconds. */
    now: (): number => Date.now() + clockAhead,
  };
}

/** An error of the API; status 0 when it couldn't be reached. The message is for the user. */
export class ApiFault extends Error {
  override readonly name = "ApiFault";
  readonly status: number;
  /** The last part of the problem's type: `api-off`, `run-not-found`. */
  readonly kind: string;
  /** What is wrong in the request, by JSON pointer. */
  readonly problems: readonly ParamProblem[];

  constructor(
    message: string,
    of: { readonly status: number; readonly kind: string; readonly problems?: readonly ParamProblem[] | undefined },
  ) {
    super(message);
    this.status = of.status;
    this.kind = of.kind;
    this.problems = of.problems ?? [];
  }
}

/** Whether a retry can't help: the resource is gone, or the user may not read it. */
export const isHopeless = (error: unknown): error is ApiFault =>
  error instanceof ApiFault && [401, 403, 404].includes(error.status);

/** Returns the fault of an unsuccessful response. https://www.rfc-editor.org/rfc/rfc9457 */
async function faultOf(response: Response): Promise<ApiFault> {
  const problem: unknown = await response.json().catch(() => undefined);
  const { detail, problems, title, type } = (typeof problem === "object" && problem !== null ? problem : {}) as Record<
    string,
    unknown
  >;
  const sentences = [title, detail].filter((text) => typeof text === "string");
  const message =
    sentences.length > 0 ? sentences.join(". ") : `The server answered with status ${String(response.status)}.`;
  const kind = typeof type === "string" ? type.slice(type.lastIndexOf("/") + 1) : "unknown";
  return new ApiFault(message, { status: response.status, kind, problems: problems as ParamProblem[] | undefined });
}
