import { randomUUID } from "node:crypto";
import { type AppendAudit, openZoneAudit, type RecordAct, type ZoneAudit } from "@crosszone/audit";
import { type ZoneMethods, zoneMethods } from "@crosszone/contracts";
import { type Client, createClient, type Transport } from "@crosszone/jsonrpc";
import { openDataKeys } from "@crosszone/ops/data";
import { openZoneSettings } from "@crosszone/ops/settings";
import {
  createHealth,
  createRecordCodec,
  databaseUrlOf,
  type Emit,
  type Health,
  type LoadedConfig,
  type Logger,
  type Metrics,
  type Purge,
  vaultOf,
  watchCertificates,
} from "@crosszone/service-kit";
import { type Clock, systemClock as clock } from "@crosszone/service-kit/timing";
import type { Tracer } from "@crosszone/service-kit/tracing";
import { createDatabaseCheck, deleteOlder, now, type OlderRows } from "@crosszone/sql";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { Logger as SlackLogger } from "@slack/bolt";
import { createMessageEnds, type MessageEnds } from "../asking/message-ends.ts";
import { openVerificationDatabase, type VerificationDatabase } from "../database.ts";
import { createSocketReceiver } from "../edge/bolt-app.ts";
import { createInstallStates, type InstallerOptions } from "../edge/installer.ts";
import type { SlackIntake } from "../edge/slack-connection.ts";
import { Inbox } from "../inbox/inbox.ts";
import { createSweepStore, type SweepStore } from "../inbox/sweep-store.ts";
import { RatingStore } from "../inbox/rating-store.ts";
import { ThreadStore } from "../inbox/thread-store.ts";
import type { Limits } from "../limits.ts";
import { createHandles, type Handles } from "../link/handles.ts";
import { createZoneTransport } from "../link/transports.ts";
import type { PolicySource } from "../policy/access-policy.ts";
import { type VerificationSettings, verificationSections } from "../policy/policy-section.ts";
import { createStreamPace, type StreamPace } from "../showing/streams/streams.ts";
import { createSlackFileHost } from "../slack/files/open-file.ts";
import { createResponseUrls, type ResponseUrls } from "../slack/response-urls.ts";
import { slackOrigin, readManifest } from "../slack/slack-variables.ts";
import { type BotToken, createBotToken, createSdkLogger } from "../slack/token-clients.ts";
import { createWebApi } from "../slack/web-api.ts";
import { createInstallationStore } from "../workspaces/installation-store.ts";
import { createInstallationToken, createRefreshGrant } from "../workspaces/installation-token.ts";
import type { InstalledWorkspaces, SingleWorkspace, SlackLink } from "../workspaces/workspaces.ts";
import type { VerificationConfig, verificationConfig } from "./config.ts";
import { createLogEmit } from "./create-emit.ts";
import { verificationTables } from "./tables.ts";
import { type RawBuilder, sql } from "kysely";

/** The workspace of the bot's token, or the workspaces that have installed the app. */
type WorkspaceSource = SingleWorkspace | (InstalledWorkspaces & { readonly installing: InstallerOptions });

/** All external dependencies of the verification zone. */
export interface VerificationDeps {
  readonly inbox: Inbox;
  readonly threads: ThreadStore;
  readonly ratings: RatingStore;
  readonly policy: PolicySource;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly intake: SlackIntake;
  readonly workspaces: WorkspaceSource;
  /** The app whose events are accepted. When absent, the zone asks Slack for its app id. */
  readonly appId?: string;
  /** Posts the answers to slash commands. */
  readonly responseUrls: ResponseUrls;
  readonly zone: Client<ZoneMethods>;
  /** Closed before the database. */
  readonly audit: ZoneAudit;
  readonly handles: Handles;
  /** Paces streamed answers. Answers are not streamed when absent. */
  readonly streamPace?: StreamPace;
  /** Stores what became of messages; not stored when absent. */
  readonly messages?: MessageEnds;
  /** Stores what was not heard, which is then read in Slack's history; it is not read when absent. */
  readonly sweeps?: SweepStore;
  /** The Slack channel where operators read what was missed, and which owners left. */
  readonly operatorChannel?: string | undefined;
  /** Rows to delete when they expire; none when absent. */
  readonly purges?: readonly Purge[];
  readonly logger: Logger<VerificationEvent>;
  readonly metrics: Metrics;
  readonly health: Health;
  /** Tracing is off when absent. */
  readonly tracer?: Tracer;
}

