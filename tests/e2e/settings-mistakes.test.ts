import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFile, tempFolder } from "@crosszone/testkit/temporary";
import { describe, expect, test } from "vitest";
import { all, editOf, open, rowOf, startOf } from "../harness/settings-sections.ts";

const json = (sections: object): string => JSON.stringify(sections, undefined, 2);

/** Opens a section that two files can have, the first of which is a link, as of a volume of Kubernetes. */
async function start(name: string, zone: "execution" | "verification", sections: object = { [name]: startOf(name) }) {
  const folder = tempFolder();
  const [path, other] = [join(folder, "settings.yaml"), join(folder, "other.yaml")];
  const write = (text: string | Buffer, to = path): void => writeFileSync(to, text);
  /** Replaces the file by a link to another, in one step. */
  let links = 0;
  const swap = (next: object): void => {
    links += 1;
    const target = join(folder, `target-${links}.yaml`);
    write(json(next), target);
    symlinkSync(target, join(folder, "next"));
    renameSync(join(folder, "next"), path);
  };
  write(json(sections));
  write("{}", other);
  const opened = await open(zone, [path, other], { [name]: rowOf(name, zone) });
  const current = await opened.settings.follow(name);
  opened.events.length = 0;
  return {
    ...opened,
    path,
    other,
    write,
    swap,
    /** What is in force, as text. */
    inForce: () => JSON.stringify(current()),
  };
}

type Started = Awaited<ReturnType<typeof start>>;

/** What is in force when a file says this from the start. */
const decided = async (name: string, zone: "execution" | "verification", sections: object): Promise<string> =>
  (await start(name, zone, sections)).inForce();

type State = "kept" | "edited" | "removed";

interface Situation {
  readonly act: (zone: Started, name: string) => unknown;
  readonly is: State;
  /** What `/readyz` names. */
  readonly held?: (name: string) => readonly string[];
}

const edited = (name: string) => ({ [name]: editOf(name) });
const started = (name: string) => ({ [name]: startOf(name) });
const one = (name: string): readonly string[] => [name];
const everything = (): readonly string[] => ["all"];

/** Each way in which a section can be away, or look as if it were, and the state that must be a second later. */
const situations: Readonly<Record<string, Situation>> = {
  "is edited": { act: ({ write }, name) => write(json(edited(name))), is: "edited" },
  "is misspelt": {
    act: ({ write }, name) => write(json({ [`${name}x`]: startOf(name) })),
    is: "kept",
    held: (name) => [`${name}x`, name],
  },
  "is misspelt, and ten minutes pass": {
    act: async ({ write, settle, pass }, name) => {
      write(json({ [`${name}x`]: startOf(name) }));
      await settle();
      await pass(600_000);
    },
    is: "kept",
    held: (name) => [`${name}x`, name],
  },
  "is away for less than ten seconds": {
    act: async ({ write, settle, pass }) => {
      write("{}");
      await settle();
      await pass(8_500);
    },
    is: "kept",
    held: one,
  },
  "is away for a moment": {
    act: async ({ write, settle, pass }, name) => {
      write("{}");
      await settle();
      await pass(8_000);
      write(json(started(name)));
    },
    is: "kept",
  },
  "is removed": {
    act: async ({ write, settle, pass }) => {
      write("{}");
      await settle();
      await pass(10_000);
    },
    is: "removed",
  },
  "is removed, and misspelt before ten seconds are over": {
    act: async ({ write, settle, pass }, name) => {
      write("{}");
      await settle();
      await pass(8_000);
      write(json({ [`${name}x`]: startOf(name) }));
      await settle();
      await pass(60_000);
    },
    is: "kept",
    held: (name) => [`${name}x`, name],
  },
  "is removed, and comes back with a mistake": {
    act: async ({ write, settle, pass }, name) => {
      write("{}");
      await settle();
      await pass(8_000);
      write(json({ [name]: 7 }));
      await settle();
      await pass(60_000);
    },
    is: "kept",
    held: one,
  },
  "has a mistake": { act: ({ write }, name) => write(json({ [name]: 7 })), is: "kept", held: one },
  "is in a file that is away": { act: ({ path }) => unlinkSync(path), is: "kept", held: everything },
  "is in a file that is no file": {
    act: ({ path }) => {
      unlinkSync(path);
      mkdirSync(path);
    },
    is: "kept",
    held: everything,
  },
  "is in a link to itself": {
    act: ({ path }) => {
      unlinkSync(path);
      symlinkSync(path, path);
    },
    is: "kept",
    held: everything,
  },
  "can be read again": {
    act: async ({ path, write, settle }, name) => {
      rmSync(path);
      await settle();
      write(json(edited(name)));
    },
    is: "edited",
  },
  "is away, and comes back half written": {
    act: async ({ path, write, settle }) => {
      rmSync(path);
      await settle();
      write("{}");
    },
    is: "kept",
    held: one,
  },
  "is half written": {
    act: ({ write }, name) => write(json(edited(name)).slice(0, -3)),
    is: "kept",
    held: everything,
  },
  "is written in two steps": {
    act: async ({ write, pass }, name) => {
      write("{}");
      await pass(900);
      write(json(edited(name)));
      await pass(900);
    },
    is: "edited",
  },
  "is cut off for half a minute": {
    act: async ({ write, settle, pass }, name) => {
      write("");
      await settle();
      await pass(30_000);
      write(json(edited(name)));
    },
    is: "edited",
  },
  "is cut off": { act: ({ write }) => write(""), is: "kept", held: everything },
  "is in a link that is swapped": { act: ({ swap }, name) => swap(edited(name)), is: "edited" },
  "is rolled back": {
    act: async ({ swap, settle }, name) => {
      swap(edited(name));
      await settle();
      swap(started(name));
    },
    is: "kept",
  },
  "is removed by a link that is swapped": { act: ({ swap }) => swap({}), is: "removed" },
  "is misspelt in a link that is swapped": {
    act: ({ swap }, name) => swap({ [`${name}x`]: startOf(name) }),
    is: "kept",
    held: (name) => [`${name}x`, name],
  },
  "is moved to a file that the variable lists": {
    act: async ({ write, other, settle, pass }, name) => {
      write("{}");
      await settle();
      await pass(5_000);
      write(json(started(name)), other);
    },
    is: "kept",
  },
  "is beside a file that can't be read": {
    act: ({ write, other }, name) => {
      write("{", other);
      write(json(edited(name)));
    },
    is: "edited",
    held: everything,
  },
  "is away beside a file that can't be read": {
    act: async ({ write, other, settle, pass }) => {
      write("{", other);
      write("{}");
      await settle();
      await pass(60_000);
    },
    is: "kept",
    held: (name) => ["all", name],
  },
  "names a pattern that matches nothing": {
    act: ({ write }, name) => write(json({ [name]: "none/*.yaml" })),
    is: "kept",
    held: one,
  },
  "ends its lines as Windows does": {
    act: ({ write }, name) => write(json(edited(name)).replaceAll("\n", "\r\n")),
    is: "edited",
  },
  "begins with a byte order mark": { act: ({ write }, name) => write(`\uFEFF${json(edited(name))}`), is: "edited" },
  "is in UTF-16": {
    act: ({ write }, name) => write(Buffer.from(`\uFEFF${json(edited(name))}`, "utf16le")),
    is: "kept",
    held: everything,
  },
};

