import { type ParamProblem, type Problem, type ProblemKind, problemTable, ZoneError } from "@crosszone/contracts";
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

/** A refused request. The message tells the sender what to do. */
export class ApiProblem extends Error {
  readonly kind: ProblemKind;
  readonly status: number;
  readonly title: string;
  readonly problems: readonly ParamProblem[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly by: string | undefined;

  /** `message`: what to do, when the document's advice says too little. */
  constructor(kind: ProblemKind, message?: string, { problems, headers = {}, by }: ProblemDetail = {}) {
    const { status, title, advice } = problemTable[kind];
    super(message ?? advice);
    this.name = new.target.name;
    this.kind = kind;
    this.status = status;
    this.title = title;
    this.problems = problems;
    this.headers = headers;
    this.by = by;
  }
}

/** Converts a thrown value to a public problem. An unexpected error becomes `internal`, with fixed text. */
export function problemOf(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  const outage = error instanceof ZoneError ? unavailableIn(error) : outageOf(error)?.what;
  if (outage !== undefined) {
    const message = `${sentenceOf(outage)} Try again later.`;
    return new ApiProblem("unavailable", message, { headers: { "retry-after": "1" } });
  }
  if (error instanceof ZoneError && error.kind === "rate_limited") {
    const { retry_after_ms: waitMs = 1_000, problems: [why] = [] } = error.data;
    const headers = { "retry-after": String(Math.ceil(waitMs / 1_000)) };
    if (why !== undefined) return new ApiProblem("too_much_stored", sentenceOf(why.message), { headers });
    return new ApiProblem("busy", undefined, { headers });
  }
  // Express's error for a path that is not percent-encoded.
  if ((error as { status?: unknown } | null)?.status === 400)
    return new ApiProblem("malformed_request", "Encode each name in the path as encodeURIComponent does.");
  return new ApiProblem("internal");
}

const sentenceOf = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const unavailableIn = ({ kind, data: { problems = [] } }: ZoneError): string | undefined =>
  kind === "zone_unavailable" ? (problems[0]?.message ?? "the zone can't work now") : undefined;

const ours: ReadonlySet<string> = new Set<ProblemKind>(["internal", "unavailable"]);

/** Returns the refusal that a thrown value becomes. It has a cause if the failure is not the sender's fault. */
export function problemRefusal(error: unknown): Refusal {
  const { kind, status, title, message, problems, headers, by } = problemOf(error);
  return { kind, status, message, problems, headers, by, title, cause: ours.has(kind) ? error : undefined };
}

/** Makes the refusals of the surface itself. */
export function refuseProblem(kind: RefusalKind, detail?: RefusalDetail): Refusal {
  const { title, advice } = problemTable[kind];
  const message = detail?.message === undefined ? advice : sentenceOf(detail.message);
  return { ...refusal(kind, detail), title, message };
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
