import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type DevAgentsOptions, startDevAgents } from "@crosszone/dev-agents";
import { type DevSlackOptions, startDevSlack } from "@crosszone/dev-slack";
import { converse, slackEnv } from "@crosszone/dev-slack/client";
import {
  type Agent,
  createHttpFiles,
  createPlatformAuth,
  type ExecutionDeps,
  hostProfiles,
} from "@crosszone/execution";
import { openTestZone, type ZoneOptions } from "@crosszone/execution/testing";
import { createInProcessTransport, type Transport } from "@crosszone/jsonrpc";
import { close, createHttpServer, createLogger, createMetrics, httpLimits, listen } from "@crosszone/service-kit";
import { startTracing } from "@crosszone/service-kit/tracing";
import { verificationEvents } from "@crosszone/telemetry";
import { freePort, startAws } from "@crosszone/testkit";
import { type LogLine, startZoneProcess, type Variables } from "@crosszone/testkit/process";
import { tune, tunedConstants } from "@crosszone/testkit/tune";
import {
  loadVerificationConfig,
  openVerificationZone,
  VerificationApp,
  type VerificationDeps,
} from "@crosszone/verification";
import { onTestFinished } from "vitest";
import { runProgram } from "./run-program.ts";
import { adminToken, runsApi } from "./runs-api.ts";
import { writeAgentsFile, writeSettings } from "./temp-file.ts";

export { stateOf } from "@crosszone/dev-slack/client";

/** Limits of execution that no test of both zones exceeds by accident. */
export const wideLimits = { maxBytes: 1 << 20, maxRunning: 100, syncWindowMs: 300, taskDeadlineMs: 120_000 };

/** Dependencies of an execution zone that runs in AgentCore's container. */
export const onAgentCore: Pick<ZoneOptions, "profile" | "authenticator"> = {
  profile: hostProfiles.agentcore,
  authenticator: createPlatformAuth("agentcore"),
};

interface VerificationOptions {
  readonly env: Variables;
  /** Replaces the HTTPS transport of the environment. */
  readonly transport?: Transport;
  /** Replaces dependencies of the zone. */
  readonly override?: (deps: VerificationDeps) => Partial<VerificationDeps>;
  readonly log: LogLine[];
  /** Default: a free port. */
  readonly port?: number;
}

export type Verification = Awaited<ReturnType<typeof openVerification>>;

/** Opens the verification zone, as its process does, on an HTTP server on loopback. */
export async function openVerification({ env, transport, override, log, port = 0 }: VerificationOptions) {
  const folder = await mkdtemp(join(tmpdir(), "crosszone-verification-"));
  const loaded = loadVerificationConfig({ DATA_DIR: folder, ...env });
  const config = { ...loaded.values, ...tunedConstants(env) };
  const build = { zone: "verification", version: "0.0.0" };
  const destination = { write: (line: string) => void log.push(JSON.parse(line) as LogLine) };
  const logger = createLogger({ zone: build.zone, level: "debug", events: verificationEvents, destination });
  const { tracer, stop } = await startTracing({ ...build, config, logger });
  const surroundings = { logger, metrics: createMetrics(build), tracer, transport };
  const { deps, close: closeZone } = await openVerificationZone({ ...loaded, values: config }, surroundings);
  const app = new VerificationApp({ ...deps, ...override?.(deps) });
  const server = createHttpServer(app.listener, { ...httpLimits(config), onBadRequest: app.badRequest });
  const { url } = await listen(server, { host: "127.0.0.1", port });
  await app.start();
  return {
    url,
    stop: async () => {
      await close(server, { deadlineMs: 500 });
      await app.stop(0);
      await closeZone();
      await rm(folder, { recursive: true, force: true });
      await stop();
    },
  };
}

/** The manifest of the product's app. */
const manifest: unknown = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../../apps/verification/slack-app-manifest.json"), "utf8"),
);

/** When the local Slack sends an event again, milliseconds: soon for tests, and until a busy machine has stored it. */
const retryScheduleMs = [20, 60, 150, 1_000, 2_000, 4_000, 8_000];

interface ZoneServer {
  readonly url: string;
  readonly stop: () => Promise<unknown>;
}

/** What both zones start with. */
interface Opening {
  readonly env: Variables;
  readonly log: LogLine[];
  /** The bearer token of the zone link. */
  readonly token: string;
  /** Returns the URL where execution reads the files of messages. */
  readonly files: () => string;
}

