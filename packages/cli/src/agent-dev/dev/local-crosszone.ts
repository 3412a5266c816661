import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { packageVersion } from "@crosszone/service-kit/modules";
import type { Session } from "../../program/session.ts";
import { freePort, isFree } from "../child/open-agent.ts";
import { runChild } from "../child/run-child.ts";

/** Both zones and a local Slack, started for one run of the command. */
export interface LocalCrosszone {
  /** URL and admin token of the execution zone. */
  readonly url: string;
  readonly token: string;
  readonly slackUrl: string;
  readonly stop: () => Promise<void>;
}

export interface LocalOptions {
  /** The agent's folder, whose `@crosszone/local` is used if it is installed. */
  readonly folder: string;
  /** Ends the start. */
  readonly signal: AbortSignal;
}

/** How long the zones have to start and to stop, milliseconds. npx may have to download them first. */
const readyMs = 180_000;
const stopMs = 15_000;

/**
 * Starts a local Crosszone in a temporary folder, on its usual ports or on free ones: this repository's, `@crosszone/local` of the author's
 * folder, or that of npm. Rejects with an error that has its last lines when it does not start.
 */
export async function startLocal(session: Session, { folder, signal }: LocalOptions): Promise<LocalCrosszone> {
  const home = mkdtempSync(join(tmpdir(), "crosszone-local-"));
  mkdirSync(join(home, "workflows"));
  writeFileSync(join(home, "agents.yaml"), "agents: []\n");
  const { env } = session;
  const [execution, verification, slack] = [
    await portOf(env["EXECUTION_PORT"], 4_000),
    await portOf(env["VERIFICATION_PORT"], 3_000),
    await portOf(env["DEV_SLACK_PORT"], 3_100),
  ];
  const token = randomBytes(32).toString("base64url");
  const [command, ...args] = session.localCrosszone ?? commandIn(folder);
  // With a real Slack's tokens, it would connect to that.
  const own = Object.entries(env).filter(([name]) => !/^(SLACK|AGENTS?|WORKFLOWS|DATABASE|KAFKA)_/.test(name));
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
  throw new Error([`${problem}. Its last lines:`, ...child.lastLines()].join("\n  "));
}

async function isUp(places: readonly string[], signal: AbortSignal): Promise<boolean> {
  for (const place of places)
    while (!(await answersOk(`http://127.0.0.1:${place}`))) {
      if (signal.aborted) return false;
      await delay(100);
    }
  return true;
}

export const answersOk = (url: string): Promise<boolean> =>
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
    return ["npx", "-y", "-p", `@crosszone/local@^${packageVersion(import.meta.url)}`, "crosszone-local"];
  }
}

/** The port that the environment names; otherwise the usual one, or a free one when that is in use. */
async function portOf(named: string | undefined, usual: number): Promise<number> {
  if (named) return Number(named);
  return (await isFree(usual)) ? usual : freePort();
}
