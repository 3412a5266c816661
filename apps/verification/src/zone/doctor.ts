import {
  clockRow,
  failed,
  failedBy,
  type Finding,
  passed,
  reachableRow,
  readSettings,
  type DoctorRow,
  skipped,
  warned,
  zoneRows,
  type ZoneTable,
} from "@crosszone/ops/doctor";
import { readZoneSection, settingsDoctorRow } from "@crosszone/ops/settings";
import { databaseUrlOf, type Environment } from "@crosszone/service-kit";
import { inspectDatabase } from "@crosszone/sql";
import { WebClient } from "@slack/web-api";
import { verificationMigrations } from "../database.ts";
import type { AccessPolicy } from "../policy/rules.ts";
import { verificationSections } from "../policy/policy-section.ts";
import { readCallError } from "../slack/slack-call-error.ts";
import { slackOrigin, readManifest } from "../slack/slack-variables.ts";
import { createSdkLogger } from "../slack/token-clients.ts";
import { loadVerificationConfig, type VerificationConfig, verificationConfig } from "./config.ts";
import { linkRows } from "./link-rows.ts";
import { verificationTables } from "./tables.ts";

interface SlackAnswer {
  /** Slack's error code; `http_502`, `timeout` and the like without one. Absent if the call succeeded. */
  readonly error?: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The scopes of the token, if Slack returned them. */
  readonly scopes?: readonly string[];
}

const logger = createSdkLogger(() => undefined);
const once = { logger, timeout: 10_000, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true };

/** Calls a method of Slack's Web API once, within ten seconds. Never rejects. */
async function callSlack(
  slackApiUrl: string,
  method: string,
  { token, ...args }: Readonly<Record<string, string | undefined>>,
): Promise<SlackAnswer> {
  try {
    const body = await new WebClient(token, { ...once, slackApiUrl }).apiCall(method, args);
    return { body: { ...body }, scopes: body.response_metadata?.scopes };
  } catch (error) {
    return { error: readCallError(method, error).code, body: {} };
  }
}

/** Slack allows about fifty calls of a method a minute, so a longer list is checked in part. */
const mostTried = 40;

/** The lists of the policy, and how Slack looks up their ids. */
const listed = [
  ["teams", "team.info", "team"],
  ["channels", "conversations.info", "channel"],
  ["users", "users.info", "user"],
] as const;

/** Why the policy still denies an id that Slack knows: a member of Slack's answer, unless the policy allows it. */
const oddities: readonly [member: string, why: string, unless?: keyof AccessPolicy][] = [
  ["is_archived", "is archived"],
  ["is_ext_shared", "is shared, and shared channels are not allowed", "allow_shared_channels"],
  ["deleted", "is deactivated"],
  ["is_bot", "is a bot"],
  ["is_restricted", "is a guest, and guests are not allowed", "allow_guests"],
  ["is_ultra_restricted", "is a guest, and guests are not allowed", "allow_guests"],
];

/** Returns the rows that look up the teams, channels and users of the policy. */
const policyRows = (config: VerificationConfig, needs: readonly string[]): DoctorRow[] =>
  listed.map((list) => ({
    name: `allowed ${list[0]}`,
    needs,
    variables: ["VERIFICATION_FILE"],
    probe: (signal) => lookUp(list, config, signal),
  }));

