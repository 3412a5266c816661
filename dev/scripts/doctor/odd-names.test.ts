import { expect, test } from "vitest";
import { executionConfig } from "../../../apps/execution/src/zone/config/variables.ts";
import { verificationConfig } from "../../../apps/verification/src/zone/config.ts";
import { variablesOf } from "../../../packages/service-kit/src/config/definition.ts";
import { readConfig } from "../../../packages/service-kit/src/config/load-config.ts";

const zones = [executionConfig, verificationConfig];
const names = zones.map((zone) => variablesOf(zone).map(([name]) => name));
const known = new Set(names.flat());
const warningsOf = (zone: (typeof zones)[number], set: readonly string[]): readonly string[] =>
  readConfig(zone, Object.fromEntries(set.map((name) => [name, "1"]))).warnings;

/** Returns each name that one slip of a finger makes of a name. */
function slipsOf(name: string): string[] {
  return Array.from(name).flatMap((_, index) => {
    const [before, letter, after] = [name.slice(0, index), name[index] ?? "", name.slice(index + 1)];
    return [
      before + after,
      before + letter + letter + after,
      `${before}Q${after}`,
      before + after.slice(0, 1) + letter + after.slice(1),
    ];
  });
}

test("J12: each slip of a finger in a name is named, with the variable", () => {
  for (const [index, zone] of zones.entries())
    for (const name of names[index] ?? []) {
      const slips = slipsOf(name).filter((slip) => !known.has(slip) && slip !== "MODE" && !slip.startsWith("_"));
      const warnings = warningsOf(zone, slips);
      for (const slip of new Set(slips)) expect(warnings).toContainEqual(expect.stringContaining(`${slip} `));
    }
});

test.each([
  ["SLAKC_BOT_TOKNE", "SLACK_BOT_TOKEN"],
  ["SLACKBOT_TOKENS", "SLACK_BOT_TOKEN"],
  ["MESSAGE_PER_MINUTES", "MESSAGES_PER_MINUTE"],
  ["slack_bot_token", "SLACK_BOT_TOKEN"],
  ["LOG_LVL", "LOG_LEVEL"],
  ["DTA_DRI", "DATA_DIR"],
  ["DATABASE_URI", "DATABASE_URL"],
  ["MODLE", "MODEL"],
])("J12: %s is named as %s", (given, meant) => {
  expect(zones.flatMap((zone) => warningsOf(zone, [given]))).toContain(
    `${given} is not a known variable. Did you mean ${meant}?`,
  );
});

test.each([
  ["USER_MESSAGES_PER_MINUTE", "Use MESSAGES_PER_MINUTE"],
  ["MCP_SERVERS", "Use EXECUTION_FILE"],
  ["EXECUTION_JWT_JWKS_URL", "Use CALLER_JWT_JWKS"],
  ["CALLER_JWT_JWKS_URL", "Use CALLER_JWT_JWKS"],
  ["KAFKA_PASSWORD", "Use KAFKA_PROPERTIES_FILE"],
  ["ANSWER_DEADLINE_MS", "Use ANSWER_DEADLINE"],
])("J12: both zones say that %s is gone: %s, which exists", (name, use) => {
  expect(known).toContain(use.slice(4));
  for (const zone of zones) expect(warningsOf(zone, [name])).toEqual([`${name} is gone. ${use}.`]);
});

test("J12: a value that is fixed is named", () => {
  const fixed = (name: string) => `${name} has no effect: its value is fixed. Remove it.`;
  const set = ["STREAM_ANSWERS", "MAX_BODY", "STOP_GRACE", "MODEL_STEPS"];
  expect(warningsOf(executionConfig, set)).toEqual(set.map(fixed));
});

