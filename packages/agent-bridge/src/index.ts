export { AgentFailure, type ProtocolAdapter, type Reading, type AgentReply } from "./protocol/protocol-adapter.ts";
export { hopsHeader } from "./calls/open-call.ts";
export { type HitlRequest, type HitlQuestion, hitlUri, readHitlRequest } from "./protocol/hitl-extension.ts";
export { wordsInData } from "./protocol/waiting-calls.ts";
export { kindOfPart, followUpsKey } from "./adapters/output-of-task.ts";
export { createAdapters } from "./adapters/adapters.ts";
export { type BridgeEmit, showExchanges } from "./protocol/agent-events.ts";
export { AgentSlots, createBridge, type AgentBridge, type BridgeDeps } from "./bridge/create-bridge.ts";
export type { StreamedTask } from "./bridge/call-run.ts";
export {
  createCallIntake,
  failureResult,
  callEnding,
  successResult,
  type ResultIds,
  deadlineMsOf,
  taskIdsOf,
} from "./bridge/leased-call.ts";
export {
  createReadAgentCalls,
  createReadAgentProgress,
  type ReadAgentCalls,
  type AgentCallProgress,
  type ReadAgentProgress,
} from "./bridge/read-calls.ts";
export { createAgentCaller } from "./calls/create-agent-caller.ts";
export { CircuitBreakers, type CircuitState } from "./calls/circuit-breakers.ts";
export type { AgentClient, AgentRequest } from "./client/agent-client.ts";
export { type CardRules, createCardRules } from "./client/agent-card.ts";
export { createAgentClient } from "./client/create-agent-client.ts";
export { parseOriginPattern, createAddressRules } from "./client/address-rules.ts";
export { createCheckedFetch } from "./client/agent-connections.ts";
export {
  isSecretReference,
  createSecretSource,
  type SecretSource,
  createSecretRules,
  parseSecretBinding,
} from "./client/secret-source.ts";
export { createAgentRegistry, type AgentRegistry, type CachedAgentRegistry } from "./registry/cached-agents.ts";
export { agentDefaults, type AgentChecks } from "./registry/agent-settings.ts";
export { AgentCallCounts, type AgentCountTables, agentCountsStep } from "./registry/agent-counts.ts";
export { keepingCards } from "./client/card-words.ts";
export { agentsStep, type AgentTables } from "./registry/agent-table.ts";
export { createAgentStore, type AgentStore } from "./registry/agent-store.ts";
export { createAgentGate, type AgentGate } from "./registry-api/agent-gate.ts";
export { agentsRow, applyAgents, cardKeysRow } from "./registry/agents-section.ts";
export { createReadActivity } from "./registry-api/list-agents.ts";
export { createRegistryRoutes } from "./registry-api/create-registry-routes.ts";