/** Checks that Slack knows each listed team, channel or user, and that the policy allows them. */
async function lookUp(
  [list, method, argument]: (typeof listed)[number],
  config: VerificationConfig,
  signal: AbortSignal,
): Promise<Finding> {
  const { SLACK_API_URL: url, SLACK_BOT_TOKEN: token = "", VERIFICATION_FILE: paths } = config;
  const { value: policy } = await readZoneSection("verification", { paths, rows: verificationSections }, "policy");
  const ids = [...policy[`allowed_${list}`]].filter((id) => id !== "dm");
  if (ids.length === 0) return skipped("the list is empty");
  const [unknown, odd]: [string[], string[]] = [[], []];
  for (const id of ids.slice(0, mostTried)) {
    signal.throwIfAborted();
    const { error, body } = await callSlack(url, method, { token, [argument]: id });
    if (error?.endsWith("_not_found") === false) return skipped(`Slack rejects ${method}: ${error}`);
    const found = (body[argument] ?? {}) as Readonly<Record<string, unknown>>;
    const why = oddities.find(([member, , unless]) => found[member] === true && !(unless && policy[unless]))?.[1];
    const isOutside = found["is_member"] === false && found["is_im"] !== true;
    if (error) unknown.push(`Slack does not know ${id}: correct or remove it.`);
    else if (why ?? isOutside) odd.push(`${id} ${why ?? "does not have the app as a member"}.`);
  }
  const rest = ids.length > mostTried ? `; ${ids.length - mostTried} more were not checked` : "";
  if (unknown.length > 0)
    return failed(`${unknown.length} of ${ids.length} cannot be found${rest}`, ...unknown, ...odd);
  if (odd.length > 0) return warned(`${odd.length} of ${ids.length} are still denied${rest}`, ...odd);
  return passed(`Slack knows ${ids.length === 1 ? "the one" : `all ${ids.length}`}${rest}`);
}

const basics = "from Basic Information, App Credentials";
const oauthPage = "OAuth & Permissions of the app";

/** Returns the rows of Slack: its connection, the app's credentials and its permissions. */
function slackRows(config: VerificationConfig): DoctorRow[] {
  const { SLACK_API_URL: url, SLACK_APP_TOKEN: appToken } = config;
  const variables = ["SLACK_API_URL"];
  const peer = { variable: "SLACK_API_URL", whenDown: "Start the local Slack" };
  const { row, reached } = reachableRow({ name: "slack reachable", variables }, () => ({ ...peer, url }));
  const needs = ["slack reachable"];
  const own = config.SLACK_CLIENT_ID === undefined ? workspaceRows(config) : [oauthRow(config)];
  return [
    row,
    ...own,
    {
      // Only Slack's next event proves that the secret is right.
      name: "slack signing secret",
      variables: ["SLACK_SIGNING_SECRET", "SLACK_APP_TOKEN"],
      probe: () => {
        if (appToken !== undefined) return skipped("events come over Socket Mode");
        if (config.SLACK_SIGNING_SECRET?.startsWith("local-slack-only")) return passed("is that of the local Slack");
        if (/^[0-9a-f]{32}$/.test(config.SLACK_SIGNING_SECRET ?? ""))
          return passed("has the right format; Slack's first event will prove it");
        return warned("is not 32 hexadecimal digits, as Slack's are");
      },
      advice: `Copy the Signing Secret ${basics}, not the Client Secret or the Verification Token.`,
    },
    {
      name: "slack socket mode",
      needs,
      variables: ["SLACK_APP_TOKEN", "SLACK_API_URL"],
      // The returned URL is not used, and expires.
      probe: async () => {
        if (appToken === undefined) return skipped("SLACK_APP_TOKEN is not set: events come over HTTP");
        const { error } = await callSlack(url, "apps.connections.open", { token: appToken });
        if (error) return failedBy(error, `Slack rejects SLACK_APP_TOKEN: ${error}`);
        return passed("Slack opens a socket for SLACK_APP_TOKEN");
      },
      advice: {
        missing_scope: "Create an app-level token with the scope connections:write, in the app's Basic Information.",
        not_allowed_token_type: "Set SLACK_APP_TOKEN to the app-level token, which starts with xapp-.",
        forbidden_access: "Turn Socket Mode on in the app.",
        other: "Copy the app-level token again, from Basic Information of the app, and turn Socket Mode on.",
      },
    },
    reachableRow({ name: "slack files reachable", variables }, () => ({ ...peer, url: slackOrigin("files", url) })).row,
    clockRow({ name: "slack clock", needs }, reached, {
      peer: "Slack",
      limitSeconds: 300,
      consequence: "every event is refused as stale",
    }),
  ];
}

