// suite: rest
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createLogger, createMetrics, listen } from "@crosszone/service-kit";
import { verificationEvents } from "@crosszone/telemetry";
import { sql } from "kysely";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { loadVerificationConfig } from "./config.ts";
import { actsIn } from "../testing/test-inbox.ts";
import { openVerificationZone } from "./open-zone.ts";
import { warmUp } from "./warm-up.ts";

const slack = { SLACK_BOT_TOKEN: "xoxb-1", SLACK_SIGNING_SECRET: "0123456789abcdef0123456789abcdef" };
const agentcore = { EXECUTION_URL: "arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/crosszone-A1b2C3d4E5" };

/** A separate process: opens the zone and prints how many modules of the AWS SDK that loaded. */
const program = `
  import { registerHooks } from "node:module";
  let loaded = 0;
  registerHooks({
    resolve: (name, context, next) => {
      if (name.startsWith("@aws-sdk/") || name.startsWith("@smithy/")) loaded += 1;
      return next(name, context);
    },
  });
  const { createLogger, createMetrics } = await import("@crosszone/service-kit");
  const { openVerificationZone } = await import("./open-zone.ts");
  const { loadVerificationConfig } = await import("./config.ts");
  const { verificationEvents } = await import("@crosszone/telemetry");
  const logger = createLogger({ zone: "verification", level: "silent", events: verificationEvents });
  const { values } = loadVerificationConfig(JSON.parse(process.env.ZONE));
  const { close } = await openVerificationZone({ values }, { logger, metrics: createMetrics() });
  await close();
  process.stdout.write(String(loaded));
`;

const dataDir = mkdtempSync(join(tmpdir(), "crosszone-deps-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

async function modulesOfAws(env: object): Promise<number> {
  const options = ["--conditions=@crosszone/source", "--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, options, {
    cwd: import.meta.dirname,
    env: { ...process.env, ZONE: JSON.stringify({ ...env, DATA_DIR: dataDir }) },
  });
  return Number(stdout);
}

test("Z11: the AWS SDK is loaded only if it is used", async () => {
  expect(await modulesOfAws(slack)).toBe(0);
  expect(await modulesOfAws({ ...slack, ...agentcore })).toBeGreaterThan(0);
});

test("the zone is not ready while its store answers reads but refuses writes", async () => {
  const { values } = loadVerificationConfig({ ...slack, DATA_DIR: join(dataDir, "refusing") });
  const logger = createLogger({ zone: "verification", level: "silent", events: verificationEvents });
  const { deps, database, close } = await openVerificationZone({ values }, { logger, metrics: createMetrics() });
  onTestFinished(close);
  const { health } = deps;
  expect(await health.ready()).toMatchObject({ ready: true });
  await sql`pragma query_only = on`.execute(database.db);
  await database.ping();
  expect(await health.ready()).toMatchObject({ ready: false, checks: { database: { ok: false } } });
});

test("V2: the log, which has the policy in force, is signed when the process ends", async () => {
  const VERIFICATION_FILE = join(dataDir, "verification.yaml");
  writeFileSync(VERIFICATION_FILE, "{}");
  const { values } = loadVerificationConfig({ ...slack, VERIFICATION_FILE, DATA_DIR: join(dataDir, "policy") });
  const logger = createLogger({ zone: "verification", level: "silent", events: verificationEvents });
  const { deps, database, close } = await openVerificationZone({ values }, { logger, metrics: createMetrics() });
  onTestFinished(close);
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
  expect(await actsIn(database)).toMatchObject([{ action: "policy.load", policy: hash }]);
  await deps.audit.close();
  expect(await database.db.selectFrom("audit_checkpoint").select("size").execute()).toEqual([{ size: 1 }]);
});

test("a warm-up answers questions, and reaches neither Slack nor execution nor the zone's data", async () => {
  const asked: unknown[] = [];
  const others = createServer((request, response) => response.end(void asked.push(request.url)));
  const { url } = await listen(others, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => void others.close());
  const data = join(dataDir, "warm-up");
  const addresses = { SLACK_API_URL: `${url}/api/`, EXECUTION_URL: `${url}/rpc`, DATA_DIR: data };
  const { values } = loadVerificationConfig({ ...slack, ...addresses, SLACK_APP_TOKEN: "xapp-1" });
  const { questions } = await warmUp(values, { mostMs: 10_000, mostQuestions: 20 });
  expect({ questions, asked, hasData: existsSync(data) }).toEqual({ questions: 20, asked: [], hasData: false });
});
