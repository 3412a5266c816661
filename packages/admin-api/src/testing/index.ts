/** Serves parts of the API on a real port, and checks every answer against their document. */
export { apiOperations, type ApiOperation } from "./document-check.ts";
export { noStoredTokens } from "../token-holder.ts";
export {
  adminToken,
  startAdminApi,
  type Answer,
  type StartedApi,
  type StartOptions,
  viewToken,
} from "./start-admin-api.ts";
export { watchEvents, type EventBlock, type WatchedEvents } from "./start-admin-api.ts";
