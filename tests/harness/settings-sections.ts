import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executionSections, loadExecutionConfig } from "@crosszone/execution";
import { openZoneSettings } from "@crosszone/ops/settings";
import { createHealth, createMetrics } from "@crosszone/service-kit";
import type { AnyRows } from "@crosszone/service-kit/settings";
import { tempFolder } from "@crosszone/testkit/temporary";
import { verificationSections } from "@crosszone/verification";
import { expect, onTestFinished } from "vitest";

const secrets = { AGENT_SECRET_CI: "a secret of 16 bytes or more" };
const { values } = loadExecutionConfig({ ASK_URL: "https://ask.example.com" });
export const rowsOf = { execution: executionSections(values, secrets), verification: verificationSections } as const;
export const own = { execution: Object.keys(rowsOf.execution), verification: Object.keys(rowsOf.verification) };

const owner = { team_id: "T1", user_id: "U1" };
const asked = { owner, agent: "builtin", text: "hi", cap: { fires: 1 } };
const agent = (name: string) => ({ name, url: `https://${name}.example.com` });
const cardKey = (kid: string) => ({ kty: "OKP", crv: "Ed25519", x: "AA", kid });
const hook = (name: string) => ({ ...asked, name, sign: { kind: "github" }, secrets: ["env:AGENT_SECRET_CI"] });
const schedule = (name: string) => ({ ...asked, name, every_ms: 60_000 });
const role = { viewer: ["all"] };
const signIn = { issuer: "https://login.example.com", client_id: "console" };
const approver = { decide: { people: ["U1"] } };

/** Of each section two parts, which are valid together, and a member that is a mistake. */
export const parts: Readonly<Record<string, readonly [unknown, unknown, mistake: unknown]>> = {
  agents: [[agent("a")], [agent("b")], [{ name: "c" }]],
  card_keys: [{ keys: [cardKey("a")] }, { keys: [cardKey("b")] }, { keys: [{}] }],
  programs: [{ askers: [{ token: "a" }] }, { askers: [{ token: "b" }] }, { askers: [{}] }],
  hooks: [[hook("a")], [hook("b")], [{ name: "c" }]],
  schedules: [[schedule("a")], [schedule("b")], [{ name: "c" }]],
  mcp: [[{ name: "a", command: "a" }], [{ name: "b", command: "b" }], [{ name: "c" }]],
  approvals: [{ rules: [{ tool: "a", ...approver }] }, { rules: [approver] }, { rules: [{ decide: {} }] }],
  console: [signIn, { roles: role }, { scopes: [] }],
  assistant: [{ instructions: "a" }, { channels: { dm: { instructions: "b" } } }, { channels: { x: {} } }],
  policy: [{ allowed_users: ["U1"] }, { allowed_users: ["U2"], allow_guests: true }, { allowed_users: ["*"] }],
};

/** Each section of both zones, with its zone. */
export const all = (["execution", "verification"] as const).flatMap((zone) =>
  own[zone].map((name) => [name, zone] as const),
);
export const rowOf = (name: string, zone: keyof typeof rowsOf) => (rowsOf[zone] as AnyRows)[name] ?? expect.fail(name);

const partOf = (name: string, at: 0 | 1): unknown => parts[name]?.[at] ?? expect.fail(name);

/** Puts two parts together: items of lists, members of maps. */
export function together(a: unknown, b: unknown): unknown {
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
  if (typeof a !== "object" || typeof b !== "object") return b;
  const [first, second] = [a, b] as [Record<string, unknown>, Record<string, unknown>];
  const members = Object.entries(second).map(([name, one]) => [name, name in first ? together(first[name], one) : one]);
  return { ...first, ...Object.fromEntries(members) };
}

/** Returns what a section says at the start of a test, and what an edit makes of it. */
export const startOf = (name: string): unknown =>
  name === "console" ? together(signIn, { roles: role }) : partOf(name, 0);
export const editOf = (name: string): unknown =>
  name === "console" ? together(startOf(name), { scopes: ["openid"] }) : together(partOf(name, 0), partOf(name, 1));

/** Writes a file of settings, and files in `more/` beside it. */
export function write(sections: object, more: Readonly<Record<string, object>> = {}) {
  const folder = tempFolder();
  mkdirSync(join(folder, "more"));
  const path = join(folder, "settings.yaml");
  for (const [name, content] of Object.entries(more))
    writeFileSync(join(folder, "more", name), JSON.stringify(content));
  const edit = (next: object): void => writeFileSync(path, JSON.stringify(next));
  edit(sections);
  return { path, folder, edit };
}

/** Opens the settings of a zone with some of its rows. They are read when the test says so: `settle` lets a second pass in which nothing changes. */
export async function open(zone: keyof typeof own, path: string | readonly string[], rows: AnyRows) {
  let ms = 0;
  const events: string[] = [];
  const settings = await openZoneSettings<Record<string, unknown>>(zone, {
    paths: [path].flat(),
    now: () => ms,
    rows,
    record: async ({ target }) => void events.push(`stored ${target.id}`),
    emit: (event, ...[fields]) => {
      const { section } = fields as { readonly section: string };
      events.push(`${event === "settings_applied" ? "applied" : "refused"} ${section}`);
    },
    health: createHealth(),
    metrics: createMetrics({ zone, version: "1" }),
  });
  onTestFinished(() => settings.close());
  const pass = async (by: number): Promise<void> => {
    await settings.look();
    ms += by;
    await settings.look();
  };
  return {
    settings,
    events,
    applied: () => events.filter((event) => event.startsWith("applied")),
    held: () => settings.notInForce().map(({ section }) => section),
    /** Looks at the files, lets time pass, milliseconds, and looks again. */
    pass,
    settle: () => pass(1_000),
  };
}
