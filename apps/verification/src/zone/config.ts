import { auditConstants, auditVariables } from "@crosszone/audit";
import {
  brokenRules,
  type ConfigProblem,
  type ConfigValues,
  constant,
  databaseWarnings,
  defineConfig,
  duration,
  type Environment,
  groupOf,
  isLoopback,
  loadConfig,
  type LoadedConfig,
  list,
  matching,
  oneOf,
  port,
  variable,
  wholeNumber,
  zoneProblems,
  zoneVariables,
  type ZoneVariables,
} from "@crosszone/service-kit";
import { z } from "zod";
import { redirectPath } from "../edge/install-pages.ts";
import { authVariables, linkVariables } from "../link/link-variables.ts";
import { checkLink } from "../link/transports.ts";
import { isSlackApi, slackVariables } from "../slack/slack-variables.ts";

/** What no operator of the verification zone needs to change. @public */
export const verificationConstants = {
  WARM_UP_MS: constant(1_500, "ms")`
    Time in which a process with NODE_ENV=production warms up before it is ready.`,
  WARM_UP_QUESTIONS: constant(300, "questions")`
    Questions of the warm-up. Their database, Slack and execution zone are inside the process.`,
  POLL_WAIT_MS: constant(20_000, "ms")`
    Time that one poll waits for an answer. Proxies and load balancers cut responses after 30 s or more.`,
  EXECUTION_TIMEOUT_MS: constant(30_000, "ms")`
    Time for execution to answer one call, in addition to a long poll.`,
  EXECUTION_RETRY_BUDGET_MS: constant(60_000, "ms")`
    Time for retries of one call to execution. A restart of execution takes less.`,
  MAX_EVENT: constant(1_048_576, "bytes")`Body of a request from Slack. Slack's own events are far smaller.`,
  MAX_INBOX: constant(10_000, "questions")`Questions that can wait. Beyond this, Slack has to send events again later.`,
  INBOX_LEASE_MS: constant(10_000, "ms")`
    Lease on a question. Another process takes over the questions of a crashed one after this time.`,
  INBOX_ATTEMPTS: constant(8, "attempts")`
    Attempts, with growing pauses, to answer a question before it is parked for an operator.`,
  PARKED_RETENTION_MS: constant(2_592_000_000, "ms")`Time that a parked question is kept for an operator: 30 days.`,
  DELIVERY_BUDGET_MS: constant(300_000, "ms")`
    Time for retries of one message to Slack. Longer outages count as attempts of the question.`,
  SHOW_WORK_AFTER_MS: constant(300, "ms")`
    A question that takes longer gets a status and a placeholder, or a stream. The answer to a faster one is posted as it is.`,
  SLACK_LOOKUP_TIMEOUT_MS: constant(2_000, "ms")`
    Time for Slack to describe a person or a channel. After that, verification denies the question.`,
  THREAD_MESSAGES_PER_HOUR: constant(60, "messages")`
    Messages per thread and hour, including one burst of this size. It ends loops between two bots.`,
  CHANNEL_RATE_FACTOR: constant(3, "times")`Messages per channel and minute, as a multiple of MESSAGES_PER_MINUTE.`,
  TEAM_RATE_FACTOR: constant(15, "times")`Messages per workspace and minute, as a multiple of MESSAGES_PER_MINUTE.`,
  MAX_WAITING_PER_THREAD: constant(5, "questions")`
    Questions that can wait in one thread. Verification refuses the next one.`,
  MAX_QUESTION_CHARACTERS: constant(20_000, "characters")`
    Characters of one question. People attach longer texts as files.`,
  MAX_FILES: constant(10, "files")`Files of one message: as many as Slack itself accepts.`,
  MAX_FILE_READS: constant(40, "reads")`File reads for one question: each of its files and of its thread, twice.`,
  SOCKET_HELLO_MS: constant(15_000, "ms")`
    Time until a socket of Socket Mode has Slack's hello. After that, verification opens another.`,
  HEARTBEAT_MS: constant(10_000, "ms")`
    Time between two notes that verification receives events. A start reads what was written since the last one.`,
  SWEEP_PACE_MS: constant(2_000, "ms")`
    Time between two calls of one method when history is read back, and between two questions that are found there. Slack
    allows 50 calls a minute, and answers need some of them.`,
  MAX_SWEPT: constant(500, "questions")`
    Questions that one sweep of a workspace answers, the newest first. Others are listed as missed.`,
  MAX_FILES_AT_ONCE: constant(20, "files")`Files that one process reads at the same time. Bounds its memory.`,
};

