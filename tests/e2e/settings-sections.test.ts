import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadExecutionConfig } from "@crosszone/execution";
import type { Environment } from "@crosszone/service-kit";
import { checkSettings, readSection } from "@crosszone/service-kit/settings";
import { FileProblemsError } from "@crosszone/service-kit/yaml";
import { tempFolder } from "@crosszone/testkit/temporary";
import { loadVerificationConfig } from "@crosszone/verification";
import { describe, expect, test } from "vitest";
import {
  all,
  editOf,
  open,
  own,
  parts,
  rowOf,
  rowsOf,
  startOf,
  together,
  write,
} from "../harness/settings-sections.ts";

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
    const { path, edit } = write({ [name]: startOf(name) });
    const { settings, events, applied, held, settle } = await open(zone, path, { [name]: rowOf(name, zone) });
    const current = await settings.follow(name);
    const before = current();
    expect(events.splice(0)).toEqual([`stored ${name}`, `applied ${name}`]);
    const bad = name === "hooks" ? { no: "list" } : mistake;
    edit({ [name]: bad, ...(near !== undefined && { [near]: "nowhere.yaml" }) });
    await settle();
    expect(held()).toContain(name);
    expect([current(), applied()]).toEqual([before, []]);
    rmSync(path);
    await settle();
    expect(held()).toEqual(["all"]);
    expect(current()).toBe(before);
    edit({ [name]: editOf(name) });
    await settle();
    expect([held(), applied()]).toEqual([[], [`applied ${name}`]]);
    expect(events.filter((event) => event.startsWith("refused all"))).toHaveLength(1);
  });
});

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
