/** Shared code of the parts of the API at `/api/v1`. */
export type { AnswerTo, ApiAnswer, ApiContent, ApiEvent, ApiExchange, ApiStream } from "./api-exchange.ts";
export type { ApiPart, ApiPath } from "./api-part.ts";
export { ApiProblem, type ProblemDetail, type ProblemKind } from "./api-problem.ts";
export { createAdminApi, type AdminApiDeps } from "./create-admin-api.ts";
export type { OpenApiDocument } from "./open-api-document.ts";
export { page, text, textThat, trueOrFalse } from "./query-members.ts";
export { readJsonBody, type BodyRules } from "./read-json-body.ts";
export { readQuery, type Query, type QueryMember } from "./read-query.ts";
export type { ApiRefusal, OnRefused } from "./serve-exchange.ts";
export { SharedProblem, sharedProblems, type SharedProblemKind } from "./shared-problem.ts";
