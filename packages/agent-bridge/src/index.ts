export { AgentFailure, type AgentFailureDetail } from "./protocol/agent-failure.ts";
export { builtinAdapters, createAdapters, type Adapters } from "./adapters/adapters.ts";
export {
  ProtocolTranslationError,
  type TranslationDirection,
  type TranslationErrorDetail,
} from "./protocol/agent-failure.ts";
export { observeBridge, type ObserveBridgeOptions } from "./observer/observe-bridge.ts";
export { combineObservers, observeExchanges, type ShownExchange } from "./observer/observe-exchanges.ts";
export type { BridgeLabels } from "./observer/bridge-metrics.ts";
export {
  type AgentCallIds,
  type AgentExchange,
  type AgentOperation,
  type AgentTaskIds,
  type BridgeObserver,
} from "./observer/bridge-observer.ts";
export type { CreateAdapter, NormalizedResult, ProtocolAdapter, Reading } from "./protocol/protocol-adapter.ts";
export {
  createBridge,
  type AgentBridge,
  type BridgeDeps,
  type BridgeLimits,
  type BridgeReadings,
} from "./bridge/create-bridge.ts";
export type { StreamedTask } from "./bridge/call-run.ts";
export { failureResult, type ResultIds } from "./bridge/call-ending.ts";
export { callEnding, type EndedWork } from "./bridge/call-ending.ts";
export { createCallIntake, type CallIntakeDeps } from "./bridge/call-intake.ts";
export { deadlineMsOf } from "./bridge/leased-call.ts";
export { taskIdsOf } from "./bridge/leased-call.ts";
export { createReadAgentCalls, type ReadAgentCalls } from "./bridge/read-calls.ts";
export { createReadAgentProgress, type AgentCallProgress, type ReadAgentProgress } from "./bridge/read-calls.ts";
export type { AgentCaller, CallEnd, CallOptions } from "./calls/agent-caller.ts";
export { createAgentCaller, type AgentCallerDeps } from "./calls/create-agent-caller.ts";
export type { CallTime } from "./calls/pauses.ts";
export type { CircuitBreakers, CircuitPass, CircuitReading, CircuitState } from "./limits/circuit-breakers.ts";
export { createCircuitBreakers, type CircuitBreakersOptions, type CircuitChange } from "./limits/circuit-breakers.ts";
export type { AgentClient, AgentRequest } from "./client/agent-client.ts";
export { createAgentClient, type AgentClientOptions } from "./client/create-agent-client.ts";
export { parseOriginPattern, type OriginPattern } from "./addresses/address-rules.ts";
export { createAddressRules, type AddressRules, type AddressScope } from "./addresses/address-rules.ts";
export { createCheckedFetch, type CheckedFetch, type CheckedFetchOptions } from "./client/agent-fetch.ts";
export { isSecretReference } from "./secrets/secret-source.ts";
export type { AgentRegistry } from "./registry/cached-agents.ts";
export { createSecretRules, type SecretRules } from "./secrets/secret-rules.ts";
export { parseSecretBinding, type SecretBinding } from "./secrets/secret-rules.ts";
export type { SecretSource } from "./secrets/secret-source.ts";
export { createSecretSource, type SecretSourceOptions } from "./secrets/secret-source.ts";
export type { AgentSlots } from "./limits/agent-slots.ts";
export { createAgentSlots } from "./limits/agent-slots.ts";
export { agentDefaults } from "./registry/agent-settings.ts";
export { agentsStep, type AgentTables } from "./registry/agent-table.ts";
export { createAgentStore, type AgentStore } from "./registry/agent-store.ts";
export type { Author } from "./registry/write-agent.ts";
export { createAgentRegistry, type AgentRegistryOptions, type CachedAgentRegistry } from "./registry/cached-agents.ts";
export type { AgentChecks } from "./registry/agent-checks.ts";
export { createAgentGate, type AgentGate, type CheckConformance } from "./registry-api/agent-gate.ts";
export { applyAgentsFile, type AppliedAgents } from "./registry/file/apply-agents-file.ts";
export { loadAgentsFile, readAgentsFiles, type DeclaredAgents } from "./registry/file/load-agents-file.ts";
export type { AgentChange } from "./registry-api/stored-changes.ts";
export { createRegistryRoutes, type RegistryRoutesDeps } from "./registry-api/create-registry-routes.ts";
export type { AgentReply } from "./protocol/protocol-adapter.ts";
