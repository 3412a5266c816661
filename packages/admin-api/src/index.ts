/** Shared code of the parts of the API at `/api/v1`. */
export type {
  AnswerTo,
  ApiAnswer,
  ApiContent,
  ApiEvent,
  ApiExchange,
  ApiPart,
  ApiPath,
  ApiStream,
  OpenApiDocument,
} from "./api-part.ts";
export {
  ApiProblem,
  SharedProblem,
  sharedProblems,
  type ProblemDetail,
  type ProblemKind,
  type SharedProblemKind,
} from "./api-problem.ts";
export { createAdminApi, type AdminApiDeps } from "./create-admin-api.ts";
export { readJsonBody, type BodyRules } from "./read-json-body.ts";
export { page, readQuery, text, textThat, trueOrFalse, type Query, type QueryMember } from "./read-query.ts";
export type { ApiRefusal, OnRefused } from "./serve-exchange.ts";