/** Opens what the variables configure, in order, without a server. Stop the app before the zone closes. */
export async function openVerificationZone(
  {
    values: config,
    files = {},
  }: { readonly values: VerificationConfig; readonly files?: LoadedConfig<typeof verificationConfig>["files"] },
  surroundings: {
    readonly logger: Logger<VerificationEvent>;
    readonly metrics: Metrics;
    readonly tracer?: Tracer;
    /** Replaces the connection to execution. */
    readonly transport?: Transport;
    /** Serves readiness while the process must not work. Resolves with a function that ends that. */
    readonly hold?: (health: Health) => Promise<() => Promise<unknown>>;
  },
) {
  const { logger, metrics, tracer, hold } = surroundings;
  const emit = createLogEmit(logger);
  const { EXECUTION_CA_FILE, EXECUTION_CLIENT_CERT_FILE } = config;
  watchCertificates({ EXECUTION_CA_FILE, EXECUTION_CLIENT_CERT_FILE }, { registry: metrics.registry, emit });
  // Closes what is open when a later part can't be opened.
  await using opening = new AsyncDisposableStack();
  const transport = surroundings.transport ?? (await createZoneTransport(config, { emit, files }));
  opening.defer(() => transport.close());
  const database = await openVerificationDatabase({
    url: databaseUrlOf(config, "verification"),
    urlFile: files.DATABASE_URL,
    connections: config.MAX_DATABASE_CONNECTIONS,
    onWait: (cause) => emit("database_waited_for", { cause }),
    onIdleError: (cause) => emit("database_connection_lost", { cause }),
  });
  opening.defer(database.close);
  const health = createHealth();
  const notUsable = (reason: string): void => emit("database_not_usable", { reason });
  health.addCheck("database", createDatabaseCheck(database, notUsable));
  const stopKeys = await openDataKeys({
    database,
    DATA_KEYS: config.DATA_KEYS,
    tables: verificationTables,
    health,
    emit,
    hold: hold && (() => hold(health)),
  });
  opening.defer(stopKeys);
  const vault = vaultOf(config);
  const codec = createRecordCodec(vault);
  // A log in memory ends with its process: it needs no key on the disk.
  const onlyAppends = config.DATABASE_URL === "sqlite::memory:";
  const audit = await openZoneAudit({ zone: "verification", config, database, vault, emit, onlyAppends });
  opening.defer(audit.close);
  const { settings, policy } = await openPolicy(config, { record: audit.record, emit, health, metrics });
  opening.defer(settings.close);
  const deps: VerificationDeps = {
    intake: intakeOf(config),
    workspaces: workspacesOf(config, emit, { database, append: audit.append, tokenFile: files.SLACK_BOT_TOKEN }),
    responseUrls: createResponseUrls(slackOrigin("hooks", webApiOf(config)), clock.sleep),
    zone: createClient<ZoneMethods>({ methods: zoneMethods, transport, timeoutMs: config.EXECUTION_TIMEOUT_MS }),
    inbox: new Inbox(database, {
      leaseMs: config.INBOX_LEASE_MS,
      attempts: config.INBOX_ATTEMPTS,
      most: config.MAX_INBOX,
      codec,
      emit,
    }),
    threads: new ThreadStore(database),
    ratings: new RatingStore(database, codec),
    handles: createHandles(database, { now: clock.now, ttlMs: config.ANSWER_DEADLINE }),
    streamPace: createStreamPace(database),
    messages: createMessageEnds(database, clock.now),
    sweeps: createSweepStore(database, { owner: randomUUID(), leaseMs: 3 * config.HEARTBEAT_MS }),
    operatorChannel: config.OPERATOR_CHANNEL,
    purges: [...verificationPurges(database, config), ...audit.purges],
    audit,
    clock,
    logger,
    metrics,
    health,
    policy,
    tracer,
    appId: config.SLACK_APP_ID,
    limits: config,
  };
  const opened = opening.move();
  return { deps, database, transport, stopKeys, close: () => opened.disposeAsync() };
}

