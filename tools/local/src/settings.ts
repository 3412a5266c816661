import { createHmac, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { resolve } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** The programs to run and the environment of each process. */
export interface Settings {
  readonly ports: Readonly<Record<"execution" | "verification" | "slack", number>>;
  /** Whether the local Slack runs; otherwise a real workspace is connected. */
  readonly localSlack: boolean;
  readonly dataDir: string;
  readonly adminToken: string;
  readonly execution: Env;
  readonly verification: Env;
  readonly slack: Env;
}

/** Agents that an author runs on this machine, on any port. */
const loopback = ["http://127.0.0.1:*", "http://localhost:*", "http://[::1]:*"];

/** Thrown when the environment can't work. The message says what to do. */
export class SettingsError extends Error {
  override readonly name: string = "SettingsError";
}

/**
 * Returns the settings of a folder with its environment. Each zone gets its own secrets only: execution has nothing of Slack, verification no
 * key of a model and no admin token.
 */
export function localSettings(env: Env, folder: string): Settings {
  const ports = {
    execution: portOf(env, "EXECUTION_PORT", 4000),
    verification: portOf(env, "VERIFICATION_PORT", 3000),
    slack: portOf(env, "DEV_SLACK_PORT", 3100),
  };
  const localSlack = !hasRealSlack(env);
  const urlOf = (port: number): string => `http://127.0.0.1:${port}`;
  const dataDir = resolve(folder, localSlack ? ".crosszone/local" : ".crosszone/real");
  const adminToken = env["ADMIN_TOKENS"]?.split(",")[0]?.trim() || randomBytes(32).toString("base64url");
  const link = { EXECUTION_TOKEN: env["EXECUTION_TOKEN"] || randomBytes(32).toString("base64url"), DATA_DIR: dataDir };
  const ofSlack = createHmac("sha256", env["DEV_SLACK_SECRET"] || randomBytes(32))
    .update("crosszone")
    .digest("hex");
  const slack = { SLACK_SIGNING_SECRET: ofSlack.slice(32), SLACK_BOT_TOKEN: `xoxb-local-${ofSlack.slice(0, 32)}` };
  const quiet = { LOG_LEVEL: env["LOG_LEVEL"] || "warn" };
  return {
    ports,
    localSlack,
    dataDir,
    adminToken,
    execution: {
      ...without(env, /^(SLACK_|DEV_SLACK_SECRET$)/),
      ...quiet,
      ...link,
      EXECUTION_PORT: String(ports.execution),
      ADMIN_TOKENS: adminToken,
      EXECUTION_FILE: filesOf(folder, env["EXECUTION_FILE"] || "execution.yaml"),
      AGENT_ORIGINS: [env["AGENT_ORIGINS"] || "https://*", ...loopback].join(","),
      WORKFLOWS_DIR: workflowsDir(env, folder),
      VERIFICATION_URL: urlOf(ports.verification),
      EXECUTION_PUBLIC_URL: urlOf(ports.execution),
      SHOW_AGENT_ERRORS: "true",
      ...(localSlack && { AGENT_EXCHANGES_URL: `${urlOf(ports.slack)}/control/agent-exchanges`, DATABASE_URL: "" }),
    },
    verification: {
      ...without(env, /^(ADMIN_TOKENS$|(AGENT|ANTHROPIC|OPENAI|AWS|CROSSZONE)_|EXECUTION_FILE$)/),
      ...quiet,
      ...link,
      VERIFICATION_PORT: String(ports.verification),
      VERIFICATION_FILE: filesOf(folder, env["VERIFICATION_FILE"] || ownPolicy(folder)),
      // The local Slack passes the zone link on unchanged, and shows it in its traffic tab.
      EXECUTION_URL: localSlack ? `${urlOf(ports.slack)}/tap/rpc` : `${urlOf(ports.execution)}/rpc`,
      ...(localSlack && { ...slack, SLACK_API_URL: `${urlOf(ports.slack)}/api/`, DATABASE_URL: "" }),
    },
    slack: {
      ...without(env, /^(ADMIN_TOKENS$|(AGENT|ANTHROPIC|OPENAI|AWS|CROSSZONE|EXECUTION|SLACK)_)/),
      ...slack,
      DATA_DIR: dataDir,
      DEV_SLACK_PORT: String(ports.slack),
      DEV_SLACK_EVENTS_URL: `${urlOf(ports.verification)}/slack/events`,
      DEV_SLACK_UPSTREAM: urlOf(ports.execution),
    },
  };
}

const filesOf = (folder: string, paths: string): string =>
  paths.replaceAll(/[^,]+/g, (path) => resolve(folder, path.trim()));

/** A folder needs no policy. */
const ownPolicy = (folder: string): string =>
  existsSync(resolve(folder, "verification.yaml")) ? "verification.yaml" : "";

export const workflowsDir = (env: Env, folder: string): string => resolve(folder, env["WORKFLOWS_DIR"] || "workflows");

function hasRealSlack(env: Env): boolean {
  const isSet = (name: string): boolean => Boolean(env[name]);
  const token = isSet("SLACK_BOT_TOKEN");
  const wayIn = isSet("SLACK_APP_TOKEN") || isSet("SLACK_SIGNING_SECRET");
  if (token === wayIn) return token;
  throw new SettingsError(
    token
      ? "SLACK_BOT_TOKEN is set, but neither SLACK_APP_TOKEN nor SLACK_SIGNING_SECRET is. Set one of them in .env, or remove SLACK_BOT_TOKEN to use the local Slack."
      : "SLACK_APP_TOKEN or SLACK_SIGNING_SECRET is set, but SLACK_BOT_TOKEN is not. Set it in .env, or remove the others to use the local Slack.",
  );
}

function portOf(env: Env, name: string, fallback: number): number {
  const port = Number(env[name] || fallback);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new SettingsError(`Expected a port from 1 to 65535 in ${name}, got "${env[name]}".`);
}

const without = (env: Env, names: RegExp): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.test(name)));
