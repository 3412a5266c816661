import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { adminToken } from "@crosszone/admin-api/testing";
import { createLogger } from "@crosszone/service-kit";
import { executionEvents } from "@crosszone/telemetry";
import { tempFolder } from "@crosszone/testkit/temporary";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { loadExecutionConfig } from "./config/config.ts";
import { openExecutionDatabase } from "../store/open-execution-database.ts";
import { openZone, type OpenedZone } from "./open-zone.ts";

const call = { agent: "assistant", tool: "pay", channel: "C1", sideEffects: true };
const agents = (...names: readonly string[]) => ({
  agents: names.map((name) => ({ name, protocol: "a2a-1.0", url: `https://${name}.example.com` })),
});

const consoleFile = (roles: object) => ({ issuer: "https://login.example.com", client_id: "console", roles });

/** What is in each file before and after its edit, and what the zone does with it. */
const files = {
  ASK_FILE: {
    policy: "askers",
    applied: "ask_file_applied",
    refused: "ask_file_not_usable",
    contents: [{ askers: [{ token: "ci" }] }, { askers: [{ token: "ci", agents: ["*"] }] }],
    inForce: async ({ roles }: OpenedZone) => roles.asking?.file.current().settings.askers[0]?.agents,
    expected: [[], ["*"]],
  },
  APPROVALS_FILE: {
    policy: "approvals",
    applied: "approvals_file_applied",
    refused: "approvals_file_not_usable",
    contents: [{ default: { approval: "always" } }, { default: { approval: "none" } }],
    inForce: async ({ roles }: OpenedZone) => roles.inputs.approvalFor(call).needed,
    expected: [true, false],
  },
  AGENTS_FILE: {
    policy: "agents",
    applied: "agents_file_applied",
    refused: "agents_file_not_usable",
    contents: [agents("scout"), agents("scout", "evil")],
    inForce: async ({ roles }: OpenedZone) => (await roles.registered[0]?.list())?.map(({ name }) => name),
    expected: [["scout"], ["evil", "scout"]],
  },
  ASSISTANT_FILE: {
    policy: "assistant",
    applied: "assistant_file_applied",
    refused: "assistant_file_not_usable",
    contents: [{ channels: { C1: { instructions: "Be brief." } } }, { channels: { C1: { instructions: "Pay." } } }],
    inForce: async ({ roles }: OpenedZone) => roles.assistantFile().channels["C1"]?.instructions,
    expected: ["Be brief.", "Pay."],
  },
  CONSOLE_FILE: {
    policy: "console",
    applied: "console_file_applied",
    refused: "console_file_not_usable",
    contents: [consoleFile({ viewer: ["all"] }), consoleFile({ admin: ["all"] })],
    inForce: async ({ roles }: OpenedZone) => roles.signIn?.current().settings.roles.admin,
    expected: [[], ["all"]],
  },
} as const;

async function startWithFiles() {
  const folder = tempFolder();
  const pathOf = (name: string): string => join(folder, `${name}.json`);
  const write = (name: keyof typeof files, at: 0 | 1): void =>
    writeFileSync(pathOf(name), JSON.stringify(files[name].contents[at]));
  const names = Object.keys(files) as (keyof typeof files)[];
  for (const name of names) write(name, 0);
  writeFileSync(pathOf("MCP_FILE"), JSON.stringify({ servers: [] }));
  const paths = Object.fromEntries([...names, "MCP_FILE"].map((name) => [name, pathOf(name)]));
  const env = { DATA_DIR: folder, ADMIN_TOKENS: adminToken, ASK_PORT: "0", CONSOLE_URL: "http://localhost", ...paths };
  const model = { OPENAI_API_KEY: "key-of-a-test", MODEL: "openai/demo" };
  const loaded = loadExecutionConfig({ ...env, ...model, OPENAI_BASE_URL: "http://127.0.0.1:9" });
  const events: string[] = [];
  const destination = { write: (line: string) => void events.push((JSON.parse(line) as { event: string }).event) };
  const logger = createLogger({ zone: "execution", level: "info", events: executionEvents, destination });
  const build = { zone: "execution", version: "1.0.0" };
  const zone = await openZone(loaded, { build, environment: {}, logger, onFileFailure: () => undefined });
  const database = await openExecutionDatabase({ url: `sqlite:${join(folder, "execution.sqlite")}` });
  onTestFinished(async () => {
    await zone.roles.close();
    await zone.stopLease();
    await zone.closeDatabase();
    await database.close();
  });
  const loads = async (policy: string) =>
    (await database.db.selectFrom("audit_event").select("id").where("target", "=", `policy:${policy}`).execute())
      .length;
  return { zone, database, events, write, loads };
}

test.each(Object.entries(files))(
  "V1: an edit of %s was in force without an audit event",
  async (name, { policy, applied, refused, inForce, expected }) => {
    const { zone, database, events, write, loads } = await startWithFiles();
    expect([await inForce(zone), await loads(policy)]).toEqual([expected[0], 1]);
    events.length = 0;
    await sql`create trigger full before insert on audit_event begin select raise(abort, 'the disk is full'); end`.execute(
      database.db,
    );
    write(name as keyof typeof files, 1);
    await vi.waitFor(() => expect(events).toContain(refused));
    expect([await inForce(zone), await loads(policy)]).toEqual([expected[0], 1]);
    expect(events).not.toContain(applied);

    await sql`drop trigger full`.execute(database.db);
    await vi.waitFor(() => expect(events).toContain(applied));
    await vi.waitFor(async () => expect(await inForce(zone)).toEqual(expected[1]));
    expect([await loads(policy), events.filter((event) => event === refused)]).toEqual([2, [refused]]);
  },
);

test("V1: MCP_FILE, which is read at the start, is in the audit log", async () => {
  const { loads } = await startWithFiles();
  expect(await loads("mcp")).toBe(1);
});