/** Opens the settings of the zone, and follows the policy. */
async function openPolicy(
  { VERIFICATION_FILE: paths }: VerificationConfig,
  given: { record: RecordAct; emit: Emit<VerificationEvent>; health: Health; metrics: Metrics },
) {
  const opened = { ...given, paths, rows: verificationSections };
  const settings = await openZoneSettings<VerificationSettings>("verification", opened);
  return { settings, policy: { current: await settings.follow("policy", ({ written }) => written) } };
}

function intakeOf(config: VerificationConfig): SlackIntake {
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret = "" } = config;
  if (appToken === undefined) return { mode: "http", signingSecret };
  const given = { appToken, apiUrl: webApiOf(config), helloMs: config.SOCKET_HELLO_MS };
  return { mode: "socket", createReceiver: (options) => createSocketReceiver({ ...options, ...given }) };
}

/** Returns the URL of the Web API, with a slash at the end. */
const webApiOf = ({ SLACK_API_URL: url }: VerificationConfig): string => url.replace(/\/?$/, "/");

/** Returns the one workspace of the bot's token, which may come from a file, or the workspaces that install the app by OAuth. */
function workspacesOf(
  config: VerificationConfig,
  emit: Emit<VerificationEvent>,
  stored: { readonly database: VerificationDatabase; readonly append: AppendAudit; readonly tokenFile?: string },
): WorkspaceSource {
  const apiUrl = webApiOf(config);
  const logger = createSdkLogger((severity, text) => emit("slack_sdk_remark", { severity, text }));
  const origin = slackOrigin("files", apiUrl);
  const fileHostOf = createSlackFileHost(origin, config.MAX_FILES_AT_ONCE);
  const linkOf = (token: BotToken): SlackLink => ({
    slack: createWebApi({ token, apiUrl, logger }),
    fileHost: fileHostOf(token.current),
  });
  const { SLACK_BOT_TOKEN: botToken } = config;
  if (botToken === undefined) return installedWorkspaces(config, emit, { ...stored, logger, linkOf });
  const token = createBotToken({
    token: botToken,
    path: stored.tokenFile,
    onRenewed: () => emit("slack_token_renewed"),
    onNotRenewed: (why) => emit("slack_token_not_renewed", { why }),
  });
  const forwardedToken = config.SLACK_TOKEN_FORWARDING === "real" ? token.current : undefined;
  return { mode: "single", link: { ...linkOf(token), forwardedToken } };
}

/**
 * Returns the source of the workspaces that install the app by OAuth. Throws if the configuration lacks a required variable, which its own check reports
 * first.
 */
