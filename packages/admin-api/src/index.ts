/** Shared code of the parts of the API at `/api/v1`. */
export type { ApiContent, ApiEvent, ApiExchange, ApiPart, ApiPath } from "./api-part.ts";
export {
  ApiProblem,
  type ProblemDetail,
  problemOf,
  problemRefusal,
  refuseProblem,
  writeProblem,
} from "./api-problem.ts";
export { createAdminApi } from "./create-admin-api.ts";
export type { ApiHandler, ApiHandlers, AskedFor } from "./serve.ts";
export { ApiReply, cursorOf, invalidBody, momentOf, queryReader, serveApi } from "./serve.ts";
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
