import { randomBytes } from "node:crypto";
import { type AppendAudit, createAppendAudit } from "@crosszone/audit";
import type { NewSchedule } from "@crosszone/contracts";
import { commandDatabase } from "@crosszone/ops/data";
import {
  failed,
  type Finding,
  judgeCertificates,
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
import { createRecordCodec, databaseUrlOf, type Environment, vaultOf } from "@crosszone/service-kit";
import { inspectDatabase } from "@crosszone/sql";
import { z } from "zod";
import { findKeysUrl, fetchJson } from "../../doors/auth/jwt-auth.ts";
import { chooseListening } from "../../doors/host-profile.ts";
import { Fires } from "../../fires/fire-store.ts";
import { describeRefusals, readRefusals } from "../../fires/deliveries.ts";
import { readSchedules, whyNoAgents } from "../../fires/standing.ts";
import { createTokenStore } from "../../people/token-store.ts";
import { executionMigrations } from "../../store/migrations.ts";
import { type ExecutionDatabase, openExecutionDatabase } from "../../store/open-execution-database.ts";
import type { AskIssuer, AskSettings } from "../../tasks/ask/asker.ts";
import { callerAuthOf, createAuthenticator, serverTls } from "../config/callers.ts";
import { hasModel, loadExecutionConfig } from "../config/config.ts";
import { executionSections, type ReadSection } from "../config/sections.ts";
import { askVariables, callerVariables, executionConfig, type ExecutionConfig } from "../config/variables.ts";
import { agentRows } from "./agent-rows.ts";
import { consoleRows } from "./console-rows.ts";
import { executionTables, sealedOfTheZone } from "./data.ts";

/** https://www.rfc-editor.org/rfc/rfc7517#section-5 */
const keySet = z.object({ keys: z.array(z.object({ kty: z.string() })).min(1) });

/** Returns the rows of programs that ask: their listener, and which of them may. */
function askRows(config: ExecutionConfig, section: ReadSection): DoctorRow[] {
  const { ASK_PORT: port, ASK_URL: url } = config;
  const off = "ASK_PORT is not set: programs can't ask";
  return [
    {
      name: "ask listener",
      variables: [...Object.keys(askVariables), "HOST_PROFILE", "EXECUTION_HOST"],
      probe: () => {
        if (port === undefined) return skipped(off);
        return passed(`port ${port}, ${url ?? "only for programs on this machine, because ASK_URL is not set"}`);
      },
    },
    {
      name: "programs",
      variables: [...Object.keys(askVariables), "DATABASE_URL", "DATA_DIR"],
      probe: async () => (port === undefined ? skipped(off) : judgeAskers(config, await section("programs"))),
      advice: "List the programs in the section programs of EXECUTION_FILE.",
    },
  ];
}

async function judgeAskers(config: ExecutionConfig, { issuers, askers }: AskSettings): Promise<Finding> {
  if (askers.length === 0) return warned("no program may ask");
  const down = await Promise.all(issuers.map(issuerProblem));
  const todo = down.filter((problem) => problem !== undefined);
  if (todo.length > 0) return failed(`${todo.length} of ${issuers.length} issuers can't be used`, ...todo);
  const says = `${askers.length} programs, ${issuers.length} issuers`;
  const named = askers.flatMap(({ token }) => token ?? []);
  if (named.length === 0) return passed(says);
  const live = await liveTokens(config);
  if (live === undefined) return warned(`${says}; the zone has not created its database yet, so no token exists`);
  const missing = named.filter((name) => !live.includes(name));
  if (missing.length === 0) return passed(`${says}; each token exists`);
  const [first] = missing;
  return warned(
    `no live token with the scope ask is named ${missing.join(", ")}`,
    `Create it: crosszone tokens create --name ${first} --scope ask --expires 90d`,
  );
}

/** Returns the names of the live tokens with the scope `ask`; undefined without a database. */
const liveTokens = (config: ExecutionConfig): Promise<readonly string[] | undefined> =>
  readDatabase(config, async (database, append) => {
    const tokens = await createTokenStore(database, append).list();
    return tokens.filter(({ scopes }) => scopes.includes("ask")).map(({ name }) => name);
  });

/** Reads the database; returns undefined unless it is as this version needs it. Changes nothing. */
async function readDatabase<Read>(
  config: ExecutionConfig,
  read: (database: ExecutionDatabase, append: AppendAudit) => Promise<Read>,
): Promise<Read | undefined> {
  const url = databaseUrlOf(config, "execution");
  const inspected = await inspectDatabase({ url, schema: "execution", migrations: executionMigrations });
  if (inspected === undefined || inspected.pending.length > 0) return undefined;
  const database = await openExecutionDatabase({ url, ...commandDatabase });
  try {
    return await read(database, createAppendAudit({ engine: database.engine, codec: createRecordCodec(undefined) }));
  } finally {
    await database.close();
  }
}

/** How long verification may leave a fire before something is wrong, milliseconds. */
const longWaitMs = 600_000;

async function trySchedules(config: ExecutionConfig, listed: readonly NewSchedule[] = []): Promise<Finding> {
  const codec = createRecordCodec(vaultOf(config));
  const found = await readDatabase(config, (database) => readSchedules(database, codec, hasModel(config)));
  if (found === undefined) return passed(`${listed.length} in the settings; the zone has not created its database yet`);
  const { active, oldestDueMs, nextAt, broken, stopped, waiting, declined, costliest } = found;
  if (oldestDueMs > longWaitMs)
    return failed("fires wait for verification", "Start the verification zone, or look at its log: it takes them.");
  const next = nextAt === undefined ? [] : [`the next fires at ${nextAt}`];
  const cost = costliest === undefined ? [] : [`today's costliest is ${costliest.name}, $${costliest.usd.toFixed(2)}`];
  const says = [`${active} active`, ...next, ...cost, ...waiting].join("; ");
  const paused = [...stopped, ...declined];
  const counts = [...counted("can't work", broken), ...counted("paused by themselves or their owners", paused)];
  if (counts.length === 0) return passed(says);
  const fix = "crosszone schedules resume <name>, or change or remove it.";
  return warned([says, ...counts].join("; "), ...broken, ...paused, fix);
}

const counted = (what: string, all: readonly string[]) => (all.length === 0 ? [] : [`${what}: ${all.length}`]);

/** The row of webhooks: their secrets, the listener, and whether verification takes their fires. */
const hooksDoctorRow = (config: ExecutionConfig, section: ReadSection): DoctorRow => ({
  name: "hooks",
  variables: [...Object.keys(askVariables), "AGENT_SECRETS_DIR", "DATABASE_URL", "DATA_DIR"],
  probe: async () => {
    const { hooks, leftOut } = await section("hooks");
    if (hooks.length + leftOut.length === 0)
      return skipped("the settings have no section hooks: there are no webhooks");
    const mistakes = leftOut.flatMap(({ because }) => because.split("\n"));
    if (leftOut.length > 0) return failed(`not served: ${leftOut.map(({ name }) => name).join(", ")}`, ...mistakes);
    const says = `${hooks.length} hooks; each secret can be read`;
    if (config.ASK_PORT === undefined) return warned(says, "Set ASK_PORT: without it, nothing serves the hooks.");
    const found = await readDatabase(config, async (database) => {
      const fires = new Fires(database, { vault: vaultOf(config), retentionMs: Infinity });
      const of = async ({ settings: { name } }: (typeof hooks)[number]) => ({
        ...(await fires.page({ source: "hook", name }, 1)),
        refused: await readRefusals(database, name).then((one) => one && describeRefusals(name, one)),
      });
      const agents = hooks.flatMap(({ settings: { agent } }) => agent ?? []);
      return {
        latest: await Promise.all(hooks.map(of)),
        unknown: await whyNoAgents(database, agents, hasModel(config)),
      };
    });
    const { latest = [], unknown } = found ?? {};
    const broken = hooks.flatMap(({ settings: { name, agent = "" } }) => {
      const why = unknown?.get(agent);
      return why === undefined ? [] : `${name}: ${agent} ${why}`;
    });
    const refused = latest.flatMap(({ fires }) => fires.filter(({ state }) => state === "skipped"));
    const wrong = refused.map(({ name, owner, reason = "" }) => `${name}, owner ${owner.user_id}: ${reason}`);
    const turnedAway = latest.flatMap((one) => (one.refused === undefined ? [] : [one.refused]));
    const said = [...counted("can't work", broken), ...counted("whose last fire verification refused", wrong)];
    const todo = [...broken, ...wrong, ...(wrong.length > 0 ? [ownerAdvice] : []), ...turnedAway.map(([, fix]) => fix)];
    const shown = [says, ...said, ...turnedAway.map(([refusals]) => refusals)];
    if (todo.length > 0) return warned(shown.join("; "), ...todo);
    if (config.ASK_URL !== undefined) return passed(says);
    return warned(says, "Set ASK_URL: without it, only senders on this machine reach the hooks.");
  },
});

const ownerAdvice = "The owner in the section hooks must be a member of the team who may ask the agent.";

/** Returns why tokens of an issuer can't be verified. */
async function issuerProblem({ issuer, jwks }: AskIssuer): Promise<string | undefined> {
  try {
    const url = jwks ?? (await findKeysUrl(issuer));
    return keySet.safeParse(await fetchJson(url)).success ? undefined : `${url} is not a key set: check its jwks.`;
  } catch {
    const place = jwks ?? `the metadata of ${issuer}`;
    return `${place} can't be read: check it, and that this machine can reach it.`;
  }
}

/** Returns the table of the execution zone, for a configuration that may have any errors. */
export function executionDoctor(env: Environment): ZoneTable {
  const { row, values: config, files, skip } = readSettings(executionConfig, loadExecutionConfig, env);
  const settings = { paths: config.EXECUTION_FILE, rows: executionSections(config, env) };
  const section: ReadSection = async (name) => (await readZoneSection("execution", settings, name)).value;
  const rows = [
    row,
    settingsDoctorRow("execution", settings),
    ...callerRows(config, files),
    ...askRows(config, section),
    hooksDoctorRow(config, section),
    ...consoleRows(config, section),
    ...agentRows(config, env, section),
    {
      name: "schedules",
      probe: async () => trySchedules(config, await section("schedules")),
      advice: "crosszone schedules lists them, with why they are paused.",
    },
    filesRow(config),
    ...zoneRows(config, {
      zone: "execution",
      migrations: executionMigrations,
      tables: [...executionTables, ...sealedOfTheZone],
      listensAt: () => {
        const said = { host: config.EXECUTION_HOST, port: config.EXECUTION_PORT, hostPort: config.PORT };
        return { ...chooseListening(config.HOST_PROFILE, said), usesTls: config.TLS_CERT_FILE !== undefined };
      },
    }),
  ];
  return { title: "Execution zone", skip, rows };
}

/** Returns the rows of the callers' credentials and of the zone's own. */
function callerRows(config: ExecutionConfig, files: ReturnType<typeof loadExecutionConfig>["files"]): DoctorRow[] {
  const variables = Object.keys(callerVariables);
  const [auth, keys] = [callerAuthOf(config), config.CALLER_JWT_JWKS];
  return [
    {
      name: "callers",
      variables,
      probe: async () => {
        await createAuthenticator({ values: config, files }, () => undefined);
        const { cert, ca } = serverTls(config, () => undefined)?.material() ?? {};
        const scheme = cert === undefined ? "HTTP, for a proxy or for this machine" : "HTTPS";
        const says = `CALLER_AUTH is ${auth}; the zone serves ${scheme}`;
        return judgeCertificates(says, { TLS_CERT_FILE: cert, CALLER_TLS_CA_FILE: ca });
      },
    },
    {
      name: "secret strength",
      variables: ["CALLER_AUTH", "EXECUTION_TOKEN"],
      probe: () => {
        if (auth === "none") return warned("callers need no credentials: every process on this machine can run tasks");
        if (auth === "bearer" || auth === "hmac") return judgeTokens(config.EXECUTION_TOKEN ?? []);
        return skipped(`CALLER_AUTH is ${auth}: the zone has no secret`);
      },
      advice: "Generate one: node -p \"crypto.randomBytes(32).toString('base64url')\"",
    },
    ...(auth === "jwt" && typeof keys === "string" ? [keysRow(keys)] : []),
  ];
}

/** The row of the issuer's keys. Without them the zone rejects every token. */
const keysRow = (url: string): DoctorRow =>
  reachableRow(
    {
      name: "keys",
      variables: Object.keys(callerVariables),
      advice: "Set it to the jwks_uri in the issuer's /.well-known/openid-configuration.",
    },
    () => ({
      url,
      variable: "CALLER_JWT_JWKS",
      whenDown: "Start the issuer",
      judge: (_status, body) => {
        const { data } = keySet.safeParse(body);
        if (data === undefined) return failed("the response of CALLER_JWT_JWKS is not a key set");
        return passed(`${data.keys.length} keys`);
      },
    }),
  ).row;

const words = /password|changeme|secret|example|token|crosszone|letmein|qwerty|12345|abcdef/gi;

/** Checks that the zone's secrets can't be guessed. Reports only how many there are. */
export function judgeTokens(tokens: readonly string[]): Finding {
  // 32 random bytes have about 16 hexadecimal digits, or 30 of Base64, that differ.
  if (tokens.some((token) => new Set(token.replaceAll(words, "")).size < 10))
    return failed("a secret in EXECUTION_TOKEN can be guessed: it repeats characters or consists of words");
  if (new Set(tokens).size < tokens.length)
    return warned("EXECUTION_TOKEN contains the same secret twice", "Remove one.");
  if (tokens.length > 2)
    return warned(`EXECUTION_TOKEN has ${tokens.length} secrets`, "Remove the secrets that no caller uses.");
  if (tokens.length === 1) return passed("one, and it looks random");
  return passed("two, and they look random: remove the old one when callers use the new one");
}

const refusal = z.object({ error: z.object({ reason: z.literal("unauthorized") }) });

/** The row of the connection to verification, from which the zone reads files. */
function filesRow({ VERIFICATION_URL: url }: ExecutionConfig): DoctorRow {
  const row = {
    name: "verification files",
    variables: ["VERIFICATION_URL"],
    advice: "Check VERIFICATION_URL: it is the part before /files, and no proxy may answer in verification's place.",
  };
  if (url === undefined)
    return { ...row, probe: () => skipped("VERIFICATION_URL is not set: agents can't read files") };
  return reachableRow(row, () => ({
    url: `${url.replace(/\/$/, "")}/files/F0`,
    variable: "VERIFICATION_URL",
    whenDown: "Start the verification zone",
    // Only verification rejects a well-formed random handle in these words.
    headers: { authorization: `Bearer czh_${randomBytes(32).toString("base64url")}` },
    judge: (status, body) =>
      status === 401 && refusal.safeParse(body).success
        ? passed("verification rejects an unknown handle")
        : failed(`HTTP ${status} to a request for a file: this is not the verification zone`),
  })).row;
}
