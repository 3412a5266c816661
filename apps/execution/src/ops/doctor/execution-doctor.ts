import { randomBytes } from "node:crypto";
import {
  asAtStart,
  failed,
  type Finding,
  judgeCertificates,
  passed,
  reachableRow,
  readSettings,
  type Row,
  skipped,
  warned,
  zoneRows,
  type ZoneTable,
} from "@crosszone/ops/doctor";
import type { Environment } from "@crosszone/service-kit";
import { inspectDatabase } from "@crosszone/sql";
import { z } from "zod";
import { callerVariables } from "../../config/caller-variables.ts";
import { authKindOf } from "../../config/check-callers.ts";
import { executionConfig, type ExecutionConfig, loadExecutionConfig } from "../../config/config.ts";
import { executionMigrations as migrations } from "../../database/migrations.ts";
import { type AuthenticatorOptions, createAuthenticator, serverTls } from "../../roles/create-authenticator.ts";
import { agentRows } from "./agent-rows.ts";

/** Returns the table of the execution zone, for a configuration that may have any errors. */
export function executionDoctor(env: Environment): ZoneTable {
  const { row, values: config, files, skip } = readSettings(executionConfig, loadExecutionConfig, env);
  const zone = "execution";
  const inspect = (url: string) => inspectDatabase({ url, schema: zone, migrations });
  const rows = [
    row,
    ...callerRows(config, files),
    ...agentRows(config, env),
    filesRow(config),
    ...zoneRows(config, { zone, env, inspect }),
  ];
  return { title: "Execution zone", skip, rows };
}

const noop = (): void => undefined;

/** Returns the rows of the callers' credentials and of the zone's own. */
function callerRows(config: ExecutionConfig, files: AuthenticatorOptions["files"]): Row[] {
  const variables = Object.keys(callerVariables);
  const { CALLER_JWT_JWKS: keys } = config;
  const auth = authKindOf(config);
  return [
    {
      name: "callers",
      variables,
      probe: asAtStart(async () => {
        await createAuthenticator({ values: config, files, onFileFailure: noop });
        const { cert, ca } = serverTls(config, noop)?.material() ?? {};
        const scheme = cert === undefined ? "HTTP, for a proxy or for this machine" : "HTTPS";
        const says = `CALLER_AUTH is ${auth}; the zone serves ${scheme}`;
        return judgeCertificates(says, { TLS_CERT_FILE: cert, CALLER_TLS_CA_FILE: ca });
      }),
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

/** https://www.rfc-editor.org/rfc/rfc7517#section-5 */
const keySet = z.object({ keys: z.array(z.object({ kty: z.string() })).min(1) });

/** The row of the issuer's keys. Without them the zone rejects every token. */
const keysRow = (url: string): Row =>
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

/** Checks that the zone's secrets can't be guessed. Reports only how many there are. */
export function judgeTokens(tokens: readonly string[]): Finding {
  const bits = Math.min(...tokens.map(guessBits));
  const which = tokens.length === 1 ? "EXECUTION_TOKEN" : `one of the ${tokens.length} secrets in EXECUTION_TOKEN`;
  // 32 random bytes have more than 200.
  if (bits < 48) return failed(`${which} can be guessed: it repeats characters or consists of words`);
  if (bits < 96) return warned(`${which} is easier to guess than its length suggests`);
  if (new Set(tokens).size < tokens.length)
    return warned("EXECUTION_TOKEN contains the same secret twice", "Remove one.");
  if (tokens.length > 2)
    return warned(`EXECUTION_TOKEN has ${tokens.length} secrets`, "Remove the secrets that no caller uses.");
  if (tokens.length === 1) return passed("one, and it looks random");
  return passed("two, and they look random: remove the old one when callers use the new one");
}

/** The Shannon entropy of the characters or of their pairs, whichever is smaller, in bits. Words and repetitions lower it. */
function guessBits(token: string): number {
  const rest = token.replaceAll(/password|changeme|secret|example|token|crosszone|letmein|qwerty|12345|abcdef/gi, "");
  return Math.min(entropy(rest.match(/./g)), entropy(token.match(/.(?=.)/g)?.map((one, at) => one + token[at + 1])));
}

function entropy(symbols: readonly string[] | null | undefined): number {
  const groups = Object.values(Object.groupBy(symbols ?? [], (symbol) => symbol)).map((group) => group?.length ?? 0);
  return groups.reduce((bits, count) => bits - count * Math.log2(count / (symbols?.length ?? 0)), 0);
}

const refusal = z.object({ error: z.object({ reason: z.literal("unauthorized") }) });

/** The row of the connection to verification, from which the zone reads files. */
function filesRow({ VERIFICATION_URL: url }: ExecutionConfig): Row {
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
