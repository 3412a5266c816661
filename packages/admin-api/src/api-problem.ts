import { type ParamProblem, type Problem, ZoneError } from "@crosszone/contracts";
import {
  type Exchange,
  type Refusal,
  refusal,
  type RefusalDetail,
  type RefusalForm,
  type RefusalKind,
} from "@crosszone/service-kit";
import { outageOf } from "@crosszone/sql";

export interface ProblemDetail {
  readonly problems?: readonly ParamProblem[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The actor of a token that is no longer valid. For the log only. */
  readonly by?: string | undefined;
}

/** What went wrong. Each part of the API has its own. */
export interface ProblemKind {
  readonly kind: string;
  readonly status: number;
  readonly title: string;
}

/** The message of a problem that has `problems`. */
export const correctThem = "Correct what `problems` names.";

/** A refused request. The message tells the sender what to do. */
export class ApiProblem extends Error {
  readonly kind: string;
  readonly status: number;
  readonly title: string;
  readonly problems: readonly ParamProblem[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly by: string | undefined;

  constructor(
    { kind, status, title }: ProblemKind,
    message: string,
    { problems, headers = {}, by }: ProblemDetail = {},
  ) {
    super(message);
    this.name = new.target.name;
    this.kind = kind;
    this.status = status;
    this.title = title;
    this.problems = problems;
    this.headers = headers;
    this.by = by;
  }
}

/** Problems that any part of the API can return. */
export const sharedProblems = {
  malformed_request: { status: 400, title: "The request is malformed" },
  unauthorized: { status: 401, title: "A valid token is required" },
  missing_scope: { status: 403, title: "A scope is missing" },
  foreign_request: { status: 403, title: "The request may come from another site" },
  api_off: { status: 404, title: "The API is off" },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  too_large: { status: 413, title: "The body is too large" },
  content_type: { status: 415, title: "Unsupported content type" },
  invalid_value: { status: 422, title: "A value can't be kept" },
  too_many: { status: 429, title: "Too many requests with this token" },
  too_much_stored: { status: 429, title: "Too much is stored for this token" },
  busy: { status: 429, title: "Too many requests at once" },
  internal: { status: 500, title: "Internal error" },
  unavailable: { status: 503, title: "The zone is unavailable" },
} as const;

export type SharedProblemKind = keyof typeof sharedProblems;

/** A refusal shared by all parts of the API. */
export class SharedProblem extends ApiProblem {
  constructor(kind: SharedProblemKind, message: string, detail?: ProblemDetail) {
    super({ kind, ...sharedProblems[kind] }, message, detail);
  }
}

/** Converts a thrown value to a public problem. An unexpected error becomes `internal`, with fixed text. */
export function problemOf(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  const outage = error instanceof ZoneError ? unavailableIn(error) : outageOf(error)?.what;
  if (outage !== undefined) {
    const message = `${sentenceOf(outage)} Try again later.`;
    return new SharedProblem("unavailable", message, { headers: { "retry-after": "1" } });
  }
  if (error instanceof ZoneError && error.kind === "rate_limited") {
    const { retry_after_ms: waitMs = 1_000, problems: [why] = [] } = error.data;
    const headers = { "retry-after": String(Math.ceil(waitMs / 1_000)) };
    if (why !== undefined) return new SharedProblem("too_much_stored", sentenceOf(why.message), { headers });
    return new SharedProblem("busy", "Other requests are waiting. Try again later.", { headers });
  }
  // Express's error for a path that is not percent-encoded.
  if ((error as { status?: unknown } | null)?.status === 400)
    return new SharedProblem("malformed_request", "Encode each name in the path as encodeURIComponent does.");
  return new SharedProblem("internal", "Look for the correlation id in the log.");
}

const sentenceOf = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const unavailableIn = ({ kind, data: { problems = [] } }: ZoneError): string | undefined =>
  kind === "zone_unavailable" ? (problems[0]?.message ?? "the zone can't work now") : undefined;

const ours: ReadonlySet<string> = new Set<SharedProblemKind>(["internal", "unavailable"]);

/** Returns the refusal that a thrown value becomes. It has a cause if the failure is not the sender's fault. */
export function problemRefusal(error: unknown): Refusal {
  const { kind, status, title, message, problems, headers, by } = problemOf(error);
  return { kind, status, message, problems, headers, by, title, cause: ours.has(kind) ? error : undefined };
}

/** Makes the refusals of the surface itself. */
export function refuseProblem(kind: RefusalKind, detail?: RefusalDetail): Refusal {
  const made = refusal(kind, detail);
  return { ...made, title: sharedProblems[kind].title, message: sentenceOf(made.message) };
}

/** Writes a refusal as a problem. https://www.rfc-editor.org/rfc/rfc9457 */
export function writeProblem(refused: Refusal, { correlationId }: Exchange): RefusalForm {
  const { kind, status, title = kind, message, problems } = refused;
  const body: Problem = {
    type: `https://crosszone.dev/problems/${kind.replaceAll("_", "-")}`,
    title,
    status,
    detail: message,
    correlation_id: correlationId,
    problems: problems && [...problems],
  };
  return { contentType: "application/problem+json", body: JSON.stringify(body) };
}
