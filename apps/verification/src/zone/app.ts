import type { RequestListener } from "node:http";
import { type BadRequest, type BadRequestAnswer, type Emit, startRetention } from "@crosszone/service-kit";
import { retry, type RetryOptions } from "@crosszone/service-kit/timing";
import { createTracer, type Tracer } from "@crosszone/service-kit/tracing";
import type { VerificationEvent } from "@crosszone/telemetry";
import { createCommands, type Commands } from "../asking/commands.ts";
import { takeInteraction } from "../cards/interactions.ts";
import { noHello } from "../edge/bolt-app.ts";
import { createEventIntake } from "../edge/event-intake.ts";
import { createHttpSurface } from "../edge/http-surface.ts";
import { installPath } from "../edge/install-pages.ts";
import { createSlackConnection, type SlackConnection } from "../edge/slack-connection.ts";
import { createSweeper, type Sweeper } from "../edge/sweep.ts";
import { QuestionTasks } from "../inbox/running-tasks.ts";
import { createZoneLink, type ZoneLink } from "../link/zone-link.ts";
import { Pressers } from "../cards/press-flow.ts";
import type { SlackIdentity } from "../slack/slack-api.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import { traceSlack, traceZone } from "../workspaces/traces.ts";
import {
  createContextMaker,
  createInstalledWorkspaces,
  createIsForApp,
  createSingleWorkspace,
  type IsForApp,
  type SlackLink,
  type Workspaces,
} from "../workspaces/workspaces.ts";
import { createAppEmit, measureLoad } from "./create-emit.ts";
import type { VerificationDeps } from "./open-zone.ts";
import { createWorkers, type Workers } from "./flows.ts";

/** How long sockets may open without Slack's hello until the process counts as stuck, milliseconds. */
const longestDeafMs = 60_000;

/** Time between two purges of expired rows, milliseconds. */
const retentionEveryMs = 600_000;

/** The verification zone. Reads no environment variables and opens no sockets itself. */
export class VerificationApp {
  /** The HTTP listener. Slack's events get 503 until `start` has resolved. */
  readonly listener: RequestListener;
  readonly #deps: VerificationDeps;
  readonly #emit: Emit<VerificationEvent>;
  readonly #tracer: Tracer;
  readonly #running = new QuestionTasks();
  readonly #link: ZoneLink;
  readonly #workspaces: Workspaces;
  readonly #isForApp: IsForApp;
  readonly #pressers: Pressers;
  readonly #commands: Commands;
  readonly #retention: ReturnType<typeof startRetention>;
  readonly #stopping = new AbortController();
  #workers: Workers | undefined;
  #connection: SlackConnection | undefined;
  #sweeper: Sweeper | undefined;
  #isReady = false;
  /** Since when Slack opens sockets without a hello, by the clock. */
  #deafSince: number | undefined;

