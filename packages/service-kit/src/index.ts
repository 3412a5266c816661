export { answer, answerHeaders, answerJson, type AnswerContent } from "./answer.ts";
export { badRequestStatuses, type BadRequest, type BadRequestAnswer } from "./bad-request.ts";
export type { LabelDefinition, Labels, LabelValues } from "./bounded-labels.ts";
export { close, type CloseReport } from "./close.ts";
export { describeConfig, type ConfigRow } from "./config-docs.ts";
export { ConfigError, type ConfigProblem } from "./config-error.ts";
export { byteSize, duration, list, logLevel, port, secret, url, wholeNumber, yesOrNo } from "./config-kinds.ts";
export {
  constant,
  defineConfig,
  constantsOf,
  variablesOf,
  type ConfigConstant,
  type ConfigDefinition,
  type ConfigEntry,
  type ConfigValues,
  type Environment,
} from "./config-definition.ts";
export { loadConfig, type ConfigCheck, type LoadedConfig } from "./config.ts";
export { connectionConstants, connectionVariables, httpLimits } from "./connection-variables.ts";
export { openEventStream, type EventStream, type EventStreamOptions } from "./event-stream.ts";
export { gatherBytes, type GatheredBytes } from "./gather-bytes.ts";
export {
  createGracefulStop,
  gracefulStopEvents,
  type Closer,
  type GracefulStop,
  type GracefulStopEvent,
  type GracefulStopOptions,
  type StoppableProcess,
  type StopReport,
} from "./graceful-stop.ts";
export {
  createHealth,
  type CheckResult,
  type Health,
  type HealthCheck,
  type HealthOptions,
  type Readiness,
} from "./health.ts";
export { createHttpServer, type HttpLimits } from "./http-server.ts";
export { createHistogram, type HistogramInstrument } from "./histogram.ts";
export {
  createCounter,
  createGauge,
  type CounterInstrument,
  type GaugeReading,
  type InstrumentOptions,
} from "./instruments.ts";
export { listen, ListenError, type BoundAddress, type ListenOptions } from "./listen.ts";
export { openFilesWarnings } from "./open-files.ts";
export { hideSecrets } from "./secrets.ts";
export { openLiveFiles, type LiveFiles, type LiveFilesOptions } from "./live-files.ts";
export { createLogger, type Log, type LogFields, type Logger, type LoggerOptions, type LogLevel } from "./logger.ts";
export { isReadableOnTheWay } from "./is-readable-on-the-way.ts";
export { isAlive, type AliveOptions } from "./is-alive.ts";
export { isLoopback } from "./loopback.ts";
export { createMetrics, type Build, type Metrics, type MetricsRegistry, type RenderedMetrics } from "./metrics.ts";
export { createOperationalRoutes, type OperationalRoute } from "./operational-routes.ts";
export { packageVersion } from "./package-version.ts";
export { redact, type RedactLimits } from "./redact.ts";
export { readBearer } from "./read-bearer.ts";
export { readAtMost } from "./read-at-most.ts";
export { createRedMetrics, type RedMetrics, type RedOptions } from "./red-metrics.ts";
export {
  canonicalRequest,
  isSignedBy,
  signatureHeaders,
  signRequest,
  type SignedRequest,
} from "./request-signature.ts";
export type { ServerTls, TlsMaterial } from "./tls-server.ts";
export { requestIdOf } from "./request-id.ts";
export { moduleBeside, startThread } from "./start-thread.ts";
export { createTokenBuckets, type TokenBucketOptions, type TokenBuckets } from "./token-buckets.ts";
export { unlessAborted } from "./unless-aborted.ts";
export { TimeLimitError, within } from "./within.ts";
export { databaseUrlOf, databaseVariables, databaseWarnings } from "./database-variables.ts";
export { dataKeysProblems, dataKeysVariables, vaultOf } from "./vault/data-keys.ts";
export { SealedTextError, type SealedTextReason } from "./vault/sealed-text-error.ts";
export { createVault, type Vault, type VaultKey } from "./vault/vault.ts";
export { createRecordCodec, type RecordCodec } from "./vault/record-codec.ts";
export { startRetention, type Purge, type RetentionOptions } from "./retention/start-retention.ts";
export { observeRetention, retentionEvents, type RetentionEvent } from "./retention/observe-retention.ts";