/** Environments that a zone can be started in: shells, hosts, clouds, and variables of programs beside it. */
const ordinary = `
  HOME PATH PWD OLDPWD LANG LC_ALL LC_CTYPE TERM USER SHELL HOSTNAME SHLVL LOGNAME MAIL EDITOR VISUAL PAGER TZ DISPLAY TMPDIR TMP TEMP HOST NODE
  CODE MODE LESS LS_COLORS SSH_AUTH_SOCK SSH_CONNECTION SSH_CLIENT SSH_TTY XDG_DATA_DIRS XDG_RUNTIME_DIR XDG_CONFIG_DIRS DBUS_SESSION_BUS_ADDRESS
  NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS NODE_PATH NODE_VERSION YARN_VERSION NPM_CONFIG_LOGLEVEL npm_config_loglevel npm_execpath PNPM_HOME
  INIT_CWD CI DEBUG COLORTERM FORCE_COLOR NO_COLOR HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy ALL_PROXY SSL_CERT_FILE
  SSL_CERT_DIR GITHUB_ACTIONS GITHUB_TOKEN GITHUB_REPOSITORY GITHUB_API_URL GITHUB_SERVER_URL RUNNER_OS RUNNER_TEMP KUBERNETES_SERVICE_HOST
  KUBERNETES_SERVICE_PORT KUBERNETES_SERVICE_PORT_HTTPS KUBERNETES_PORT KUBERNETES_PORT_443_TCP KUBERNETES_PORT_443_TCP_ADDR POD_NAME POD_IP
  POD_NAMESPACE NODE_NAME EXECUTION_SERVICE_HOST EXECUTION_SERVICE_PORT EXECUTION_PORT_4000_TCP VERIFICATION_SERVICE_HOST POSTGRES_PASSWORD
  POSTGRES_USER POSTGRES_DB POSTGRES_HOST PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGSSLMODE DATABASE_HOST DATABASE_USER DATABASE_NAME
  DATABASE_PORT DATABASE_PASSWORD DB_URL DB_HOST REDIS_URL AWS_REGION AWS_DEFAULT_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN
  AWS_PROFILE AWS_ROLE_ARN AWS_ROLE_SESSION_NAME AWS_WEB_IDENTITY_TOKEN_FILE AWS_EXECUTION_ENV AWS_ENDPOINT_URL AWS_ENDPOINT_URL_BEDROCK_RUNTIME
  AWS_BEARER_TOKEN_BEDROCK AWS_CONTAINER_CREDENTIALS_RELATIVE_URI ECS_CONTAINER_METADATA_URI_V4 K_SERVICE K_REVISION K_CONFIGURATION
  GOOGLE_CLOUD_PROJECT GOOGLE_APPLICATION_CREDENTIALS GCE_METADATA_HOST GCE_METADATA_IP CLOUDSDK_CONFIG AZURE_CLIENT_ID AZURE_TENANT_ID
  AZURE_CLIENT_SECRET AZURE_FEDERATED_TOKEN_FILE AZURE_AUTHORITY_HOST AZURE_POD_IDENTITY_AUTHORITY_HOST IDENTITY_ENDPOINT IDENTITY_HEADER
  MSI_ENDPOINT MSI_SECRET CONTAINER_APP_NAME CONTAINER_APP_REVISION CONTAINER_APP_PORT FOUNDRY_PROJECT_ENDPOINT OTEL_SERVICE_NAME
  OTEL_RESOURCE_ATTRIBUTES OTEL_EXPORTER_OTLP_ENDPOINT OTEL_EXPORTER_OTLP_PROTOCOL OTEL_EXPORTER_OTLP_TRACES_ENDPOINT OTEL_EXPORTER_OTLP_TIMEOUT
  OTEL_EXPORTER_OTLP_COMPRESSION OTEL_TRACES_EXPORTER OTEL_TRACES_SAMPLER OTEL_METRICS_EXPORTER OTEL_LOGS_EXPORTER OTEL_PROPAGATORS OPENAI_ORG_ID
  OPENAI_ORGANIZATION OPENAI_PROJECT_ID OPENAI_API_BASE OPENAI_API_TYPE OPENAI_API_VERSION AZURE_OPENAI_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_MODEL
  GEMINI_API_KEY HF_TOKEN OLLAMA_HOST SLACK_WEBHOOK_URL SLACK_CHANNEL SLACK_TEAM_ID SLACK_USER_TOKEN INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET
  LISTEN_FDS MAINPID APP_URL API_URL BASE_URL APP_PORT API_PORT APP_FILE CA_FILE ENV_FILE PID_FILE LOG_FILE CACHE_DIR DATA_PATH CONFIG_FILE
  SECRET_KEY ADMIN_TOKEN_SECRET SENTRY_DSN GIT_SHA VERSION CROSSZONE_URL CROSSZONE_TOKEN CROSSZONE_LINK_TOKEN DEV_SLACK_PORT AGENTCORE_RUNTIME_ARN
`
  .trim()
  .split(/\s+/);

test("J12: ordinary variables, and those of the other zone, raise no alarm", () => {
  for (const zone of zones) {
    expect(warningsOf(zone, ordinary)).toEqual([]);
    expect(warningsOf(zone, [...known])).toEqual([]);
  }
});
