import { ApiProblem, type ProblemDetail } from "./api-problem.ts";

/** Problems that any part of the API can return. */
export const sharedProblems = {
  malformed_request: { status: 400, title: "The request is malformed" },
  unauthorized: { status: 401, title: "An admin token is required" },
  view_only: { status: 403, title: "This token can only read" },
  api_off: { status: 404, title: "The API is off" },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  too_large: { status: 413, title: "The body is too large" },
  content_type: { status: 415, title: "Unsupported content type" },
  too_many: { status: 429, title: "Too many requests with this token" },
  internal: { status: 500, title: "Internal error" },
  unavailable: { status: 503, title: "The database is unreachable" },
} as const;

export type SharedProblemKind = keyof typeof sharedProblems;

/** A refusal shared by all parts of the API. */
export class SharedProblem extends ApiProblem {
  constructor(kind: SharedProblemKind, message: string, detail?: ProblemDetail) {
    super({ kind, ...sharedProblems[kind] }, message, detail);
  }
}
