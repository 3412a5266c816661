import type { RequestListener } from "node:http";
import type { Health } from "@crosszone/service-kit";
import { retry, type RetryOptions } from "@crosszone/service-kit/timing";
import type { Commands } from "./answering/commands/create-commands.ts";
import type { Workers } from "./answering/workers.ts";
import type { InstallerOptions } from "./edge/install/create-installer.ts";
import { installPath } from "./edge/install/install-pages.ts";
import type { SlackConnection, SlackIntake } from "./edge/slack-connection.ts";
import { policyInWords } from "./policy/policy-in-words.ts";
import type { SlackIdentity } from "./slack/slack-api.ts";
import { SlackCallError } from "./slack/slack-call-error.ts";
import type { Workspaces } from "./workspaces/workspaces.ts";
import type { ZoneParts } from "./workspaces/zone-parts.ts";

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

interface LifecycleOptions extends Pick<ZoneParts, "policy" | "clock" | "emit"> {
  readonly intake: SlackIntake;
  readonly workspaces: Workspaces;
  readonly commands: Commands;
  readonly startWorkers: () => Workers;
  /** Connects to Slack. `onLost` is called when the socket closes unexpectedly. */
  readonly connect: (workers: Workers, onLost: () => void) => SlackConnection;
  /** The install flow; absent with a single workspace. */
  readonly installing?: InstallerOptions;
  readonly health: Health;
}

/** Starts and stops the zone's running parts in order. Events are accepted only while workers can process them. */
export function createLifecycle(options: LifecycleOptions): Lifecycle {
  const { intake, workspaces, commands, policy, clock, health, emit } = options;
  const stopping = new AbortController();
  let connection: SlackConnection | undefined;
  let workers: Workers | undefined;
  let isReady = false;
  health.addCheck("slack", () => (isReady ? undefined : "Slack has not identified this app yet"));

  async function connect(signal: AbortSignal): Promise<void> {
    emit("policy_in_force", policyInWords(policy.current()));
    const onRetry: RetryOptions["onRetry"] = (failure, { attempt }) =>
      emit("slack_not_identified", { attempt: attempt - 1, advice: adviceOn(failure), failure });
    const retrying = { firstMs: 500, longestMs: 30_000, signal, clock, onRetry };
    const identity = await workspaces.open(retrying);
    // Slack may respond after the app was stopped; work that starts now would never be stopped.
    signal.throwIfAborted();
    workers = options.startWorkers();
    // Called at the start, and each time the socket is lost. Never rejects: once `signal` aborts, it opens nothing.
    const open = async (): Promise<void> => {
      isReady = false;
      try {
        await retry(async () => intake.mode === "socket" && connection?.bolt.start(), retrying);
      } catch {
        return;
      }
      isReady = true;
      reportOpen(identity);
    };
    connection = options.connect(workers, () => void open());
    await open();
  }

  function reportOpen(identity: SlackIdentity | undefined): void {
    const { mode } = intake;
    const { installing } = options;
    if (identity !== undefined) emit("slack_identified", { ...identity, mode });
    else if (installing) emit("install_open", { url: new URL(installPath, installing.redirectUri).href, mode });
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