interface JoinOptions<E, V> {
  /** Variables of execution. */
  readonly env?: Variables;
  readonly verificationEnv?: Variables;
  readonly slack?: DevSlackOptions;
  /** Default: HTTPS through the local Slack's tap, as in development. */
  readonly link?: "https" | "in-process" | "agentcore";
  /** Puts a proxy between the zones in both directions. Gets the URL of a zone and returns the proxy's. */
  readonly between?: (url: string) => Promise<string>;
  /** Port of verification, which execution learns when it starts. Default: a free port, which it learns later. */
  readonly port?: number;
  readonly execution: (opening: Opening) => Promise<E>;
  readonly verification: (opening: Opening, execution: E) => Promise<V>;
}

/** Starts both zones and a local Slack on free ports of loopback. They end with the test. */
async function joinZones<E extends ZoneServer, V extends ZoneServer>(options: JoinOptions<E, V>) {
  const { env = {}, link, between = async (url: string) => url, port = 0 } = options;
  const token = `link-${randomUUID()}${randomUUID()}`;
  const log: LogLine[] = [];
  let files = `http://127.0.0.1:${port}`;
  const opening = { env, log, token, files: () => files };
  const execution = await options.execution(opening);
  // Slack waits three seconds for an acknowledgment. Zones that share a busy core with a test may need more.
  const slack = await startDevSlack({ ackTimeoutMs: 30_000, upstream: execution.url, manifest, ...options.slack });
  const aws = link === "agentcore" ? await startAws(execution.url) : undefined;
  const verificationEnv = {
    ...slackEnv(slack),
    EXECUTION_URL: `${options.between ? await between(execution.url) : slack.tapUrl}/rpc`,
    EXECUTION_TOKEN: token,
    ...aws?.env,
    ...options.verificationEnv,
  };
  const verification = await options.verification(
    { ...opening, env: tune({ POLL_WAIT_MS: 500 }, verificationEnv) },
    execution,
  );
  files = await between(verification.url);
  slack.setEventsUrl(`${verification.url}/slack/events`);
  onTestFinished(async () => {
    await verification.stop();
    await execution.stop();
    await slack.close();
    await aws?.standIn.stop();
  });
  return {
    execution,
    verification,
    slack,
    log,
    token,
    linkToken: token,
    aws: aws?.standIn,
    ...converse(slack.control),
  };
}

export interface CrosszoneOptions extends Pick<
  JoinOptions<unknown, unknown>,
  "between" | "env" | "link" | "slack" | "verificationEnv"
> {
  readonly agents?: readonly Agent[];
  readonly limits?: Partial<ExecutionDeps["limits"]>;
  /** Timeout of execution for a file, milliseconds. Default: 5,000, so that tests of a hanging Slack are short. */
  readonly fileTimeoutMs?: number;
  /** URL of execution's database. Default: in memory. */
  readonly database?: string | undefined;
  /** Port of the execution zone. Default: a free port. */
  readonly executionPort?: number;
  /** Replace dependencies. */
  readonly execution?: ZoneOptions["override"];
  readonly verification?: VerificationOptions["override"];
}

export type Crosszone = Awaited<ReturnType<typeof startCrosszone>>;

/** Starts both zones in this process. The variables `env` are for both. */
export async function startCrosszone({
  agents,
  limits,
  fileTimeoutMs: timeoutMs = 5_000,
  database,
  executionPort: port,
  env = {},
  link,
  ...options
}: CrosszoneOptions = {}) {
  return joinZones({
    ...options,
    env,
    link,
    verificationEnv: { ...env, ...options.verificationEnv },
    slack: { retryScheduleMs, ...options.slack },
    execution: ({ token, files, ...opening }) =>
      openTestZone(agents, {
        ...wideLimits,
        ...limits,
        ...opening,
        port,
        database,
        tokens: [token],
        override: (deps) => ({
          grantFiles: (lease) => createHttpFiles({ url: files(), maxBytes: 10_000_000, timeoutMs })(lease),
          ...(link === "agentcore" && onAgentCore),
          ...options.execution?.(deps),
        }),
      }),
    verification: ({ env: own, log }, { app }) =>
      openVerification({
        log,
        override: options.verification,
        // Most tests cover the placeholder too.
        env: tune({ SHOW_WORK_AFTER_MS: 0, EXECUTION_RETRY_BUDGET_MS: 3_000 }, own),
        transport:
          link === "in-process"
            ? createInProcessTransport((message, send) => app.dispatch(message, { ...send, caller: "verification" }))
            : undefined,
      }),
  });
}

const appToken = "xapp-1-A0CROSSZONE-0-of-these-tests";

/** Options with which Slack sends its events over a socket. */
export const overSocket: CrosszoneOptions = {
  slack: { secrets: { appToken } },
  env: { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: "" },
};