/** Who can ask, where, and how often. */
const policyVariables = {
  ...groupOf("Settings", {
    VERIFICATION_FILE: variable(list(z.string()).optional(), { example: "/etc/crosszone/verification.yaml" })`
      YAML file of the settings, or several. Its section policy says who can ask, where, and with which files. Edits apply without a
      restart. If unset, members of the workspace that installed the app can ask, except guests.`,
  }),
  ...groupOf("Limits for people", {
    MESSAGES_PER_MINUTE: variable(wholeNumber({ min: 1, max: 1_000_000 }), { default: "20" })`
      Messages per person and minute, including one burst of this size. A channel can send 3 times as many, a workspace
      15 times as many.`,
  }),
};

const days = 86_400_000;
const kept = duration({ min: days, max: 3_650 * days });

/** Where the zone listens, how it answers questions, what execution can read, and how long finished records are kept. */
const questionVariables = {
  ...groupOf("Listen", {
    VERIFICATION_HOST: variable(z.string().describe("a host name or address"), { default: "127.0.0.1" })`
      Address to listen on. Set 0.0.0.0 to accept requests from other machines.`,
    VERIFICATION_PORT: variable(port(), { default: "3000" })`Port to listen on.`,
    VERIFICATION_VIEW_PORT: variable(port().optional())`
      Port of the read-only API for \`crosszone audit\`. It takes execution's tokens. Off when unset.`,
  }),
  ...groupOf("Answers", {
    ANSWER_DEADLINE: variable(duration({ min: 1 }), { default: "11m" })`
      How long one question can take before verification cancels its task. Outages and waits do not count. Keep it above
      TASK_DEADLINE of execution.`,
  }),
  ...groupOf("Missed messages", {
    OPERATOR_CHANNEL: variable(matching(/^[CG][A-Z0-9]+$/, "the id of a channel", ", which starts with C").optional(), {
      example: "C0123456789",
    })`
      Slack channel that verification tells how many messages of an outage it can't answer. Invite the app there.`,
  }),
  ...groupOf("Capacity", {
    MAX_QUESTIONS: variable(wholeNumber({ min: 1 }), { default: "100" })`
      Questions that one process answers at the same time. Others wait. Keep it at or below MAX_RUNNING_TASKS of
      execution.`,
  }),
  ...groupOf("Files", {
    SLACK_TOKEN_FORWARDING: variable(oneOf(["handle", "real"]), { default: "handle" })`
      What execution gets as bot_token: a handle for the files of one task, or the real token. Avoid real.`,
  }),
  ...groupOf("Delete old data", {
    THREAD_RETENTION: variable(kept, { default: "30d" })`
      How long verification remembers a thread after its last message. In remembered threads, it answers without a
      mention.`,
  }),
};

/** Every variable and constant that the verification zone reads, in the order of the reference. */
export const verificationConfig = defineConfig({
  ...slackVariables,
  ...linkVariables,
  ...authVariables,
  ...policyVariables,
  ...questionVariables,
  ...zoneVariables,
  ...auditVariables,
  ...verificationConstants,
  ...auditConstants,
});

/** The values of the variables and constants. */
export type VerificationConfig = ConfigValues<typeof verificationConfig>;

/** Reads the variables, and checks what they mean together. Throws a `ConfigError` with every problem. */
export function loadVerificationConfig(env: Environment): LoadedConfig<typeof verificationConfig> {
  const { values, files, warnings } = loadConfig(verificationConfig, env, problemsBetween);
  return { values, files, warnings: [...warnings, ...databaseWarnings(values), ...slackWarnings(values)] };
}

