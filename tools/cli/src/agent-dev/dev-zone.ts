import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { createApiClient } from "../api/api-client.ts";
import { UnreachableError } from "../api/send.ts";
import { type Session, UsageError, zoneAddress } from "../program/session.ts";
import { freePort, isFree } from "./open-agent.ts";
import { runChild } from "./start-agent.ts";

interface LocalOptions {
  /** The agent's folder, whose `@crosszone/local` is used if it is installed. */
  readonly folder: string;
  /** Ends the start. */
  readonly signal: AbortSignal;
}

/** How long the zones have to start and to stop, milliseconds. */
const readyMs = 180_000;
const stopMs = 15_000;

/**
 * Starts both zones and a local Slack for one run of the command, in a temporary folder, on its usual ports or on free ones: this repository's, or `@crosszone/local` of the author's
 * folder. Rejects with a `UsageError` when there is neither, with an `UnreachableError` and its last lines when it does not start.
 */
async function startLocal(session: Session, { folder, signal }: LocalOptions) {
  const [command, ...args] = session.localCrosszone ?? commandIn(folder);
  const home = mkdtempSync(join(tmpdir(), "crosszone-local-"));
  mkdirSync(join(home, "workflows"));
  writeFileSync(join(home, "execution.yaml"), "agents: []\n");
  const { env } = session;
  const [execution, verification, slack] = [
    await portOf(env["EXECUTION_PORT"], 4_000),
    await portOf(env["VERIFICATION_PORT"], 3_000),
    await portOf(env["DEV_SLACK_PORT"], 3_100),
  ];
  const token = randomBytes(32).toString("base64url");
  // With a real Slack's tokens, it would connect to that.
  const own = Object.entries(env).filter(
    ([name]) => !/^((SLACK|AGENTS?|WORKFLOWS|DATABASE|KAFKA)_|(EXECUTION|VERIFICATION)_FILE$)/.test(name),
  );
  const child = runChild({
    command,
    args,
    isShell: false,
    cwd: home,
    stopMs,
    onLine: () => undefined,
    env: {
      ...Object.fromEntries(own),
      EXECUTION_PORT: String(execution),
      VERIFICATION_PORT: String(verification),
      DEV_SLACK_PORT: String(slack),
      ADMIN_TOKENS: token,
    },
  });
  const stop = async (): Promise<void> => {
    await child.stop();
    rmSync(home, { recursive: true, force: true });
  };
  const urls = [`${execution}/readyz`, `${verification}/readyz`, `${slack}/healthz`];
  const early = child.ended.then((what) => `The local Crosszone ${what}`);
  const late = isUp(urls, AbortSignal.any([signal, AbortSignal.timeout(readyMs)])).then((up) =>
    up ? undefined : signal.aborted ? "The start was stopped" : "The local Crosszone is not ready after three minutes",
  );
  const problem = await Promise.race([early, late]);
  if (problem === undefined)
    return { url: `http://127.0.0.1:${execution}`, token, slackUrl: `http://127.0.0.1:${slack}`, stop };
  await stop();
  throw new UnreachableError([`${problem}. Its last lines:`, ...child.lastLines()].join("\n  "));
}

async function isUp(places: readonly string[], signal: AbortSignal): Promise<boolean> {
  for (const place of places)
    while (!(await answersOk(`http://127.0.0.1:${place}`))) {
      if (signal.aborted) return false;
      await delay(100);
    }
  return true;
}

const answersOk = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    async ({ ok, body }) => {
      await body?.cancel();
      return ok;
    },
    () => false,
  );

function commandIn(folder: string): readonly [string, ...string[]] {
  try {
    const manifest = createRequire(join(folder, "agent.js")).resolve("@crosszone/local/package.json");
    return [process.execPath, join(dirname(manifest), "bin/crosszone-local.js")];
  } catch {
    throw new UsageError(
      `${folder} has no @crosszone/local, which runs both zones and a local Slack. Set CROSSZONE_URL and CROSSZONE_TOKEN to a running zone, or use ./crosszone in a clone of https://github.com/crosszone/crosszone.`,
    );
  }
}

/** The port that the environment names; otherwise the usual one, or a free one when that is in use. */
async function portOf(named: string | undefined, usual: number): Promise<number> {
  if (named) return Number(named);
  return (await isFree(usual)) ? usual : freePort();
}

/** The zone that the agent is registered at. No local Slack may run for it. */
export type DevZone = Awaited<ReturnType<typeof findZone>>;

/**
 * Returns the zone that the environment names, as other commands find it, or starts a local Crosszone. Throws a `UsageError` when a zone
 * runs but its token is missing, a `RefusedError` when it does not accept the token, and what `startLocal` throws when none can be started.
 */
export async function findZone(session: Session, write: (line: string) => void, options: LocalOptions) {
  const { env } = session;
  if (env["CROSSZONE_TOKEN"]) {
    const api = session.api();
    const running = await api.call("listAgents", { limit: 1 }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof UnreachableError) return false;
        throw error;
      },
    );
    const slackUrl = `http://127.0.0.1:${env["DEV_SLACK_PORT"] || 3_100}`;
    const hasSlack = running && (await answersOk(`${slackUrl}/control/workspace`));
    if (running) return { api, slackUrl: hasSlack ? slackUrl : undefined, stop: () => Promise.resolve() };
  } else if (await answersOk(`${env["CROSSZONE_URL"] || "http://127.0.0.1:4000"}/readyz`))
    throw new UsageError("A Crosszone is running, but CROSSZONE_TOKEN is not set. Set it to one of its tokens.");
  write("Starting a local Crosszone…");
  const local = await startLocal(session, options);
  const address = zoneAddress({ CROSSZONE_URL: local.url, CROSSZONE_TOKEN: local.token });
  return { api: createApiClient(address), slackUrl: local.slackUrl, stop: local.stop };
}
