export {
  type A2AAnswer,
  type A2AStream,
  type AgentOperations,
  answerCall,
  checkReply,
  endedStream,
  errorAnswer,
  invalidPageToken,
  type ListRequest,
  refusedRequest,
  type TaskPage,
} from "./answer-call.ts";
export {
  bearerSecurity,
  type CardFacts,
  type CardInterface,
  cardInterfaces,
  readCard,
  spokenInterfaces,
} from "./card.ts";
export {
  defined,
  type ErrorReason,
  invalid,
  isObject,
  type JsonObject,
  memberOf,
  RpcError,
  unsupported,
} from "./check.ts";
export { othersIn, partOfOthers, acceptsFile } from "./read-message.ts";
export { agentMessage, isTerminal } from "./types.ts";
export type * from "./types.ts";
export { answerVersion, methodOf, type Operation, statedVersion, type Version, versions } from "./version.ts";
