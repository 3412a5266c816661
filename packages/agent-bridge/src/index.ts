export { AgentFailure } from "./protocol/agent-failure.ts";
export { hopsHeader } from "./calls/translate.ts";
export type { HitlRequest, HitlQuestion } from "./protocol/hitl-extension.ts";
export { hitlUri, readHitlRequest, wordsInData } from "./protocol/hitl-extension.ts";
export { kindOfPart } from "./adapters/jsonrpc/spoken.ts";
export { followUpsKey } from "./adapters/jsonrpc/output-of-task.ts";
export { createAdapters, type Adapters } from "./adapters/adapters.ts";
export { failedFields, type BridgeEmit } from "./events/agent-events.ts";
export { showExchanges } from "./events/show-exchanges.ts";
export type { ProtocolAdapter, Reading, AgentReply } from "./protocol/protocol-adapter.ts";
export { createBridge, type AgentBridge } from "./bridge/create-bridge.ts";
export type { StreamedTask } from "./bridge/call-run.ts";
export { failureResult, callEnding, successResult, type ResultIds } from "./bridge/call-ending.ts";
export { createCallIntake } from "./bridge/agent-call-kind.ts";
export { deadlineMsOf, taskIdsOf } from "./bridge/leased-call.ts";
export {
  createReadAgentCalls,
  createReadAgentProgress,
  type ReadAgentCalls,
  type AgentCallProgress,
  type ReadAgentProgress,
} from "./bridge/read-calls.ts";
export { createAgentCaller } from "./calls/create-agent-caller.ts";
export { CircuitBreakers, type CircuitState } from "./limits/circuit-breakers.ts";
export type { AgentClient, AgentRequest } from "./client/agent-client.ts";
export { type CardRules, createCardRules } from "./client/card-rules.ts";
export { createAgentClient } from "./client/create-agent-client.ts";
export { parseOriginPattern, createAddressRules } from "./addresses/address-rules.ts";
export { createCheckedFetch } from "./client/agent-fetch.ts";
export { isSecretReference, createSecretSource, type SecretSource } from "./secrets/secret-source.ts";
export { createAgentRegistry, type AgentRegistry, type CachedAgentRegistry } from "./registry/cached-agents.ts";
export { createSecretRules, parseSecretBinding } from "./secrets/secret-rules.ts";
export { AgentSlots } from "./limits/agent-slots.ts";
export { agentDefaults } from "./registry/agent-settings.ts";
export { agentsStep, type AgentTables } from "./registry/agent-table.ts";
export { createAgentStore, type AgentStore } from "./registry/agent-store.ts";
export type { AgentChecks } from "./registry/agent-checks.ts";
export { createAgentGate, type AgentGate } from "./registry-api/agent-gate.ts";
export { applyAgentsFile } from "./registry/file/apply-agents-file.ts";
export { loadAgentsFile, readAgentsFiles } from "./registry/file/load-agents-file.ts";
export { createRegistryRoutes } from "./registry-api/create-registry-routes.ts";