  constructor(deps: VerificationDeps) {
    const { intake, workspaces: source, health, metrics, clock, limits, policy, handles, responseUrls, appId } = deps;
    const { tracer = createTracer(), purges = [] } = deps;
    const emit = createAppEmit(deps.logger, metrics.registry, tracer);
    measureLoad(metrics.registry, { ...deps, running: this.#running });
    this.#deps = deps;
    this.#emit = emit;
    this.#tracer = tracer;
    this.#link = createZoneLink(traceZone(deps.zone, { tracer, emit }), { limits, clock });
    this.#workspaces = createWorkspaces(deps, { tracer, emit });
    const { find: findWorkspace, linkOf } = this.#workspaces;
    this.#pressers = new Pressers(responseUrls, clock);
    const isForApp = createIsForApp(findWorkspace, appId);
    this.#isForApp = isForApp;
    this.#commands = createCommands({ findWorkspace, isForApp, link: this.#link, responseUrls, appId, emit, tracer });
    health.addCheck("slack", () => (this.#isReady ? undefined : "Slack has not identified this app yet"));
    health.addLiveCheck(() => {
      const isDeaf = this.#deafSince !== undefined && clock.now() - this.#deafSince > longestDeafMs;
      return isDeaf ? "Slack opens sockets, but none gets its hello" : undefined;
    });
    this.#retention = startRetention({ purges, everyMs: retentionEveryMs, emit });
    const { installations, installing } = source.mode === "installed" ? source : {};
    const bolt = intake.mode === "http" ? () => this.#connection?.listener : undefined;
    const answered = { health, metrics, linkOf, handles, installing, installations, bolt };
    this.listener = createHttpSurface({ ...answered, policy, limits, clock, emit, tracer });
  }

  /** Returns the response to bytes that never became a request. */
  readonly badRequest = ({ status, reason, code: parser, requestId }: BadRequest): BadRequestAnswer => {
    this.#emit("http_refused", { status, reason: `http_${status}`, parser, http_request_id: requestId });
    return { contentType: "application/json", body: JSON.stringify({ error: { message: reason } }) };
  };

  /** Identifies the app in Slack, if it has one workspace, with retries; then accepts events. Also resolves if `stop` is called first. */
  async start(): Promise<void> {
    const { clock } = this.#deps;
    const { signal } = this.#stopping;
    const onRetry: RetryOptions["onRetry"] = (failure, { attempt }) => {
      const isDeaf = failure instanceof SlackCallError && failure.code === noHello;
      this.#deafSince = isDeaf ? (this.#deafSince ?? clock.now()) : undefined;
      this.#emit("slack_not_identified", { attempt: attempt - 1, advice: adviceOn(failure), failure });
    };
    const retrying = { firstMs: 500, longestMs: 30_000, signal, clock, onRetry };
    try {
      const identity = await this.#workspaces.open(retrying);
      // Slack may respond after the app was stopped; work that starts now would never be stopped.
      signal.throwIfAborted();
      this.#workers = this.#startWorkers();
      this.#sweeper = this.#createSweeper();
      const openSocket = (): Promise<void> => this.#openSocket(identity, retrying);
      this.#connection = this.#connect(this.#workers, () => void openSocket());
      await openSocket();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /**
   * Accepts no further events, lets accepted questions and commands finish for `graceMs` milliseconds, then leaves the rest to the next process.
   * Stop the HTTP server first.
   */
  async stop(graceMs: number): Promise<void> {
    const { intake } = this.#deps;
    const stopped = this.#retention.stop();
    this.#stopping.abort(new Error("the app was stopped"));
    if (intake.mode === "socket") await this.#connection?.bolt.stop();
    const sweeper = this.#sweeper?.stop(graceMs);
    await Promise.all([stopped, sweeper, this.#workers?.stop(graceMs), this.#commands.stop(graceMs)]);
  }

  #startWorkers(): Workers {
    const { inbox, threads, ratings, streamPace, messages, audit, operatorChannel } = this.#deps;
    const { find: findWorkspace, all: allWorkspaces } = this.#workspaces;
    const workers = createWorkers({
      findWorkspace,
      allWorkspaces,
      operatorChannel,
      inbox,
      threads,
      ratings,
      link: this.#link,
      running: this.#running,
      pressers: this.#pressers,
      streamPace,
      messages,
      emit: this.#emit,
      recordAct: audit.record,
      tracer: this.#tracer,
    });
    workers.start();
    return workers;
  }

  #createSweeper(): Sweeper | undefined {
    const { sweeps: store, inbox, threads, clock, limits, operatorChannel } = this.#deps;
    if (store === undefined) return undefined;
    const { all: allWorkspaces } = this.#workspaces;
    const given = { store, inbox, threads, clock, operatorChannel, allWorkspaces, emit: this.#emit };
    return createSweeper({ ...given, heartbeatMs: limits.HEARTBEAT_MS });
  }

  /** Connects Bolt. `onLost` is called when the socket closes unexpectedly. */
  #connect(workers: Workers, onLost: () => void): SlackConnection {
    const { intake, workspaces: source, inbox, threads, clock, audit } = this.#deps;
    const emit = this.#emit;
    const found = { findWorkspace: this.#workspaces.find, isForApp: this.#isForApp };
    const pressed = { ...found, inbox, link: this.#link, pressers: this.#pressers, emit, recordAct: audit.record };
    return createSlackConnection({
      ...found,
      intake,
      installations: source.mode === "installed" ? source.installations : undefined,
      receive: createEventIntake(inbox, threads),
      commands: this.#commands,
      takeInteraction: (interaction, delivered) => takeInteraction(pressed, interaction, delivered),
      clock,
      emit,
      tracer: this.#tracer,
      onAccepted: (result) => workers.accepted(result),
      onLost,
      onLoss: this.#sweeper?.lost,
    });
  }

  /** Called at the start, and each time the socket is lost. Never rejects: once the app is stopped, it opens nothing. */
  async #openSocket(identity: SlackIdentity | undefined, retrying: RetryOptions): Promise<void> {
    const { intake, workspaces: source } = this.#deps;
    const { mode } = intake;
    this.#isReady = false;
    this.#sweeper?.down();
    try {
      await retry(async () => mode === "socket" && this.#connection?.bolt.start(), retrying);
    } catch {
      return;
    }
    this.#isReady = true;
    this.#deafSince = undefined;
    this.#sweeper?.up();
    if (identity !== undefined) this.#emit("slack_identified", { ...identity, mode });
    else if (source.mode === "installed")
      this.#emit("install_open", { url: new URL(installPath, source.installing.redirectUri).href, mode });
  }
}

/** Makes the workspaces of the bot's token or of the installations, with traced connections to Slack. */
function createWorkspaces(
  { workspaces: source, appId, handles, policy, limits, clock, audit }: VerificationDeps,
  tracing: { readonly tracer: Tracer; readonly emit: Emit<VerificationEvent> },
): Workspaces {
  const { emit } = tracing;
  const traced = (link: SlackLink): SlackLink => ({ ...link, slack: traceSlack(link.slack, tracing) });
  const installersAreListed = source.mode === "installed";
  const own = { appId, installersAreListed, tokens: handles, recordAct: audit.record };
  const make = createContextMaker({ ...own, policy, limits, clock, emit });
  if (source.mode === "single") return createSingleWorkspace(traced(source.link), make);
  return createInstalledWorkspaces(source.installations, (one) => traced(source.linkOf(one)), make);
}

/** The variable that each startup call depends on, and its required value. */
const needs: ReadonlyMap<string, string> = new Map([
  ["auth.test", "SLACK_BOT_TOKEN: a bot token of the installed app"],
  [
    "apps.connections.open",
    "SLACK_APP_TOKEN: an app-level token with connections:write, and Socket Mode on in the app",
  ],
]);

/** Returns advice for an operator about a failure at startup. */
function adviceOn(error: unknown): string {
  if (!(error instanceof SlackCallError) || error.failure !== "refused")
    return "no action yet: the call is retried; if it keeps failing, check that Slack and SLACK_API_URL are reachable";
  const need = needs.get(error.method) ?? "the tokens of the app";
  return `Slack refuses this permanently with ${error.code}: check ${need}; then restart`;
}
