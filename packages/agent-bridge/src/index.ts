export { AgentFailure, type AgentFailureDetail } from "./agent-failure.ts";
export {
  ProtocolTranslationError,
  type TranslationDirection,
  type TranslationErrorDetail,
} from "./adapters/protocol-translation-error.ts";
export {
  agentTaskEnds,
  storeOperations,
  type AgentCallIds,
  type AgentExchange,
  type AgentOperation,
  type AgentTaskEnd,
  type AgentTaskIds,
  type BridgeObserver,
  type StoreOperation,
} from "./bridge-observer.ts";
export type { CreateAdapter, NormalisedResult, ProtocolAdapter, Reading } from "./adapters/protocol-adapter.ts";
export type { AgentCaller, CallEnd, CallOptions } from "./calls/agent-caller.ts";
export type { AgentClient, AgentReply, AgentRequest } from "./client/agent-client.ts";
export type { AgentRegistry } from "./registry/agent-registry.ts";
export type { SecretSource } from "./secrets/secret-source.ts";