function installedWorkspaces(
  config: VerificationConfig,
  emit: Emit<VerificationEvent>,
  given: {
    readonly database: VerificationDatabase;
    readonly append: AppendAudit;
    readonly logger: SlackLogger;
    readonly linkOf: (token: BotToken) => SlackLink;
  },
): WorkspaceSource {
  const { database, append, logger, linkOf } = given;
  const apiUrl = webApiOf(config);
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret, SLACK_REDIRECT_URL: redirectUri } = config;
  const vault = vaultOf(config);
  if (clientId === undefined || clientSecret === undefined || redirectUri === undefined || vault === undefined)
    throw new Error("installing by OAuth is not configured");
  const client = {
    slackApiUrl: apiUrl,
    allowAbsoluteUrls: false,
    timeout: 10_000,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  };
  const installations = createInstallationStore(database, vault, append);
  const refresh = createRefreshGrant({ clientId, clientSecret, client: { ...client, logger }, now: clock.now });
  const { name, scopes } = readManifest();
  return {
    mode: "installed",
    installations,
    linkOf: (installation) => {
      const { id } = installation;
      const token = createInstallationToken({
        installations,
        installation,
        refresh,
        clock,
        onRenewed: () => emit("slack_token_renewed", { installation: id }),
        onNotRenewed: (failure) => emit("slack_token_not_renewed", { installation: id, failure }),
      });
      return linkOf(token);
    },
    installing: {
      app: name,
      clientId,
      clientSecret,
      redirectUri,
      scopes: scopes.bot,
      authorizeUrl: new URL("/oauth/v2/authorize", apiUrl).href,
      states: createInstallStates(database, { clientSecret, now: clock.now }),
      client,
      logger,
    },
  };
}

const hourMs = 3_600_000;

/** Slack retries an event for about an hour; claims are kept for at least a day. */
const claimsMs = 25 * hourMs;

/** Messages whose end and claim are kept. */
const mostMessages = 100_000;

/** Returns the purges of expired rows, by the database's clock. */
export function verificationPurges(
  { db, engine }: VerificationDatabase,
  keep: { readonly THREAD_RETENTION: number; readonly PARKED_RETENTION_MS: number },
): readonly Purge[] {
  // The time is read once for all rows, so that an index can be used.
  const after = (ms: number): OlderRows["before"] => sql<number>`(select ${now(engine)} - ${sql.lit(ms)})`;
  // Denied messages cost their sender nothing: their number is bounded too.
  const afterNewest = (rows: RawBuilder<unknown>, time: string) => {
    const at = sql.ref(time);
    const beyond = sql`select ${at} + 1 as at from ${rows} order by ${at} desc limit 1 offset ${sql.lit(mostMessages)}`;
    const ends = sql`select at from (${beyond}) as beyond union all select ${now(engine)} - ${sql.lit(keep.PARKED_RETENTION_MS)}`;
    return sql<number>`(select max(at) from (${ends}) as ends)`;
  };
  const [ofMessage, ofEvent] = [sql<boolean>`of_message = 1`, sql<boolean>`of_message = 0`];
  // Slack sends an edited message again, whatever its age: its claim is kept as long as what became of it.
  const afterClaims = afterNewest(sql`claim where ${ofMessage}`, "claimed_at");
  const claims = sql<number>`(select min(at) from (select ${afterClaims} as at union all select ${after(claimsMs)}) as ends)`;
  const rows: readonly OlderRows[] = [
    { table: "handle", key: "digest", column: "expires_at", before: after(0) },
    { table: "spent_state", key: "digest", column: "expires_at", before: after(0) },
    { table: "claim", key: "digest", column: "claimed_at", before: after(claimsMs), only: ofEvent },
    { table: "claim", key: "digest", column: "claimed_at", before: claims, only: ofMessage },
    { table: "thread", key: "digest", column: "used_at", before: after(keep.THREAD_RETENTION) },
    // Of the jobs, only parked records have ended without having been deleted.
    { table: "job", key: "sequence", column: "ended_at", before: after(keep.PARKED_RETENTION_MS) },
    { table: "rating", key: "reference", column: "rated_at", before: after(keep.PARKED_RETENTION_MS) },
    { table: "message", key: "reference", column: "ended_at", before: afterNewest(sql`message`, "ended_at") },
  ];
  return rows.map((older) => ({ table: older.table, purge: (most) => deleteOlder(db, older, most) }));
}