/** The row of an app that workspaces install. Slack checks the client before the code, so an invalid code is enough. */
const oauthRow = (config: VerificationConfig): DoctorRow => ({
  name: "slack oauth",
  needs: ["slack reachable"],
  variables: ["SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET", "SLACK_API_URL"],
  probe: async () => {
    const { SLACK_CLIENT_ID: client_id = "", SLACK_CLIENT_SECRET: client_secret = "" } = config;
    const args = { client_id, client_secret, code: "asked-by-the-doctor" };
    const { error = "" } = await callSlack(config.SLACK_API_URL, "oauth.v2.access", args);
    if (error === "invalid_code")
      return passed("Slack knows the app; each workspace that installs it gets its own token");
    if (/^(invalid_client_id|bad_client_secret)$/.test(error))
      return failedBy(error, `Slack rejects SLACK_CLIENT_ID: ${error}`);
    return warned(`Slack answered a test call with ${error}`);
  },
  // https://docs.slack.dev/reference/methods/oauth.v2.access#errors
  advice: {
    invalid_client_id: `Copy the Client ID again, ${basics}.`,
    bad_client_secret: `Copy the Client Secret again, ${basics}; not the Signing Secret.`,
    other: "Try again in a moment.",
  },
});

/** Returns the rows of the one workspace: its token, and what the token may do. */
function workspaceRows(config: VerificationConfig): DoctorRow[] {
  const { SLACK_API_URL: url, SLACK_BOT_TOKEN: token = "" } = config;
  // Slack's response to `auth.test`, for the rows that need it.
  let identity: SlackAnswer | undefined;
  const needs = ["slack token"];
  return [
    {
      name: "slack token",
      needs: ["slack reachable"],
      variables: ["SLACK_BOT_TOKEN", "SLACK_API_URL"],
      probe: async () => {
        identity = await callSlack(url, "auth.test", { token });
        const { error, body } = identity;
        if (error) return failedBy(error, `Slack rejects SLACK_BOT_TOKEN: ${error}`);
        if (typeof body["bot_id"] !== "string") return failedBy("no_bot", "SLACK_BOT_TOKEN is not a bot token");
        const [team, team_id, user, user_id] = ["team", "team_id", "user", "user_id"].map((key) => String(body[key]));
        return passed(`team ${team} (${team_id}), bot ${user} (${user_id})`);
      },
      // https://docs.slack.dev/reference/methods/auth.test#errors
      advice: {
        no_bot: "Use the token that starts with xoxb-.",
        invalid_auth: `Copy the Bot User OAuth Token again, from ${oauthPage}.`,
        token_revoked: "Install the app again, and copy its new token.",
        token_expired: "Token rotation is on for this app: turn it off in the manifest, and install the app again.",
        account_inactive: "The app was removed from the workspace, or its installer left: install it again.",
        org_login_required: "The workspace is being moved into an organization: try again later.",
        ratelimited: "Try again in a minute.",
        other: "Check https://status.slack.com, then try again.",
      },
    },
    { name: "slack scopes", needs, probe: () => judgeScopes(identity?.scopes) },
    {
      name: "slack app id",
      needs,
      variables: ["SLACK_APP_ID"],
      probe: () => judgeAppId(config, String(identity?.body["bot_id"])),
    },
    ...policyRows(config, needs),
  ];
}

/** Compares the token's scopes with those of the manifest. */
function judgeScopes(granted: readonly string[] | undefined): Finding {
  if (granted === undefined) return skipped("Slack did not return the token's scopes");
  const { bot, optional } = readManifest().scopes;
  const missing = bot.filter((scope) => ![...granted, ...optional].includes(scope));
  const more = granted.filter((scope) => ![...bot, ...optional].includes(scope));
  const counted = ({ length }: readonly string[]): string => (length === 1 ? "1 scope" : `${length} scopes`);
  const remove = more.length > 0 ? [`Remove what Crosszone does not need in ${oauthPage}: ${more.join(", ")}.`] : [];
  const add = `Add what is missing in ${oauthPage}, or use slack-app-manifest.json, and reinstall the app.`;
  if (missing.length > 0) return failed(`${counted(missing)} missing: ${missing.join(", ")}`, add, ...remove);
  if (more.length > 0) return warned(`${counted(more)} more than needed: ${more.join(", ")}`, ...remove);
  return passed(`all ${granted.length} scopes of the manifest`);
}

