export {
  constant,
  constantsOf,
  defineConfig,
  expectedText,
  groupOf,
  variable,
  variablesOf,
  type ConfigConstant,
  type ConfigDefinition,
  type ConfigEntry,
  type OptionalVariable,
  type Variable,
  type ConfigValues,
  type Environment,
} from "./config/definition.ts";
export { brokenRules, ConfigError, type ConfigProblem, encryptedRule } from "./config/config-error.ts";
export { databaseUrlOf, databaseVariables, databaseWarnings } from "./zone-variables.ts";
export {
  duration,
  durationMs,
  durationProblem,
  filePath,
  list,
  matching,
  nonEmpty,
  oneOf,
  port,
  secret,
  url,
  wholeNumber,
  yesOrNo,
} from "./config/definition.ts";
export { openLiveFiles, type LiveFiles } from "./config/live-files.ts";
export { loadConfig, readConfig, type LoadedConfig } from "./config/load-config.ts";
export { isLoopback, isReadableOnTheWay, isoTime } from "./values/text.ts";
export {
  answer,
  answerHeaders,
  answerJson,
  openEventStream,
  type EventStream,
  type EventStreamOptions,
} from "./http/answer.ts";
export { arrivingBytes, ByteBudget, type HeldBytes } from "./http/byte-budget.ts";
export { badRequestStatuses, type BadRequest, type BadRequestAnswer } from "./http/bad-request.ts";
export { httpLimits, openFilesLimit, openFilesWarnings } from "./http/http-server.ts";
export { createHttpServer, type HttpLimits, type ServerTls, type TlsMaterial } from "./http/http-server.ts";
export { close, listen, ListenError } from "./http/http-server.ts";
export { gatherBytes, readAtMost, readBearer, readBody, type Sender, senderOf } from "./http/read-request.ts";
export { correlationOfRequest, requestIdOf } from "./http/exchange.ts";
export {
  canonicalRequest,
  isSignedBy,
  signatureHeaders,
  signRequest,
  type SignedRequest,
} from "./http/signed-request.ts";
export { createShares, createTokenBuckets, type Shares, type TokenBuckets } from "./values/rates.ts";
export type { Exchange } from "./http/exchange.ts";
export {
  type Refusal,
  refusal,
  type RefusalDetail,
  type RefusalKind,
  refusalKinds,
  type RefusalRow,
  refusalsOf,
  Refused,
} from "./http/refusal.ts";
export {
  type BodyRules,
  type Door,
  type Judged,
  readRequestBody,
  type RefusalForm,
  limitStrangers,
  type StrangerLimit,
  surface,
  type Verdict,
  type WriteRefusal,
} from "./http/surface.ts";
export { createGracefulStop } from "./lifecycle/graceful-stop.ts";
export { createHealth, type Health, type Readiness } from "./lifecycle/health.ts";
export {
  createOperationalRoutes,
  createWaitingListener,
  isAlive,
  readReadiness,
  type ListeningAddress,
} from "./lifecycle/health.ts";
export { startRetention, type Purge } from "./lifecycle/retention.ts";
export { createLogger, type LogFields, type Logger, type LogLevel } from "./logging/logger.ts";
export { redact } from "./logging/redact.ts";
export { hideSecrets } from "./logging/redact.ts";
export { createEmit, emitWith, type Emit } from "./metrics/emit.ts";
export { createCounter, createGauge, createHistogram } from "./metrics/instruments.ts";
export { createMetrics, type Metrics } from "./metrics/registry.ts";
export type { Labels, MetricsRegistry } from "./metrics/instruments.ts";
export { packageVersion } from "./values/json.ts";
export {
  dataKeysProblems,
  dataKeysVariables,
  vaultOf,
  createRecordCodec,
  opened,
  openedHere,
  isKeyMissing,
  createVault,
  SealedTextError,
  type RecordCodec,
  type Vault,
  type VaultKey,
} from "./config/vault.ts";
export { logsContent, zoneProblems, zoneVariables, type ZoneVariables } from "./zone-variables.ts";
export { certificateProblem, watchCertificates } from "./lifecycle/certificates.ts";
