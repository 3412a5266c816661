import { randomUUID } from "node:crypto";
import { openZoneAudit, type RecordAct } from "@crosszone/audit";
import { zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import { createClient, type Transport } from "@crosszone/jsonrpc";
import {
  createHealth,
  createRecordCodec,
  databaseUrlOf,
  type Emit,
  type LoadedConfig,
  type Logger,
  type Metrics,
  vaultOf,
} from "@crosszone/service-kit";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { VerificationEvent } from "@crosszone/telemetry";
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
import { RatingStore } from "./inbox/rating-store.ts";
import { ThreadStore } from "./inbox/thread-store.ts";
import { verificationPurges } from "./ops/data/verification-tables.ts";
import { createLogEmit } from "./ops/emit/create-emit.ts";
import type { PolicySource } from "./policy/access-policy.ts";
import { followPolicyFile } from "./policy/policy-file.ts";
import { policyInWords } from "./policy/policy-in-words.ts";
import { loadedPolicy } from "./policy/policy-acts.ts";
import { createResponseUrls } from "./slack/response-urls.ts";
import { originOf } from "./slack/slack-variables.ts";
import { createHandles } from "./zone-link/handles/handles.ts";
import { createZoneTransport } from "./zone-link/transports.ts";

export interface Surroundings {
  readonly logger: Logger<VerificationEvent>;
  readonly metrics: Metrics;
  readonly tracer?: Tracer;
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
  const emit = createLogEmit(logger);
  const transport = await createZoneTransport(config, { emit, files });
  const apiUrl = config.SLACK_API_URL.replace(/\/?$/, "/");
  const database = await openVerificationDatabase({
    url: databaseUrlOf(config, "verification"),
    connections: config.MAX_DATABASE_CONNECTIONS,
    onWait: (cause) => emit("database_waited_for", { cause }),
    onIdleError: (cause) => emit("database_connection_lost", { cause }),
  });
  const health = createHealth();
  health.addCheck("database", () => checkWritable(database));
  const vault = vaultOf(config);
  const codec = createRecordCodec(vault);
  // A log in memory ends with its process: it needs no key on the disk.
  const onlyAppends = config.DATABASE_URL === "sqlite::memory:";
  const audit = await openZoneAudit({ zone: "verification", config, database, vault, emit, onlyAppends });
  const policy = await openPolicy(config, emit, audit.record);
  const deps: VerificationDeps = {
    intake: intakeOf(config, apiUrl),
    workspaces: createWorkspaceSource(config, {
      apiUrl,
      emit,
      database,
      append: audit.append,
      tokenFile: files.SLACK_BOT_TOKEN,
    }),
    responseUrls: createResponseUrls({ origin: originOf("hooks", apiUrl), sleep: systemClock.sleep }),
    zone: createClient<ZoneMethods>({ methods: zoneMethods, transport, timeoutMs: config.EXECUTION_TIMEOUT_MS }),
    inbox: new Inbox(database, {
      leaseMs: config.INBOX_LEASE_MS,
      attempts: config.INBOX_ATTEMPTS,
      most: config.MAX_INBOX,
      codec,
      onClockJump: (ms) => emit("clock_jumped", { ms }),
    }),
    threads: new ThreadStore(database),
    ratings: new RatingStore(database, codec),
    handles: createHandles(database, { now: systemClock.now, ttlMs: config.ANSWER_DEADLINE }),
    streamPace: new StreamPace(database),
    messages: createMessageEnds(database, systemClock.now, (failure) => emit("inbox_failed", { failure })),
    purges: [...verificationPurges(database, config), ...audit.purges],
    audit,
    clock: systemClock,
    newId: randomUUID,
    logger,
    metrics,
    health,
    policy,
    tracer,
    appId: config.SLACK_APP_ID,
    limits: config,
  };
  return { deps, transport, database };
}

/** Opens the policy. Each version is in the audit log before it is in force. */
const openPolicy = (
  { POLICY_FILE: path }: VerificationConfig,
  emit: Emit<VerificationEvent>,
  record: RecordAct,
): Promise<PolicySource> =>
  followPolicyFile({
    path,
    store: (policy) => record(loadedPolicy(policy, path)),
    onChanged: (policy) => emit("policy_in_force", policyInWords(policy)),
    onRefused: (problems) => emit("policy_refused", { problems, still: "the previous policy stays in force" }),
  });

function intakeOf(
  { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret = "" }: VerificationConfig,
  apiUrl: string,
): SlackIntake {
  if (appToken === undefined) return { mode: "http", signingSecret };
  return { mode: "socket", createReceiver: (options) => createSocketReceiver({ ...options, appToken, apiUrl }) };
}
