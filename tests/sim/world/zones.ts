import { dirname } from "node:path";
import { createBuiltinAgent } from "@crosszone/builtin-agent";
import {
  createBearerAuth,
  createExecutionApp,
  createZoneEmit,
  hostProfiles,
  limitsOf,
  loadExecutionConfig,
  noFiles,
  openRoles,
  openTaskStore,
} from "@crosszone/execution";
import type { AgentClient } from "@crosszone/agent-bridge";
import { LinkError, type HandleMessage, type Transport } from "@crosszone/jsonrpc";
import { createHealth, createLogger, createMetrics } from "@crosszone/service-kit";
import { createTracer } from "@crosszone/service-kit/tracing";
import { executionEvents, verificationEvents } from "@crosszone/telemetry";
import { tunedConstants } from "@crosszone/testkit/tune";
import { loadVerificationConfig, openVerificationZone, VerificationApp } from "@crosszone/verification";
import type { RequestListener } from "node:http";
import { setTimeout } from "node:timers/promises";
import { withCalls } from "../../chaos/stand-ins/calling-agent.ts";
import { withRecitals } from "../../chaos/stand-ins/with-recitals.ts";
import { executionSettings, verificationSettings } from "../../chaos/system/start-system.ts";

const graceMs = 1_500;

/** Never sent: the link between the zones is not HTTP. */
const token = "a-token-of-the-simulation-of-forty-letters";

/**
 * Assembles a process of verification like its `main.ts`, without a server. `folder`: that of its database. `onLine` gets each line of its log, and
 * `onListener` its listener before Slack has identified it. `stop` is like SIGTERM.
 */
export async function startVerificationZone({
  folder,
  onLine,
  slackEnv,
  transport,
  onListener,
}: {
  readonly folder: string;
  readonly onLine: (line: string) => void;
  readonly slackEnv: Readonly<Record<string, string>>;
  readonly transport: Transport;
  readonly onListener: (listener: RequestListener) => void;
}) {
  const { values } = loadVerificationConfig({
    ...verificationSettings,
    ...slackEnv,
    DATA_DIR: folder,
    EXECUTION_URL: "http://127.0.0.1:1/rpc",
    EXECUTION_TOKEN: token,
  });
  const config = { ...values, ...tunedConstants(verificationSettings) };
  const destination = { write: onLine };
  const logger = createLogger({ zone: "verification", events: verificationEvents, level: "info", destination });
  const metrics = createMetrics(undefined, { ofProcess: false });
  const { deps, close } = await openVerificationZone({ values: config }, { logger, metrics, transport });
  const app = new VerificationApp(deps);
  onListener(app.listener);
  await app.start();
  return {
    stop: async () => {
      deps.health.markStopping();
      await app.stop(graceMs);
      await close();
    },
  };
}

/** Assembles a process of execution with all roles like its `main.ts`, without a server. */
export async function startExecutionZone({
  databaseUrl,
  onLine,
  agentClient,
  act,
}: {
  readonly databaseUrl: string;
  readonly onLine: (line: string) => void;
  readonly agentClient: AgentClient;
  /** Calls the tool of the run. */
  readonly act: (text: string) => Promise<void>;
}) {
  const folder = dirname(databaseUrl.slice("sqlite:".length));
  const { values } = loadExecutionConfig({ ...executionSettings, DATA_DIR: folder, EXECUTION_TOKEN: token });
  const config = { ...values, ...tunedConstants(executionSettings) };
  const destination = { write: onLine };
  const logger = createLogger({ zone: "execution", events: executionEvents, level: "info", destination });
  const [metrics, health] = [createMetrics(undefined, { ofProcess: false }), createHealth()];
  const { store, jobs, database } = await openTaskStore({ url: databaseUrl, leaseMs: config.TASK_LEASE_MS });
  const emit = createZoneEmit({ logger, metrics });
  const roles = await openRoles({ config, environment: {}, database, jobs, metrics, health, emit, agentClient });
  const builtin = withCalls(withRecitals(createBuiltinAgent()), act);
  const app = createExecutionApp({
    ...roles,
    agents: { all: [builtin], default: builtin.name, registered: roles.registered },
    store,
    jobs,
    authenticator: createBearerAuth([token], "verification"),
    grantFiles: noFiles,
    now: () => new Date(),
    emit,
    metrics,
    health,
    profile: hostProfiles.plain,
    tracer: createTracer(),
    limits: limitsOf(config),
  });
  await roles.start();
  app.start();
  const open = new Set<Promise<unknown>>();
  let isClosed = false;
  const handle: HandleMessage = (message, about) => {
    if (isClosed) return Promise.reject(new LinkError("unreachable", "the server is closed"));
    const answer = app.dispatch(message, { ...about, caller: "verification" });
    open.add(answer);
    return answer.finally(() => open.delete(answer));
  };
  return {
    handle,
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