/** Checks that the tokens belong to the configured app. An app-level token contains its app's id. */
async function judgeAppId(config: VerificationConfig, bot: string): Promise<Finding> {
  const { SLACK_API_URL: url, SLACK_BOT_TOKEN: token = "", SLACK_APP_TOKEN: appToken = "", SLACK_APP_ID: set } = config;
  // It needs the scope `users:read`, which an app may not have.
  const { error, body } = await callSlack(url, "bots.info", { token, bot });
  const told = (body["bot"] as { app_id?: string } | undefined)?.app_id;
  const inToken = /^xapp-\d+-(A[A-Z0-9]+)-/.exec(appToken)?.[1];
  const real = told ?? inToken;
  if (told && inToken && told !== inToken)
    return failed(`SLACK_BOT_TOKEN is of app ${told}, SLACK_APP_TOKEN of ${inToken}`, "Use both tokens of one app.");
  if (set === undefined && told !== undefined) return passed(`${told}, as returned by Slack`);
  if (set === undefined)
    return warned(
      "SLACK_APP_ID is not set and Slack does not return it: events of any app with this signing secret are accepted",
      `Set SLACK_APP_ID${real === undefined ? "" : ` to ${real}`}, or give the app the scope users:read.`,
    );
  if (real === undefined) return skipped(`Slack does not return the token's app id (${error ?? "none"})`);
  if (real === set) return passed(set);
  const says = `SLACK_APP_ID is ${set}, but the token belongs to app ${real}: every event is refused`;
  return failed(says, `Set SLACK_APP_ID to ${real}, or use the token of app ${set}.`);
}

/** The scopes that list each type of conversations. */
const scopesOf = new Map([
  ["im", "im:read"],
  ["public_channel", "channels:read"],
  ["private_channel", "groups:read"],
  ["mpim", "mpim:read"],
]);

const ofSweeps = `select team_id as installation, channel as place, refused as what from sweep_channel where refused is not null
  union all select id, '', scopes from installation order by 1, 2 limit 200`;

/** Says which installations lack scopes, and what Slack did not show when messages of an outage were read back. */
async function judgeHistory(config: VerificationConfig): Promise<Finding> {
  const database = { url: databaseUrlOf(config, "verification"), schema: "verification" };
  const found = await inspectDatabase({ ...database, migrations: verificationMigrations, read: ofSweeps });
  const { bot } = readManifest().scopes;
  const todo = (found?.rows ?? []).flatMap(({ installation, place, what }) => {
    const id = String(installation);
    if (place === "") {
      const missing = bot.filter((scope) => !String(what).split(",").includes(scope));
      return missing.length === 0 ? [] : [`Install the app again in ${id}, which lacks ${missing.join(", ")}.`];
    }
    if (what !== "missing_scope")
      return [`Slack does not show the history of ${String(place)} in ${id}: ${String(what)}.`];
    const scope = scopesOf.get(String(place)) ?? "a scope for history";
    return [`Install the app again in ${id}: it lacks ${scope} for ${String(place)}.`];
  });
  if (todo.length > 0) return warned("messages of an outage can't all be found", ...todo);
  return passed("Slack shows what was written during an outage");
}

/** Returns the table of the verification zone, for a configuration that may have any errors. */
export function verificationDoctor(env: Environment): ZoneTable {
  const { row, values: config, files, skip } = readSettings(verificationConfig, loadVerificationConfig, env);
  const rows = [
    row,
    settingsDoctorRow("verification", { paths: config.VERIFICATION_FILE, rows: verificationSections }),
    ...slackRows(config),
    ...linkRows(config, files),
    ...zoneRows(config, {
      zone: "verification",
      migrations: verificationMigrations,
      tables: verificationTables,
      listensAt: () => ({ host: config.VERIFICATION_HOST, port: config.VERIFICATION_PORT, usesTls: false }),
    }),
    {
      name: "slack history",
      needs: ["database reachable"],
      variables: ["DATABASE_URL", "DATA_DIR"],
      probe: () => judgeHistory(config),
    },
  ];
  return { title: "Verification zone", skip, rows };
}
