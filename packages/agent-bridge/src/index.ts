export { AgentFailure, type AgentFailureDetail } from "./agent-failure.ts";
export { builtinAdapters, createAdapters, type Adapters } from "./adapters/adapters.ts";
export {
  ProtocolTranslationError,
  type TranslationDirection,
  type TranslationErrorDetail,
} from "./adapters/protocol-translation-error.ts";
export { bridgeEvents, type BridgeEvent } from "./bridge-events.ts";
export type { BridgeLabels } from "./bridge-metrics.ts";
export { observeExchanges, type ShownExchange } from "./observe-exchanges.ts";
export { observeBridge, tellBoth, type ObserveBridgeOptions } from "./observe-bridge.ts";
export {
  type AgentCallIds,
  type AgentExchange,
  type AgentOperation,
  type AgentTaskIds,
  type BridgeObserver,
} from "./bridge-observer.ts";
export type { CreateAdapter, NormalisedResult, ProtocolAdapter, Reading } from "./adapters/protocol-adapter.ts";
export {
  createBridge,
  type AgentBridge,
  type BridgeDeps,
  type BridgeLimits,
  type BridgeReadings,
} from "./bridge/create-bridge.ts";
export type { StreamedTask } from "./bridge/call-run.ts";
export { failureResult, type ResultIds } from "./bridge/agent-results.ts";
export { callEnding, type EndedWork } from "./bridge/call-ending.ts";
export { createCallIntake, type CallIntakeDeps } from "./bridge/call-intake.ts";
export { deadlineMsOf } from "./bridge/deadline-of.ts";
export { taskIdsOf } from "./bridge/task-ids.ts";
export { createReadAgentCalls, type ReadAgentCalls } from "./calls/read-calls.ts";
export { createReadAgentProgress, type AgentCallProgress, type ReadAgentProgress } from "./calls/read-progress.ts";
export type { AgentCaller, CallEnd, CallOptions } from "./calls/agent-caller.ts";
export { createAgentCaller, type AgentCallerDeps } from "./calls/create-agent-caller.ts";
export type { CallTime } from "./calls/pauses.ts";
export type { CircuitBreakers, CircuitPass, CircuitReading, CircuitState } from "./breaker/circuit-breakers.ts";
export {
  createCircuitBreakers,
  type CircuitBreakersOptions,
  type CircuitChange,
} from "./breaker/create-circuit-breakers.ts";
export type { AgentClient, AgentReply, AgentRequest } from "./client/agent-client.ts";
export { createAgentClient, type AgentClientOptions } from "./client/create-agent-client.ts";
export { parseOriginPattern, type OriginPattern } from "./client/address/origin-pattern.ts";
export { createAddressRules, type AddressRules, type Reach } from "./client/address/address-rules.ts";
export { createCheckedFetch, type CheckedFetch, type CheckedFetchOptions } from "./client/checked-fetch.ts";
export { isSecretReference } from "./secrets/secret-reference.ts";
export type { AgentRegistry } from "./registry/agent-registry.ts";
export { createSecretRules, type SecretRules } from "./secrets/create-secret-rules.ts";
export { parseSecretBinding, type SecretBinding } from "./secrets/secret-binding.ts";
export type { SecretSource } from "./secrets/secret-source.ts";
export { createSecretSource, type SecretSourceOptions } from "./secrets/create-secret-source.ts";
export type { AgentSlots } from "./slots/agent-slots.ts";
export { createAgentSlots } from "./slots/create-agent-slots.ts";
export { agentDefaults } from "./registry/agent-settings.ts";
export { agentMovesStep, agentsStep, type AgentTables } from "./registry/agent-table.ts";
export { createAgentStore, type AgentStore } from "./registry/agent-store.ts";
export type { Author } from "./registry/write-agent.ts";
export { createAgentRegistry, type AgentRegistryOptions, type CachedAgentRegistry } from "./registry/cached-agents.ts";
export type { AgentChecks } from "./registry/agent-checks.ts";
export { createAgentGate, type AgentGate, type CheckConformance } from "./registry/gate/check-agent.ts";
export { applyAgentsFile, type AppliedAgents } from "./registry/file/apply-agents-file.ts";
export { loadAgentsFile, readAgentsFiles, type DeclaredAgents } from "./registry/file/load-agents-file.ts";
export type { AgentChange } from "./registry/api/change-agents.ts";
export { createRegistryRoutes, type RegistryRoutesDeps } from "./registry/api/create-registry-routes.ts";
