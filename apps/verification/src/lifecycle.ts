import type { RequestListener } from "node:http";
import type { Emit } from "@crosszone/service-kit";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { VerificationEvent } from "@crosszone/telemetry";
import { retry, type RetryOptions } from "@crosszone/service-kit/timing";
import type { Commands } from "./answering/commands/create-commands.ts";
import { startWorkers, type Workers, type WorkersDeps } from "./answering/workers.ts";
import type { VerificationDeps } from "./deps.ts";
import { installPath } from "./edge/install/install-pages.ts";
import { createSlackConnection, type SlackConnection } from "./edge/slack-connection.ts";
import { policyInWords } from "./policy/policy-in-words.ts";
import { SlackCallError } from "./slack/slack-call-error.ts";
import type { IsForApp, Workspaces } from "./workspaces/workspaces.ts";

interface KeepOpenOptions extends RetryOptions {
  readonly open: () => Promise<unknown>;
  /** Called with false when opening starts, with true when it is open. */
  readonly onChange: (isOpen: boolean) => void;
}

/**
 * Returns a function that opens something that can be lost, and retries until it is open. Call it at the start and after each loss. It
 * never rejects: when `signal` aborts, it resolves without opening.
 */
function keepOpen({ open, onChange, ...retrying }: KeepOpenOptions): () => Promise<void> {
  return async () => {
    onChange(false);
    try {
      await retry(open, retrying);
    } catch {
      return;
    }
    onChange(true);
  };
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

/** The running parts of the zone: its workers and its connection to Slack. */
export interface Lifecycle {
  /** Bolt's listener; undefined until Slack has identified this app, and with Socket Mode. */
  readonly listener: () => RequestListener | undefined;
  /** Identifies the app in Slack, starts the workers, then accepts events. Also resolves if `stop` is called first. */
  readonly start: () => Promise<void>;
  /** Accepts no further events, and gives open questions and commands `graceMs` milliseconds to end. */
  readonly stop: (graceMs: number) => Promise<void>;
}

export interface LifecycleParts {
  readonly workspaces: Workspaces;
  readonly isForApp: IsForApp;
  readonly commands: Commands;
  readonly workers: WorkersDeps;
  readonly tracer: Tracer;
  readonly emit: Emit<VerificationEvent>;
}

/** Starts and stops the zone's running parts in order. Events are accepted only while workers can process them. */
export function createLifecycle(deps: VerificationDeps, parts: LifecycleParts): Lifecycle {
  const { intake, clock, logger, health, limits, policy } = deps;
  const { workspaces, commands, emit } = parts;
  const stopping = new AbortController();
  let connection: SlackConnection | undefined;
  let workers: Workers | undefined;
  let isReady = false;
  health.addCheck("slack", () => (isReady ? undefined : "Slack has not identified this app yet"));

  async function connect(signal: AbortSignal): Promise<void> {
    logger.info("policy_in_force", policyInWords(policy.current()));
    const onRetry: RetryOptions["onRetry"] = (failure, { attempt }) =>
      emit("slack_not_identified", { attempt: attempt - 1, advice: adviceOn(failure), failure });
    const retrying = { firstMs: 500, longestMs: 30_000, signal, clock, onRetry };
    const identity = await workspaces.open(retrying);
    // Slack may respond after the app was stopped; work that starts now would never be stopped.
    signal.throwIfAborted();
    const started = startWorkers(parts.workers);
    workers = started;
    const open = keepOpen({
      open: async () => intake.mode === "socket" && connection?.bolt.start(),
      onChange: (isOpen) => {
        isReady = isOpen;
        if (!isOpen) return;
        const { mode } = intake;
        if (identity !== undefined) emit("slack_identified", { ...identity, mode });
        else if (deps.workspaces.mode === "installed")
          emit("install_open", { url: new URL(installPath, deps.workspaces.installing.redirectUri).href, mode });
      },
      ...retrying,
    });
    connection = createSlackConnection({
      ...deps,
      ...parts,
      now: clock.now,
      mostWaiting: limits.policy.mostWaiting,
      ...(deps.workspaces.mode === "installed" && { installations: deps.workspaces.installations }),
      onAccepted: started.accepted,
      onLost: () => void open(),
    });
    await open();
  }

  return {
    listener: () => connection?.listener,
    start: () =>
      connect(stopping.signal).catch((error: unknown) => {
        if (!stopping.signal.aborted) throw error;
      }),
    stop: async (graceMs) => {
      stopping.abort(new Error("the app was stopped"));
      if (intake.mode === "socket") await connection?.bolt.stop();
      await Promise.all([workers?.stop(graceMs), commands.stop(graceMs)]);
    },
  };
}