/** Returns the problems between variables. Variables that could not be read are absent. */
function problemsBetween(config: Partial<VerificationConfig>): ConfigProblem[] {
  return [slackProblems, zoneProblems, checkLink].flatMap((check) => check(config));
}

type Config = ConfigValues<typeof slackVariables & typeof questionVariables & typeof policyVariables & ZoneVariables>;

/** Slack sends its code to this URL. */
const redirectExpected = `https: and a host, or a host on this machine, and the path ${redirectPath}`;
const slackExpected = "https://slack.com/api/, https://slack-gov.com/api/, or a host on this machine";
const bothWays =
  "is set, and so is SLACK_CLIENT_ID: keep SLACK_BOT_TOKEN for one workspace, or SLACK_CLIENT_ID for several";

/** The app serves one workspace by its token, or several by OAuth. Its token goes only to Slack, and events need one way in. */
function slackProblems(config: Partial<Config>): ConfigProblem[] {
  const { SLACK_BOT_TOKEN: botToken, SLACK_CLIENT_SECRET: secret, SLACK_REDIRECT_URL: redirect } = config;
  const { SLACK_API_URL: api, SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = config;
  const several = config.SLACK_CLIENT_ID !== undefined;
  const lacksWays = !several && !botToken && !secret && !redirect;
  const orphan = "is set, but SLACK_CLIENT_ID is not";
  const missing = "is not set, but SLACK_CLIENT_ID is";
  const fault = several && redirect !== undefined ? redirectFault(redirect) : undefined;
  return brokenRules([
    [lacksWays, "SLACK_BOT_TOKEN", "is not set, and neither is SLACK_CLIENT_ID"],
    [!several && secret !== undefined, "SLACK_CLIENT_SECRET", orphan],
    [!several && redirect !== undefined, "SLACK_REDIRECT_URL", orphan],
    [several && botToken !== undefined, "SLACK_BOT_TOKEN", bothWays],
    [several && secret === undefined, "SLACK_CLIENT_SECRET", missing],
    [several && redirect === undefined, "SLACK_REDIRECT_URL", missing],
    [several && config.DATA_KEYS === undefined, "DATA_KEYS", missing],
    [fault !== undefined, "SLACK_REDIRECT_URL", fault ?? "", redirectExpected],
    [several && isForwarded(config), "SLACK_TOKEN_FORWARDING", "is real, which SLACK_CLIENT_ID does not allow"],
    [!appToken && !signingSecret, "SLACK_SIGNING_SECRET", "is not set, and neither is SLACK_APP_TOKEN"],
    [api !== undefined && !isSlackApi(api), "SLACK_API_URL", "is not an address of Slack", slackExpected],
  ]);
}

const isForwarded = ({ SLACK_TOKEN_FORWARDING: forwarding }: Partial<Config>): boolean => forwarding === "real";

function redirectFault(redirect: string): string | undefined {
  const { protocol, hostname, pathname, search, hash, username } = new URL(redirect);
  if (protocol !== "https:" && !isLoopback(hostname)) return "uses http: to another machine";
  const isOurs = pathname === redirectPath && search === "" && hash === "" && username === "";
  return isOurs ? undefined : "does not lead to the install page of this zone";
}

/** Warns if execution gets the bot's token, and if no workspace can install the app. */
function slackWarnings(config: Config): string[] {
  const isClosed = config.SLACK_CLIENT_ID !== undefined && config.VERIFICATION_FILE === undefined;
  return [
    isForwarded(config) &&
      "SLACK_TOKEN_FORWARDING=real sends the bot token to execution with every task. Anyone who reads it there can act as the app. Set it to handle once the peer supports handles.",
    isClosed &&
      "VERIFICATION_FILE is not set: with SLACK_CLIENT_ID, no workspace can install the app. List those that can in allowed_teams of its section policy.",
  ].filter((warning) => warning !== false);
}
