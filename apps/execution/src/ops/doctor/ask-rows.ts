import { createAppendAudit } from "@crosszone/audit";
import { commandDatabase } from "@crosszone/ops/data";
import { failed, type Finding, passed, type Row, skipped, warned } from "@crosszone/ops/doctor";
import { createRecordCodec, databaseUrlOf } from "@crosszone/service-kit";
import { inspectDatabase } from "@crosszone/sql";
import { z } from "zod";
import type { AskIssuer } from "../../ask/ask-settings.ts";
import { askVariables } from "../../config/ask-variables.ts";
import type { ExecutionConfig } from "../../config/config.ts";
import { executionMigrations } from "../../database/migrations.ts";
import { openExecutionDatabase } from "../../database/open-execution-database.ts";
import { findKeysUrl, readJson } from "../../http/auth/issuer-keys.ts";
import { readAskFile } from "../../roles/open-ask-file.ts";
import { createTokenStore } from "../../tokens/token-store.ts";

/** https://www.rfc-editor.org/rfc/rfc7517#section-5 */
export const keySet = z.object({ keys: z.array(z.object({ kty: z.string() })).min(1) });

/** Returns the rows of programs that ask: their listener, and which of them may. */
export function askRows(config: ExecutionConfig): Row[] {
  const { ASK_PORT: port, ASK_URL: url, ASK_FILE: file } = config;
  const off = "ASK_PORT is not set: programs can't ask";
  return [
    {
      name: "ask listener",
      variables: [...Object.keys(askVariables), "HOST_PROFILE", "EXECUTION_HOST"],
      probe: () => {
        if (port === undefined) return skipped(off);
        const says = `port ${port}, ${url ?? "only for programs on this machine, because ASK_URL is not set"}`;
        return file === undefined ? warned(`${says}; no program may ask, because ASK_FILE is not set`) : passed(says);
      },
      advice: "Set ASK_FILE to a file that lists the programs that may ask.",
    },
    {
      name: "askers file",
      variables: [...Object.keys(askVariables), "DATABASE_URL", "DATA_DIR"],
      probe: () => {
        if (port === undefined) return skipped(off);
        return file === undefined ? skipped("ASK_FILE is not set: no program may ask") : judgeAskers(config);
      },
    },
  ];
}

async function judgeAskers(config: ExecutionConfig): Promise<Finding> {
  const { issuers, askers } = (await readAskFile(config)).settings;
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

/** Returns the names of the live tokens with the scope `ask`; undefined unless the database is as this version needs it. Changes nothing. */
async function liveTokens(config: ExecutionConfig): Promise<readonly string[] | undefined> {
  const url = databaseUrlOf(config, "execution");
  const inspected = await inspectDatabase({ url, schema: "execution", migrations: executionMigrations });
  if (inspected === undefined || inspected.pending.length > 0) return undefined;
  const database = await openExecutionDatabase({ url, ...commandDatabase });
  try {
    const append = createAppendAudit({ engine: database.engine, codec: createRecordCodec(undefined) });
    const tokens = await createTokenStore(database, append).list();
    return tokens.filter(({ scopes }) => scopes.includes("ask")).map(({ name }) => name);
  } finally {
    await database.close();
  }
}

/** Returns why tokens of an issuer can't be verified. */
async function issuerProblem({ issuer, jwks }: AskIssuer): Promise<string | undefined> {
  try {
    const url = jwks ?? (await findKeysUrl(issuer));
    return keySet.safeParse(await readJson(url)).success ? undefined : `${url} is not a key set: check its jwks.`;
  } catch {
    const place = jwks ?? `the metadata of ${issuer}`;
    return `${place} can't be read: check it, and that this machine can reach it.`;
  }
}
