import { randomUUID } from "node:crypto";
import { zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import { createClient, type Transport } from "@crosszone/jsonrpc";
import { createHealth, createRecordCodec, databaseUrlOf, vaultOf, type LoadedConfig } from "@crosszone/service-kit";
import { checkWritable } from "@crosszone/sql";
import { systemClock } from "@crosszone/service-kit/timing";
import { StreamPace } from "./answering/streams/stream-pace.ts";
import type { verificationConfig, VerificationConfig } from "./config/config.ts";
import { createWorkspaceSource } from "./create-workspaces.ts";
import { openVerificationDatabase, type VerificationDatabase } from "./database/open-verification-database.ts";
import type { VerificationDeps } from "./deps.ts";
import { createSocketReceiver } from "./edge/events/receivers.ts";
import type { SlackIntake } from "./edge/slack-connection.ts";
import { Inbox } from "./inbox/inbox.ts";
import { createMessageEnds } from "./answering/message-ends.ts";
import { ThreadStore } from "./inbox/thread-store.ts";
import { verificationPurges } from "./ops/data/verification-tables.ts";
import { errorFields } from "./tracing/error-fields.ts";
import { createLogEmit } from "./ops/emit/create-emit.ts";
import type { PolicySource } from "./policy/access-policy.ts";
import { followPolicyFile, readPolicyFile } from "./policy/policy-file.ts";
import { policyInWords } from "./policy/policy-in-words.ts";
import { createResponseUrls } from "./slack/response-urls.ts";
import { hooksOriginFor } from "./slack/slack-variables.ts";
import { createHandles } from "./zone-link/handles/handles.ts";
import { createZoneTransport } from "./zone-link/transports.ts";

export interface Surroundings extends Pick<VerificationDeps, "logger" | "metrics" | "tracer"> {
  /** Files of secrets that were read from files; they are read again when they change. */
  readonly secretFiles?: LoadedConfig<typeof verificationConfig>["files"];
}

/** Makes every adapter that the configuration selects. */
export async function createDeps(
  config: VerificationConfig,
  { logger, metrics, tracer, secretFiles: files = {} }: Surroundings,
): Promise<{
  readonly deps: VerificationDeps;
  readonly transport: Transport;
  readonly database: VerificationDatabase;
}> {
  const transport = await createZoneTransport(config, { emit: createLogEmit(logger), files });
  const apiUrl = config.SLACK_API_URL.replace(/\/?$/, "/");
  const database = await openVerificationDatabase({
    url: databaseUrlOf(config, "verification"),
    connections: config.MAX_DATABASE_CONNECTIONS,
    onWait: (error) => logger.warn("database_waited_for", errorFields(error)),
    onIdleError: (error) => logger.warn("database_connection_lost", errorFields(error)),
  });
  const health = createHealth();
  health.addCheck("database", () => checkWritable(database));
  const policy = policyOf(config, logger);
  const deps: VerificationDeps = {
    intake: intakeOf(config, apiUrl),
    workspaces: createWorkspaceSource(config, { apiUrl, logger, database, tokenFile: files.SLACK_BOT_TOKEN }),
    responseUrls: createResponseUrls({ origin: hooksOriginFor(apiUrl), sleep: systemClock.sleep }),
    zone: createClient<ZoneMethods>({ methods: zoneMethods, transport, timeoutMs: config.EXECUTION_TIMEOUT_MS }),
    inbox: new Inbox(database, {
      leaseMs: config.INBOX_LEASE_MS,
      attempts: config.INBOX_ATTEMPTS,
      most: config.MAX_INBOX,
      codec: createRecordCodec(vaultOf(config)),
    }),
    threads: new ThreadStore(database),
    handles: createHandles(database, { now: systemClock.now, ttlMs: config.ANSWER_DEADLINE }),
    streamPace: new StreamPace(database),
    messages: createMessageEnds(database, {
      now: systemClock.now,
      onFailure: (cause) => logger.error("inbox_failed", { ...errorFields(cause), cause }),
    }),
    purges: verificationPurges(database, config),
    clock: systemClock,
    newId: randomUUID,
    logger,
    metrics,
    health,
    policy,
    tracer,
    limits: limitsOf(config, policy),
  };
  return { deps, transport, database };
}

function policyOf(config: VerificationConfig, logger: VerificationDeps["logger"]): PolicySource {
  if (config.POLICY_FILE === undefined) {
    const policy = readPolicyFile(undefined);
    return { current: () => policy, close: () => undefined };
  }
  return followPolicyFile({
    path: config.POLICY_FILE,
    everyMs: 1_000,
    onChanged: (policy) => logger.info("policy_in_force", policyInWords(policy)),
    onRefused: ({ problems }) =>
      logger.error("policy_refused", { problems, still: "the previous policy stays in force" }),
  });
}

function intakeOf(
  { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret = "" }: VerificationConfig,
  apiUrl: string,
): SlackIntake {
  if (appToken === undefined) return { mode: "http", signingSecret };
  return { mode: "socket", createReceiver: (options) => createSocketReceiver({ ...options, appToken, apiUrl }) };
}

function limitsOf(config: VerificationConfig, policy: PolicySource): VerificationDeps["limits"] {
  return {
    policy: {
      userPerMinute: config.MESSAGES_PER_MINUTE,
      channelPerMinute: 3 * config.MESSAGES_PER_MINUTE,
      teamPerMinute: 15 * config.MESSAGES_PER_MINUTE,
      threadPerHour: config.THREAD_MESSAGES_PER_HOUR,
      mostWaiting: config.MAX_WAITING_PER_THREAD,
      mostCharacters: config.MAX_QUESTION_CHARACTERS,
      mostFiles: config.MAX_FILES,
      // The same limit applies to the files of a message and to the files that are read.
      mostFileBytes: config.MAX_FILE,
      lookupTimeoutMs: config.SLACK_LOOKUP_TIMEOUT_MS,
    },
    appId: config.SLACK_APP_ID,
    maxBytes: config.MAX_EVENT,
    maxDepth: config.MAX_DEPTH,
    concurrency: config.MAX_QUESTIONS,
    callTimeoutMs: config.EXECUTION_TIMEOUT_MS,
    retryBudgetMs: config.EXECUTION_RETRY_BUDGET_MS,
    pollWaitMs: config.POLL_WAIT_MS,
    deadlineMs: config.ANSWER_DEADLINE,
    showAfterMs: config.SHOW_WORK_AFTER_MS,
    deliveryBudgetMs: config.DELIVERY_BUDGET_MS,
    files: {
      // Read for each file, so that an edit of the policy applies at once.
      get types() {
        return policy.current().file_types;
      },
      maxBytes: config.MAX_FILE,
      timeoutMs: config.FILE_TIMEOUT_MS,
      maxReads: config.MAX_FILE_READS,
      maxAtOnce: config.MAX_FILES_AT_ONCE,
    },
  };
}
