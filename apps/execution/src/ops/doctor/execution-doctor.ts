import { randomBytes } from "node:crypto";
import {
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
import { z } from "zod";
import { callerVariables } from "../../config/caller-variables.ts";
import { authKindOf } from "../../config/check-callers.ts";
import { executionConfig, type ExecutionConfig, loadExecutionConfig } from "../../config/config.ts";
import { executionMigrations } from "../../database/migrations.ts";
import { type AuthenticatorOptions, createAuthenticator, serverTls } from "../../roles/create-authenticator.ts";
import { agentRows } from "./agent-rows.ts";
import { askRows, keySet } from "./ask-rows.ts";

/** Returns the table of the execution zone, for a configuration that may have any errors. */
export function executionDoctor(env: Environment): ZoneTable {
  const { row, values: config, files, skip } = readSettings(executionConfig, loadExecutionConfig, env);
  const rows = [
    row,
    ...callerRows(config, files),
    ...askRows(config),
    ...agentRows(config, env),
    filesRow(config),
    ...zoneRows(config, "execution", executionMigrations),
  ];
  return { title: "Execution zone", skip, rows };
}

/** Returns the rows of the callers' credentials and of the zone's own. */
function callerRows(config: ExecutionConfig, files: AuthenticatorOptions["files"]): Row[] {
  const variables = Object.keys(callerVariables);
  const [auth, keys] = [authKindOf(config), config.CALLER_JWT_JWKS];
  return [
    {
      name: "callers",
      variables,
      probe: async () => {
        await createAuthenticator({ values: config, files, onFileFailure: () => undefined });
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
