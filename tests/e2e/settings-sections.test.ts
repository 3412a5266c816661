import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executionSections, loadExecutionConfig } from "@crosszone/execution";
import { openZoneSettings } from "@crosszone/ops/settings";
import { createHealth, createMetrics, type Environment } from "@crosszone/service-kit";
import { type AnyRows, checkSettings, readSection } from "@crosszone/service-kit/settings";
import { FileProblemsError } from "@crosszone/service-kit/yaml";
import { tempFolder } from "@crosszone/testkit/temporary";
import { loadVerificationConfig, verificationSections } from "@crosszone/verification";
import { describe, expect, onTestFinished, test, vi } from "vitest";

const secrets = { AGENT_SECRET_CI: "a secret of 16 bytes or more" };
const { values } = loadExecutionConfig({ ASK_URL: "https://ask.example.com" });
const rowsOf = { execution: executionSections(values, secrets), verification: verificationSections } as const;
const own = { execution: Object.keys(rowsOf.execution), verification: Object.keys(rowsOf.verification) };

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
const parts: Readonly<Record<string, readonly [unknown, unknown, mistake: unknown]>> = {
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

const all = (["execution", "verification"] as const).flatMap((zone) => own[zone].map((name) => [name, zone] as const));
const rowOf = (name: string, zone: keyof typeof rowsOf) => (rowsOf[zone] as AnyRows)[name] ?? expect.fail(name);

/** Puts two parts together: items of lists, members of maps. */
function together(a: unknown, b: unknown): unknown {
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
  if (typeof a !== "object" || typeof b !== "object") return b;
  const [first, second] = [a, b] as [Record<string, unknown>, Record<string, unknown>];
  const members = Object.entries(second).map(([name, one]) => [name, name in first ? together(first[name], one) : one]);
  return { ...first, ...Object.fromEntries(members) };
}

/** Writes a file of settings, and files in `more/` beside it. */
function write(sections: object, more: Readonly<Record<string, object>> = {}) {
  const folder = tempFolder();
  mkdirSync(join(folder, "more"));
  const path = join(folder, "settings.yaml");
  for (const [name, content] of Object.entries(more))
    writeFileSync(join(folder, "more", name), JSON.stringify(content));
  const edit = (next: object): void => writeFileSync(path, JSON.stringify(next));
  edit(sections);
  return { path, folder, edit };
}

const source = (path: string, zone: keyof typeof own) => ({ paths: [path], own: own[zone], elsewhere: {} });

test("the table has every section of both zones", () => {
  expect(Object.keys(parts).toSorted()).toEqual(all.map(([name]) => name).toSorted());
});

describe.each(all)("O22: the section %s", (name, zone) => {
  const [first, second, mistake] = parts[name] ?? expect.fail(name);
  const whole = together(first, second);
  const mistakes = (path: string) => checkSettings(source(path, zone), rowsOf[zone]);

  test("is its content, a file, a list of files or a pattern, and says the same", async () => {
    const files = { "a.yaml": { [name]: first }, "b.yaml": { [name]: second }, "c.json": { [name]: whole } };
    const contentOf = async (given: unknown) =>
      (await readSection(source(write({ [name]: given }, files).path, zone), name, rowOf(name, zone))).content;
    const inline = await contentOf(whole);
    expect(inline).toMatchObject(whole as object);
    for (const given of ["more/c.json", ["more/a.yaml", "more/b.yaml"], "more/*.yaml", ["more/*.yaml"]])
      expect(await contentOf(given)).toEqual(inline);
  });

  test("has no default that refuses the start", async () => {
    expect(await mistakes(write({}).path)).toEqual([]);
  });

  test("names the file, the line and the member of a mistake, wherever it is", async () => {
    const { path, folder } = write(
      { [name]: ["more/a.yaml", "more/b.yaml"] },
      {
        "a.yaml": { [name]: whole },
        "b.yaml": { [name]: mistake },
      },
    );
    const found = await mistakes(path);
    expect(found).not.toEqual([]);
    for (const one of found)
      expect(one).toMatchObject({
        path: join(folder, "more/b.yaml"),
        line: 1,
        pointer: expect.stringMatching(`^/${name}/`),
      });
    const unknown = Array.isArray(mistake) ? [{ unheard: 1 }] : { unheard: 1 };
    const said = (await mistakes(write({ [name]: unknown }).path)).map(({ pointer, message }) => pointer + message);
    expect(said.join()).toContain("/unheardis not a known member");
  });

  test.each([
    ["a file that is not there", "more/none.yaml", /is not the path of a file/],
    ["a pattern without a file", "more/*.none", /is not the path of a file/],
    ["a file of another section", "more/other.yaml", /must have the section/],
    ["a file with another section", "more/both.yaml", /is not part of/],
    ["a file that names another", "more/chain.yaml", /can't name others/],
  ])("can't be %s", async (_what, given, words) => {
    const files = {
      "other.yaml": { other: [] },
      "both.yaml": { [name]: whole, other: [] },
      "chain.yaml": { [name]: "a.yaml" },
    };
    const [found] = await mistakes(write({ [name]: given }, files).path);
    expect(found?.message).toMatch(words);
  });

  test("is refused in the file of the other zone, with where it belongs", async () => {
    const other = zone === "execution" ? "verification" : "execution";
    const { path } = write({ [name]: whole });
    const opened = open(other, path, {});
    await expect(opened).rejects.toThrow(
      `${path}:1:2: /${name} belongs to ${zone}.yaml, the file of ${zone.toUpperCase()}_FILE: move it there`,
    );
  });

  test("keeps its version after a mistake, says so, and applies the next edit; a missing file changes nothing", async () => {
    const near = own[zone].find((one) => one !== name);
    const { path, edit } = write({ [name]: first === signIn ? whole : first });
    const { settings, events, applied } = await open(zone, path, { [name]: rowOf(name, zone) });
    const current = await settings.follow(name);
    const before = current();
    expect(events.splice(0)).toEqual([`stored ${name}`, `applied ${name}`]);
    const bad = name === "hooks" ? { no: "list" } : mistake;
    edit({ [name]: bad, ...(near !== undefined && { [near]: "nowhere.yaml" }) });
    await vi.waitFor(() => expect(settings.notInForce()).toContain(name));
    expect([current(), applied()]).toEqual([before, []]);
    rmSync(path);
    await vi.waitFor(() => expect(settings.notInForce()).toEqual(["all"]));
    expect(current()).toBe(before);
    edit({ [name]: whole });
    await vi.waitFor(() => expect(settings.notInForce()).toEqual([]));
    const edits = first === signIn ? [] : [`applied ${name}`];
    await vi.waitFor(() => expect(applied()).toEqual(edits));
    expect(events.filter((event) => event.startsWith("refused all"))).toHaveLength(1);
  });
});

/** Opens the settings of a zone with some of its rows. */
async function open(zone: keyof typeof own, path: string, rows: AnyRows) {
  const events: string[] = [];
  const settings = await openZoneSettings<Record<string, unknown>>(zone, {
    paths: [path],
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
  return { settings, events, applied: () => events.filter((event) => event.startsWith("applied")) };
}

const former = {
  execution: "AGENTS APPROVALS ASK ASSISTANT CONSOLE HOOKS MCP SCHEDULES".split(" "),
  verification: ["POLICY"],
};
const loads = { execution: loadExecutionConfig, verification: loadVerificationConfig } as const;

test.each(
  (["execution", "verification"] as const).flatMap((zone) =>
    former[zone].map((name) => [`${name}_FILE`, zone] as const),
  ),
)("%s, which is a section now, stops the start of %s with where it went", (name, zone) => {
  const env: Environment = { [name]: "/etc/planted.yaml" };
  const sections = own[zone].join("|");
  const said = `${name} is gone: remove it\\. Expected: its content in the file of ${zone.toUpperCase()}_FILE, below (${sections}):`;
  expect(() => loads[zone](env)).toThrow(new RegExp(said));
  expect(() => loads[zone](env)).not.toThrow("planted");
});

test("an empty file is refused: one that was cut off must not open what its policy closed", async () => {
  const path = join(tempFolder(), "verification.yaml");
  writeFileSync(path, "");
  await expect(open("verification", path, {})).rejects.toThrow(FileProblemsError);
});