describe.each(all)("O36, X47: the section %s", (name, zone) => {
  test.each(Object.entries(situations))("%s", async (_what, { act, is, held = () => [] }) => {
    const opened = await start(name, zone);
    await act(opened, name);
    await opened.settle();
    const sections = { kept: started(name), edited: edited(name), removed: {} }[is];
    expect([is, opened.inForce()]).toEqual([is, await decided(name, zone, sections)]);
    expect(opened.held().toSorted()).toEqual([...held(name)].toSorted());
  });

  test("changes nothing in a process that does not use it", async () => {
    const path = tempFile("settings.yaml", json(started(name)));
    const { events, settle, held } = await open(zone, path, {});
    writeFileSync(path, "{}");
    await settle();
    expect([events, held()]).toEqual([[], []]);
  });
});

test.each(all.filter(([name]) => !["console"].includes(name)))(
  "an empty section %s removes at once, whatever else is wrong",
  async (name, zone) => {
    const empty = Array.isArray(startOf(name)) ? [] : {};
    const opened = await start(name, zone);
    opened.write(json({ [name]: empty, unheard: 1 }));
    await opened.settle();
    expect(opened.inForce()).toBe(await decided(name, zone, { [name]: empty }));
    expect(opened.held()).toEqual(["unheard"]);
  },
);

test("X47: a file that is written again and again is read after ten seconds, and one that rests after one", async () => {
  const { write, pass, inForce } = await start("policy", "verification");
  const before = inForce();
  for (let count = 0; count < 20; count += 1) {
    write(json(edited("policy")) + " ".repeat(count));
    await pass(500);
    expect([count, inForce() === before]).toEqual([count, count < 19]);
  }
  write(json(started("policy")));
  await pass(999);
  expect(inForce()).not.toBe(before);
  await pass(1);
  expect(inForce()).toBe(before);
});

test("a link that is swapped is not waited for", async () => {
  const { swap, settings, inForce } = await start("policy", "verification");
  swap(edited("policy"));
  await settings.look();
  expect(inForce()).toBe(await decided("policy", "verification", edited("policy")));
});

test("O44: what could not be used once is tried again, without a change of its file", async () => {
  const path = tempFile("settings.yaml", json(started("policy")));
  const row = rowOf("policy", "verification");
  let isLimited = false;
  const judge: typeof row.judge = async (content) => {
    if (isLimited) throw new Error("EMFILE: too many open files");
    return await row.judge(content);
  };
  const { settings, settle, held } = await open("verification", path, { policy: { judge } });
  const current = await settings.follow("policy");
  const before = current();
  writeFileSync(path, json(edited("policy")));
  isLimited = true;
  await settle();
  expect([held(), current()]).toEqual([["policy"], before]);
  isLimited = false;
  await settle();
  expect([held(), current() === before]).toEqual([[], false]);
});

test("an edit that waits for a restart is said once, also while another section is read again each second", async () => {
  const path = tempFile("settings.yaml", json({ ...started("mcp"), ...started("hooks") }));
  const rows = { mcp: rowOf("mcp", "execution"), hooks: rowOf("hooks", "execution") };
  const { settings, settle, held, events } = await open("execution", path, rows);
  await settings.follow("mcp", undefined, () => true);
  await settings.follow("hooks");
  events.length = 0;
  writeFileSync(path, json({ ...edited("mcp"), hooks: 7 }));
  await settle();
  const since = settings.notInForce();
  for (let second = 0; second < 3; second += 1) await settle();
  expect(held().toSorted()).toEqual(["hooks", "mcp"]);
  expect(settings.notInForce()).toEqual(since);
  expect(events.toSorted()).toEqual(["refused hooks", "refused mcp"]);
  writeFileSync(path, json({ ...started("mcp"), ...started("hooks") }));
  await settle();
  expect(held()).toEqual([]);
});
