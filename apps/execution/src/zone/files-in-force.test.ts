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
import type { ExecutionSettings } from "./config/sections.ts";
import { openZone, type OpenedZone } from "./open-zone.ts";

const call = { agent: "assistant", tool: "pay", channel: "C1", sideEffects: true };
const agents = (...names: readonly string[]) =>
  names.map((name) => ({ name, protocol: "a2a-1.0", url: `https://${name}.example.com` }));
const consoleWith = (roles: object) => ({ issuer: "https://login.example.com", client_id: "console", roles });
const instructions = (text: string) => ({ channels: { C1: { instructions: text } } });
const owner = { team_id: "T1", user_id: "U1" };
const asked = { owner, agent: "builtin", text: "hi", cap: { fires: 1 } };
const hooks = (...names: readonly string[]) =>
  names.map((name) => ({ ...asked, name, sign: { kind: "github" }, secrets: ["env:AGENT_SECRET_CI"] }));
const schedules = (...names: readonly string[]) => names.map((name) => ({ ...asked, name, every_ms: 60_000 }));

/** For each section: what it says before and after its edit, and, if the zone shows it, what is in force then. */
const sections: Readonly<
  Record<
    keyof ExecutionSettings,
    readonly [unknown, unknown, ((zone: OpenedZone) => unknown)?, (readonly [unknown, unknown])?]
  >
> = {
  approvals: [
    { default: { approval: "always" } },
    { default: { approval: "none" } },
    ({ roles }) => roles.inputs.approvalFor(call).needed,
    [true, false],
  ],
  mcp: [[{ name: "a", url: "http://127.0.0.1:9" }], []],
  assistant: [
    instructions("Be brief."),
    instructions("Pay."),
    ({ roles }) => roles.assistantSettings().channels["C1"]?.instructions,
    ["Be brief.", "Pay."],
  ],
  card_keys: [{ keys: [{ kty: "OKP", crv: "Ed25519", x: "AA", kid: "k" }] }, { keys: [] }],
  agents: [
    agents("scout"),
    agents("scout", "evil"),
    async ({ roles }) => (await roles.registered[0]?.list())?.map(({ name }) => name),
    [["scout"], ["evil", "scout"]],
  ],
  schedules: [schedules("a"), schedules("b"), async ({ roles }) => roles.schedules.namesOf("file"), [["a"], ["b"]]],
  console: [
    consoleWith({ viewer: ["all"] }),
    consoleWith({ admin: ["all"] }),
    ({ roles }) => roles.signIn?.current().settings.roles.admin,
    [[], ["all"]],
  ],
  hooks: [hooks("a"), hooks("a", "b")],
  programs: [
    { askers: [{ token: "ci" }] },
    { askers: [{ token: "ci", agents: ["*"] }] },
    ({ roles }) => roles.asking?.access().settings.askers[0]?.agents,
    [[], ["*"]],
  ],
};

async function startWithSettings() {
  const folder = tempFolder();
  const path = join(folder, "execution.yaml");
  const contents = Object.fromEntries(Object.entries(sections).map(([name, [first]]) => [name, first]));
  const write = (more: object): void => writeFileSync(path, JSON.stringify({ ...contents, ...more }));
  write({});
  const env = { DATA_DIR: folder, ADMIN_TOKENS: adminToken, ASK_PORT: "0", CONSOLE_URL: "http://localhost" };
  const model = { OPENAI_API_KEY: "key-of-a-test", MODEL: "openai/demo", OPENAI_BASE_URL: "http://127.0.0.1:9" };
  const loaded = loadExecutionConfig({ ...env, ...model, EXECUTION_FILE: path });
  const events: string[] = [];
  const destination = {
    write: (line: string) => {
      const { event, section } = JSON.parse(line) as { readonly event: string; readonly section?: string };
      if (section !== undefined) events.push(`${event} ${section}`);
    },
  };
  const logger = createLogger({ zone: "execution", level: "info", events: executionEvents, destination });
  const build = { zone: "execution", version: "1.0.0" };
  const environment = { AGENT_SECRET_CI: "a secret of 16 bytes or more" };
  const zone = await openZone(loaded, { build, environment, logger, onFileFailure: () => undefined });
  const database = await openExecutionDatabase({ url: `sqlite:${join(folder, "execution.sqlite")}` });
  onTestFinished(async () => {
    await zone.roles.close();
    await zone.stopLease();
    await zone.closeDatabase();
    await database.close();
  });
  const loads = async (section: string) =>
    (await database.db.selectFrom("audit_event").select("id").where("target", "=", `policy:${section}`).execute())
      .length;
  return { zone, database, events, write, loads };
}

test.each(Object.entries(sections).filter(([name]) => name !== "mcp"))(
  "V1: an edit of %s was in force without an audit event",
  async (name, [, edited, inForce = () => undefined, expected = []]) => {
    const { zone, database, events, write, loads } = await startWithSettings();
    expect([await inForce(zone), await loads(name)]).toEqual([expected[0], 1]);
    events.length = 0;
    await sql`create trigger full before insert on audit_event begin select raise(abort, 'the disk is full'); end`.execute(
      database.db,
    );
    write({ [name]: edited });
    await vi.waitFor(() => expect(events).toEqual([`settings_not_usable ${name}`]));
    expect([await inForce(zone), await loads(name)]).toEqual([expected[0], 1]);
    expect((await zone.health.ready()).checks["settings"]).toMatchObject({
      ok: true,
      reason: expect.stringContaining(name),
    });

    await sql`drop trigger full`.execute(database.db);
    await vi.waitFor(() => expect(events).toEqual([`settings_not_usable ${name}`, `settings_applied ${name}`]));
    expect([await inForce(zone), await loads(name)]).toEqual([expected[1], 2]);
    expect((await zone.health.ready()).checks["settings"]).toBeUndefined();
  },
);

test("V1: MCP servers, which are read at the start, are in the audit log, and an edit says that it applies after a restart", async () => {
  const { loads, write, events } = await startWithSettings();
  events.length = 0;
  write({ mcp: sections.mcp[1] });
  await vi.waitFor(() => expect(events).toEqual(["settings_not_usable mcp"]));
  expect(await loads("mcp")).toBe(1);
});
