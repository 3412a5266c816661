export {
  type A2AAnswer,
  type A2AStream,
  type AgentOperations,
  answerCall,
  checkReply,
  endedStream,
  errorAnswer,
  refusedRequest,
  type TaskPage,
} from "./answer-call.ts";
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
  optionalBoolean,
  optionalInteger,
  optionalObject,
  optionalString,
  RpcError,
  unavailable,
  unsupported,
} from "./check.ts";
export { othersIn, partOfOthers, acceptsFile } from "./read-message.ts";
export { invalidPageToken, type ListRequest } from "./request.ts";
export {
  agentMessage,
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
export { answerVersion, methodOf, type Operation, statedVersion, type Version, versions } from "./version.ts";