export const exampleWorkflows = resolve(import.meta.dirname, "../../examples/workflows");

interface SampleOptions extends Pick<DevAgentsOptions, "slowMs" | "taskMs"> {
  /** Timeout of an agent call, milliseconds. */
  readonly timeoutMs?: number;
  /** Options of Node for the zones that are processes. */
  readonly node?: readonly string[];
  /** Arguments of Node that start execution from its source. Default: its bundle. */
  readonly args?: readonly string[];
  /** Sections of the settings besides the sample agents. */
  readonly sections?: object;
}

/** Starts execution as a process, with the sample agents. */
async function startExecution(
  { env, token, log, files }: Opening,
  { timeoutMs = 30_000, node, args, sections, ...times }: SampleOptions,
) {
  const agents = await startDevAgents({ slowMs: 500, taskMs: 200, ...times });
  onTestFinished(() => agents.close());
  const file = agents.file.replaceAll(/^( +)protocol:/gm, `$1timeout_ms: ${timeoutMs}\n$&`);
  const given = {
    EXECUTION_TOKEN: token,
    EXECUTION_FILE: [writeAgentsFile(file), sections && writeSettings(sections)].filter(Boolean).join(","),
    AGENT_ORIGINS: agents.url,
    LOG_LEVEL: "debug",
    VERIFICATION_URL: files(),
    ADMIN_TOKENS: adminToken,
    // The example workflows call the sample agents.
    ...(env["EXECUTION_FILE"] === undefined && { WORKFLOWS_DIR: exampleWorkflows }),
  };
  const start = (more: Variables = {}) =>
    startZoneProcess("execution", { ...given, ...env, ...more }, { log, node, args });
  const zone = await start();
  /** Starts it again at its address, after its end. */
  const restart = () => start({ EXECUTION_PORT: new URL(zone.url).port });
  return { ...zone, agents, restart };
}

/** Starts verification as a process, with its read-only API. */
async function startVerification({ env, log }: Opening, port: number, node?: readonly string[]) {
  const viewPort = await freePort();
  const ports = { VERIFICATION_PORT: String(port), VERIFICATION_VIEW_PORT: String(viewPort) };
  const restart = () => startZoneProcess("verification", { ...env, ...ports }, { log, node });
  return { ...(await restart()), restart, view: `http://127.0.0.1:${viewPort}` };
}

interface WithAgentsOptions extends SampleOptions {
  /** For the execution zone. */
  readonly env?: Variables;
  readonly verificationEnv?: Variables;
  readonly slack?: DevSlackOptions;
  /** Verification is a process too, with its read-only API. */
  readonly view?: boolean;
}

/**
 * Starts both zones, a local Slack, the sample agents and the example workflows, as `./crosszone dev` does. Execution is a process. Ends with
 * the test.
 */
export async function startWithAgents({ env, verificationEnv, slack, view = false, ...own }: WithAgentsOptions = {}) {
  const port = await freePort();
  const zones = await joinZones({
    env,
    verificationEnv,
    slack,
    port,
    execution: (opening) => startExecution(opening, own),
    verification: async (opening) =>
      view
        ? startVerification(opening, port, own.node)
        : openVerification({ env: opening.env, log: opening.log, port }),
  });
  const { execution, verification, write, answerTo } = zones;
  const cliEnv = { CROSSZONE_URL: execution.url, CROSSZONE_TOKEN: adminToken, NO_COLOR: "1" };
  const shown = "view" in verification ? verification.view : "";
  /** The variables of `crosszone`, with and without verification's API. */
  const commandEnv = { execution: cliEnv, both: { ...cliEnv, CROSSZONE_VERIFICATION_URL: shown } };
  return {
    ...zones,
    agents: execution.agents,
    url: execution.url,
    verificationUrl: verification.url,
    /** Asks a sample agent in a direct message and resolves with the text of the final answer. */
    ask: async (agent: string, text: string): Promise<string> =>
      (await answerTo(write({ text: `ask ${agent}: ${text}` }))).text,
    /** Runs a workflow in a direct message and resolves with the final answer. */
    runInSlack: (name: string, text: string) => answerTo(write({ text: `run ${name}: ${text}` }), 60_000),
    api: runsApi(execution.url),
    /** Runs the `crosszone` command against the zone. */
    cli: (...words: string[]) => runProgram("tools/cli/src/main.ts", cliEnv, ...words),
    /** URL of verification's read-only API. */
    view: shown,
    env: commandEnv,
    /** Runs `crosszone find`. */
    find: (...words: string[]) => runProgram("tools/cli/src/main.ts", cliEnv, "find", ...words),
  };
}
