import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { agentSettings } from "./agent-settings.ts";
import { dataSettings } from "./data-folder.ts";
import { modelInUse, modelLines } from "./model-lines.ts";
import { halfSetNotice, slackSettings } from "./slack-settings.ts";

export interface Service {
  name: "execution" | "verification" | "dev-slack" | "dev-agents";
  port: number;
  /** The environment variable that sets the port. */
  variable: string;
  url: string;
  /** Responds with 200 when the service is ready. */
  readyPath: string;
}

export interface DevEnvironment {
  services: Service[];
  env: Record<string, string>;
  /** Whether events come from the local Slack; otherwise real Slack is connected. */
  localSlack: boolean;
  /** The file to write the sample agents to; undefined when they don't run. */
  samplesFile: string | undefined;
  /** The connected language model; undefined without one. */
  model: string | undefined;
  /** The lines about it, or how to connect one. */
  modelLines: readonly string[];
  /** Ignored settings, a sentence each. */
  notices: readonly string[];
}

/** Returns the services, ports and secrets of this run. The secrets exist only in this process and its children. */
export function devEnvironment(env: NodeJS.ProcessEnv): DevEnvironment {
  const settings = slackSettings(env);
  const localSlack = settings.state !== "complete";
  const services = servicesOf(env);
  const { execution, verification, devSlack, devAgents } = services;
  const data = dataSettings(env, { localSlack, port: verification.port });
  const agents = agentSettings(env, { localSlack, dataFolder: data.env.DATA_DIR });
  return {
    localSlack,
    samplesFile: agents.samplesFile,
    model: modelInUse(env),
    modelLines: modelLines(env),
    notices: [halfSetNotice(settings), data.notice].filter((notice) => notice !== undefined),
    services: [
      execution,
      verification,
      ...(localSlack ? [devSlack] : []),
      ...(agents.samplesFile === undefined ? [] : [devAgents]),
    ],
    env: {
      ...data.env,
      ...agents.env,
      ...adminTokens(env),
      VERIFICATION_VIEW_PORT: env["VERIFICATION_VIEW_PORT"] || String(verification.port + 10),
      ...linkEnv(services),
      ...(localSlack && localSlackEnv(services)),
      DEV_AGENTS_PORT: String(devAgents.port),
    },
  };
}

type Services = Readonly<Record<"execution" | "verification" | "devSlack" | "devAgents", Service>>;

function servicesOf(env: NodeJS.ProcessEnv): Services {
  const service = (name: Service["name"], variable: string, fallback: string): Service => {
    const port = readPort(variable, env[variable] ?? fallback);
    const readyPath = name.startsWith("dev-") ? "/healthz" : "/readyz";
    return { name, port, variable, url: `http://127.0.0.1:${port}`, readyPath };
  };
  return {
    execution: service("execution", "EXECUTION_PORT", "4000"),
    verification: service("verification", "VERIFICATION_PORT", "3000"),
    devSlack: service("dev-slack", "DEV_SLACK_PORT", "3100"),
    devAgents: service("dev-agents", "DEV_AGENTS_PORT", "3200"),
  };
}

/** Returns the settings of the zone link. Both zones are on this machine, so .env's settings for a link between machines do not apply. */
function linkEnv({ execution, verification }: Services): Record<string, string> {
  return {
    EXECUTION_PORT: String(execution.port),
    EXECUTION_CREDENTIALS: "bearer",
    CALLER_AUTH: "bearer",
    EXECUTION_TOKEN: randomBytes(32).toString("base64url"),
    EXECUTION_TOKEN_FILE: "",
    EXECUTION_CA_FILE: "",
    TLS_CERT_FILE: "",
    TLS_KEY_FILE: "",
    CALLER_TLS_CA_FILE: "",
    EXECUTION_URL: `${execution.url}/rpc`,
    VERIFICATION_PORT: String(verification.port),
    VERIFICATION_URL: verification.url,
    EXECUTION_PUBLIC_URL: execution.url,
  };
}

/** Returns the settings of the local Slack. It forwards the zone link unchanged and shows it in its traffic tab. */
function localSlackEnv({ execution, verification, devSlack }: Services): Record<string, string> {
  return {
    SLACK_SIGNING_SECRET: randomBytes(16).toString("hex"),
    SLACK_BOT_TOKEN: `xoxb-local-${randomBytes(18).toString("hex")}`,
    SLACK_API_URL: `${devSlack.url}/api/`,
    // .env may have part of a real app's settings, which do not apply to the local Slack.
    SLACK_APP_TOKEN: "",
    SLACK_APP_ID: "",
    SLACK_CLIENT_ID: "",
    SLACK_CLIENT_SECRET: "",
    SLACK_CLIENT_SECRET_FILE: "",
    SLACK_REDIRECT_URL: "",
    SLACK_BOT_TOKEN_FILE: "",
    SLACK_SIGNING_SECRET_FILE: "",
    SLACK_APP_TOKEN_FILE: "",
    EXECUTION_URL: `${devSlack.url}/tap/rpc`,
    AGENT_EXCHANGES_URL: `${devSlack.url}/control/agent-exchanges`,
    DEV_SLACK_PORT: String(devSlack.port),
    DEV_SLACK_EVENTS_URL: `${verification.url}/slack/events`,
    DEV_SLACK_UPSTREAM: execution.url,
    DEV_SLACK_MANIFEST: fileURLToPath(new URL("../../../apps/verification/slack-app-manifest.json", import.meta.url)),
  };
}

/** Returns the admin tokens: those in the environment, or a new one. */
function adminTokens(env: NodeJS.ProcessEnv): Record<string, string> {
  if (env["ADMIN_TOKENS"] || env["ADMIN_TOKENS_FILE"]) return {};
  return { ADMIN_TOKENS: randomBytes(32).toString("base64url") };
}

function readPort(variable: string, value: string): number {
  const port = Number(value);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    process.stderr.write(`${variable} must be a port, 1 to 65535; it is "${value}".\n`);
    process.exit(1);
  }
  return port;
}
