import { dirname } from "node:path";
import { createBuiltinAgent, loadLibraries } from "@crosszone/builtin-agent";
import { zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import {
  createBearerAuth,
  createExecutionApp,
  createZoneEmit,
  loadExecutionConfig,
  noFiles,
  openRoles,
  openTaskStore,
} from "@crosszone/execution";
import type { AgentClient } from "@crosszone/agent-bridge";
import { createClient, LinkError, type HandleMessage, type Transport } from "@crosszone/jsonrpc";
import { createHealth, createLogger, createMetrics } from "@crosszone/service-kit";
import { executionEvents, verificationEvents } from "@crosszone/telemetry";
import { tunedConstants } from "@crosszone/testkit/tune";
import { createDeps, createVerificationApp, loadVerificationConfig } from "@crosszone/verification";
import type { RequestListener } from "node:http";
import { setTimeout } from "node:timers/promises";
import { withRecitals } from "../../chaos/stand-ins/with-recitals.ts";
import { executionSettings, verificationSettings } from "../../chaos/system/start-system.ts";

// A library draws random numbers while it is loaded: before the first seed.
loadLibraries();

/** A process of a zone that works. */
interface Zone {
  /** Stops it cleanly, like SIGTERM. */
  readonly stop: () => Promise<void>;
}

interface ZoneParts {
  /** Called with each line of its log. */
  readonly onLine: (line: string) => void;
}

const graceMs = 1_500;

/** Never sent: the link between the zones is not HTTP. */
const token = "a-token-of-the-simulation-of-forty-letters";

/** Assembles a process of verification like its `main.ts`, without a server. `onListener` gets its listener before Slack has identified it. */
export async function startVerificationZone({
  folder,
  onLine,
  slackEnv,
  transport,
  onListener,
}: ZoneParts & {
  /** Folder of its database. */
  readonly folder: string;
  readonly slackEnv: Readonly<Record<string, string>>;
  readonly transport: Transport;
  readonly onListener: (listener: RequestListener) => void;
}): Promise<Zone> {
  const { values } = loadVerificationConfig({
    ...verificationSettings,
    ...slackEnv,
    DATA_DIR: folder,
    EXECUTION_URL: "http://127.0.0.1:1/rpc",
    EXECUTION_TOKEN: token,
  });
  const config = { ...values, ...tunedConstants(verificationSettings) };
  const logger = createLogger({
    zone: "verification",
    events: verificationEvents,
    level: "info",
    destination: { write: onLine },
  });
  const {
    deps,
    database,
    transport: unused,
  } = await createDeps(config, {
    logger,
    metrics: createMetrics(undefined, { ofProcess: false }),
  });
  const zone = createClient<ZoneMethods>({ methods: zoneMethods, transport, timeoutMs: config.EXECUTION_TIMEOUT_MS });
  const app = createVerificationApp({ ...deps, zone });
  onListener(app.listener);
  await app.start();
  return {
    stop: async () => {
      deps.health.markStopping();
      await app.stop(graceMs);
      await unused.close();
      deps.policy.close();
      await deps.audit.close();
      await database.close();
    },
  };
}

/** Assembles a process of execution with all roles like its `main.ts`, without a server. */
export async function startExecutionZone({
  databaseUrl,
  onLine,
  agentClient,
}: ZoneParts & { readonly databaseUrl: string; readonly agentClient: AgentClient }): Promise<
  Zone & { readonly handle: HandleMessage }
> {
  const folder = dirname(databaseUrl.slice("sqlite:".length));
  const { values } = loadExecutionConfig({ ...executionSettings, DATA_DIR: folder, EXECUTION_TOKEN: token });
  const config = { ...values, ...tunedConstants(executionSettings) };
  const destination = { write: onLine };
  const logger = createLogger({ zone: "execution", events: executionEvents, level: "info", destination });
  const [metrics, health] = [createMetrics(undefined, { ofProcess: false }), createHealth()];
  const { store, jobs, database } = await openTaskStore({ url: databaseUrl, leaseMs: config.TASK_LEASE_MS });
  const emit = createZoneEmit({ logger, metrics });
  const roles = await openRoles({ config, environment: {}, database, jobs, metrics, health, emit, agentClient });
  const builtin = withRecitals(createBuiltinAgent());
  const app = createExecutionApp({
    agents: { all: [builtin], default: builtin.name, registered: roles.registered },
    store,
    jobs,
    inputs: roles.inputs,
    purges: roles.purges,
    authenticator: createBearerAuth([token], "verification"),
    grantFiles: noFiles,
    now: () => new Date(),
    logger,
    emit,
    metrics,
    health,
    limits: {
      maxBytes: config.MAX_BODY,
      maxDepth: config.MAX_DEPTH,
      maxRunning: config.MAX_RUNNING_TASKS,
      mostAttempts: config.TASK_ATTEMPTS,
      syncWindowMs: config.SYNC_WINDOW_MS,
      maxWaitMs: config.MAX_WAIT_MS,
      taskDeadlineMs: config.TASK_DEADLINE,
    },
  });
  await roles.start();
  app.start();
  const open = new Set<Promise<unknown>>();
  let isClosed = false;
  return {
    handle: (message, about) => {
      if (isClosed) return Promise.reject(new LinkError("unreachable", "the server is closed"));
      const answer = app.dispatch(message, { ...about, caller: "verification" });
      open.add(answer);
      return answer.finally(() => open.delete(answer));
    },
    stop: async () => {
      await Promise.all([app.stop(graceMs), roles.stop(graceMs)]);
      await roles.close();
      // A closed server rejects requests.
      isClosed = true;
      await Promise.race([Promise.allSettled(open), setTimeout(4_000)]);
      await database.close();
    },
  };
}
