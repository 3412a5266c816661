/** Shared code of the parts of the API at `/api/v1`. */
export type { AnswerTo, ApiAnswer, ApiContent, ApiEvent, ApiExchange, ApiPart, ApiPath } from "./api-part.ts";
export {
  ApiProblem,
  correctThem,
  type ProblemDetail,
  problemOf,
  problemRefusal,
  refuseProblem,
  SharedProblem,
  sharedProblems,
  writeProblem,
} from "./api-problem.ts";
export { createAdminApi } from "./create-admin-api.ts";
export { type ApiRefusal, sendLines } from "./serve-exchange.ts";
export {
  type ApiTokens,
  bootstrap,
  checkSwitchedOn,
  type CredentialUse,
  findHolder,
  noStoredTokens,
  type Sessions,
  type SignedInPerson,
  type StoredTokens,
  type TokenHolder,
  whyEnded,
} from "./token-holder.ts";
export { tokenDigest, newTokenText } from "./token-holder.ts";
export { idempotencyKeyOf, readJsonBody, readValidBody } from "./read-query.ts";
export {
  moment,
  momentOf,
  narrowing,
  page,
  readQuery,
  text,
  textThat,
  trueOrFalse,
  type QueryMember,
} from "./read-query.ts";
