export {
  bearerSecurity,
  type CardFacts,
  type CardInterface,
  cardInterfaces,
  readCard,
  type SpokenInterface,
  spokenInterfaces,
} from "./card.ts";
export {
  defined,
  errorObject,
  type ErrorDetails,
  type ErrorReason,
  invalid,
  isObject,
  type JsonObject,
  listAt,
  memberOf,
  objectAt,
  optionalBoolean,
  optionalInteger,
  optionalObject,
  optionalString,
  RpcError,
  stringAt,
  unavailable,
  withoutPush,
} from "./check.ts";
export { othersIn, partOfOthers } from "./content-of-others.ts";
export { invalidPageToken, type ListRequest, readListRequest } from "./list-request.ts";
export { acceptsFile } from "./media-type.ts";
export { checkModes } from "./read-message.ts";
export { idOf, isNotification, parseJson, readRequest, type RpcId, type RpcRequest } from "./request.ts";
export {
  type AnyTaskState,
  type Artifact,
  type ArtifactUpdate,
  isTerminal,
  type Part,
  type StatusUpdate,
  type StreamEvent,
  type TaskState,
  type TaskStatus,
  type WireMessage,
  type WireTask,
} from "./types.ts";
export {
  findOperation,
  formOf,
  methodOf,
  type Operation,
  readHistoryLength,
  type SendRequest,
  statedVersion,
  type Version,
  versionOf,
  versions,
} from "./version.ts";
