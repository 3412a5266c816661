export {
  constant,
  constantsOf,
  defineConfig,
  describeConfig,
  groupOf,
  variable,
  variablesOf,
  type ConfigConstant,
  type ConfigDefinition,
  type ConfigEntry,
  type ConfigRow,
  type ConfigValues,
  type Environment,
  type OptionalVariable,
  type Variable,
} from "./config/definition.ts";
export { brokenRules, ConfigError, type ConfigProblem, type ConfigRule } from "./config/config-error.ts";
export { databaseUrlOf, databaseVariables, databaseWarnings } from "./config/database-variables.ts";
export {
  byteSize,
  duration,
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
} from "./config/kinds.ts";
export { openLiveFiles, type LiveFiles, type LiveFilesOptions } from "./config/live-files.ts";
export { loadConfig, readConfig, type ConfigCheck, type LoadedConfig } from "./config/load-config.ts";
export { isLoopback, isReadableOnTheWay } from "./values/text.ts";
export {
  answer,
  answerHeaders,
  answerJson,
  openEventStream,
  type AnswerContent,
  type EventStream,
  type EventStreamOptions,
} from "./http/answer.ts";
export { badRequestStatuses, type BadRequest, type BadRequestAnswer } from "./http/bad-request.ts";
export {
  httpLimits,
  judgeOpenFiles,
  openFilesLimit,
  openFilesWarnings,
  type ConnectionLimit,
} from "./http/connection-limits.ts";
export { createHttpServer, type HttpLimits } from "./http/http-server.ts";
export { close, listen, ListenError, type BoundAddress, type CloseReport, type ListenOptions } from "./http/listen.ts";
export { gatherBytes, readAtMost, readBody, type BodyFailure, type GatheredBytes } from "./http/read-body.ts";
export { correlationOfRequest, readBearer, refusalHeaders, requestIdOf } from "./http/request-headers.ts";
export {
  canonicalRequest,
  isSignedBy,
  signatureHeaders,
  signRequest,
  type SignedRequest,
} from "./http/request-signature.ts";
export type { ServerTls, TlsMaterial } from "./http/http-server.ts";
export { createTokenBuckets, type TokenBucketOptions, type TokenBuckets } from "./http/token-buckets.ts";
export {
  createGracefulStop,
  type Closer,
  type GracefulStop,
  type GracefulStopOptions,
  type StoppableProcess,
  type StopReport,
} from "./lifecycle/graceful-stop.ts";
export {
  createHealth,
  type CheckResult,
  type Health,
  type HealthCheck,
  type HealthOptions,
  type Readiness,
} from "./lifecycle/health.ts";
export {
  createOperationalRoutes,
  isAlive,
  type AliveOptions,
  type OperationalRoute,
} from "./lifecycle/operational-routes.ts";
export { observeRetention, startRetention, type Purge, type RetentionOptions } from "./lifecycle/retention.ts";
export { TimeLimitError, unlessAborted, withTimeout } from "./lifecycle/with-timeout.ts";
export {
  createLogger,
  type Log,
  type LogFields,
  type Logger,
  type LoggerOptions,
  type LogLevel,
} from "./logging/logger.ts";
export { redact, type RedactLimits } from "./logging/redact.ts";
export { hideSecrets } from "./logging/secrets.ts";
export {
  createCounter,
  createGauge,
  createHistogram,
  type CounterInstrument,
  type GaugeReading,
  type HistogramInstrument,
  type InstrumentOptions,
} from "./metrics/instruments.ts";
export { createRedMetrics, type RedMetrics, type RedOptions } from "./metrics/registry.ts";
export { createMetrics, type Build, type Metrics, type RenderedMetrics } from "./metrics/registry.ts";
export type { LabelDefinition, Labels, LabelValues, MetricsRegistry } from "./metrics/series.ts";
export { moduleBeside, packageVersion, startThread } from "./lifecycle/modules.ts";
export { isoTime } from "./values/text.ts";
export { dataKeysProblems, dataKeysVariables, vaultOf } from "./vault/data-keys.ts";
export { zoneConstants, zoneProblems, zoneVariables, type ZoneVariables } from "./zone-variables.ts";
export {
  createRecordCodec,
  createVault,
  SealedTextError,
  type RecordCodec,
  type SealedTextReason,
  type Vault,
  type VaultKey,
} from "./vault/vault.ts";
