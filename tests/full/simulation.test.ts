// suite: waits
import { execFile } from "node:child_process";
import { constants, setPriority } from "node:os";
import { resolve } from "node:path";
import { expect, test, vi } from "vitest";
import { share, shareOf } from "../harness/random.ts";

/** A seed is a function of its number, however busy the machine is: two programs at once keep two cores busy, and let others go first. */
vi.setConfig({ testTimeout: 1_500_000, maxConcurrency: 2 });

const tests = resolve(import.meta.dirname, "..");

/** Runs `pnpm sim`. Resolves with its exit code and output. */
const simulate = (...args: string[]): Promise<{ readonly code: number; readonly said: string }> =>
  runProgram("main", args);

const runProgram = (name: "main" | "schedules", args: readonly string[]): Promise<{ code: number; said: string }> =>
  new Promise((done) => {
    const node = ["--conditions=@crosszone/source", "--disable-warning=ExperimentalWarning", `sim/${name}.ts`];
    const program = execFile(
      process.execPath,
      [...node, ...args],
      { cwd: tests, maxBuffer: 2 ** 28 },
      (error, stdout, stderr) => done({ code: error === null ? 0 : Number(error.code), said: stdout + stderr }),
    );
    if (program.pid !== undefined) setPriority(program.pid, constants.priority.PRIORITY_LOW);
  });

/** Where the seeds of a run begin. A failure names its seed. */
const begin = Number(process.env["TEST_SEED"] ?? Date.now());

const someOf = (seeds: number): string[] => {
  const most = shareOf(seeds);
  return ["--from", String(1 + (begin % (seeds - most + 1))), "--seeds", String(most)];
};

test.each([
  [
    "S5, S12, S13, Z9, T4: in up to 300 seeds every message is answered once while processes, databases, network and Slack fail",
    someOf(300),
  ],
  [
    "W3, W4, W17.1, W18.1: in up to 24 seeds of 26 hours people correct and delete messages, and type and press decisions: nothing is answered twice, elsewhere, or after it was deleted, no act is done twice, and nothing asked with old words",
    ["--edits", ...someOf(24)],
  ],
  [
    "P5: in up to 10 seeds of a day's outage each message is answered once in its thread, or listed, within Slack's rates",
    ["--outage", ...someOf(10)],
  ],
])("%s", async (_what, args) => {
  const { code, said } = await simulate(...args);
  expect(said).not.toContain("FAILED");
  expect({ code, said }).toEqual({ code: 0, said });
});

test.concurrent("a seed gives the same trace in another process, and after other seeds", async () => {
  const [alone, after] = await Promise.all([
    simulate("--seed", "7", "--trace"),
    simulate("--from", "5", "--seeds", "3", "--shards", "1", "--trace"),
  ]);
  const story = alone.said.slice(0, alone.said.indexOf("sim: "));
  expect(story.split("\n").length).toBeGreaterThan(100);
  expect(after.said).toContain(story);
});

test.concurrent.for([
  ["early-ack", 40, /message \d \(\S+\) is lost/, "--from", "92"],
  ["early-post", 20, /answer \S+ is shown before it is stored/],
  ["no-fence", 40, /tasks? (\S+ ended twice|ended without success)|had 2 keys/, "--from", "11"],
  ["no-search", 40, /message \d \(\S+\) is (stuck|doubled|wrong)/],
  ["kept-status", 20, /still shows a status/],
  ["new-key", 20, /\d+ requests of agents had \d+ keys/],
  ["no-renewal", 40, /tasks? ended without success|is (stuck|wrong)|answered \d+ ms after it could be/],
  ["lost-wake", 20, /message \d was answered \d+ ms after it could be/],
  ["lost-parent-wake", 20, /message \d was answered \d+ ms after it could be/],
  ["no-condition", 40, /decided twice/, "--from", "100"],
  ["lost-task-wake", 40, /message \d+ \(\S+\) is lost/],
  ["no-order", 40, /message \d was answered before message \d, which came before it/],
  ["forgotten-messages", 12, /message \d \(\S+\) is doubled/, "--edits"],
  ["new-edits", 12, /message \d \(\S+\) is doubled/, "--edits"],
  ["unseen-deletion", 12, /was posted \d+ ms after message \d was deleted/, "--edits", "--from", "18"],
  ["early-read", 3, /message \d+ \(\S+\) is lost/, "--outage"],
  ["typed-decision", 12, /asked 2 times|decided by \S+, who did not/, "--edits"],
  ["asked-word", 12, /decisions of \S+: typed \d+, answered \d+/, "--edits"],
  ["old-words", 12, /asked with old words/, "--edits"],
  ["used-again", 12, /its action ran 2 times/, "--edits"],
  ["asked-twice", 12, /asked 2 times/, "--edits"],
  ["unchecked-post", 12, /is outside of its thread/, "--edits", "--from", "13"],
] as const)("a planted bug is found: %s, in %i seeds", async ([plant, seeds, complaint, ...more]) => {
  const { code, said } = await simulate("--seeds", String(seeds), "--shards", "1", "--plant", plant, ...more);
  expect(code).toBe(1);
  expect(said).toMatch(complaint);
});

test.concurrent("a decision counts after 30 days in which both zones are killed 100 times", async () => {
  const { code, said } = await simulate("--long");
  expect(said).toContain("asked approved 1");
  expect(code).toBe(0);
});

test.concurrent("a failed seed fails again with the printed command, and only with the bug", async () => {
  const { said } = await simulate("--seeds", "20", "--shards", "1", "--plant", "no-order");
  const [, command = ""] = /again: pnpm sim (.+)/.exec(said) ?? [];
  const again = await simulate(...command.split(" "));
  const [, seed = ""] = /^--seed (\d+)/.exec(command) ?? [];
  const complaints = said.slice(said.indexOf(`seed ${seed} FAILED`), said.indexOf(`again: pnpm sim ${command}`));
  expect(again.said).toContain(complaints);
  expect(await simulate("--seed", seed)).toMatchObject({ code: 0 });
});

/** All of them at night; in a run that tries a share, as many as fit into half a minute. */
const schedules = share === 1 ? "200" : "12";

test.concurrent(
  "P4: in 30 days with killed executors and a clock that jumps no schedule misses or doubles a time, or passes its cap",
  async () => {
    const { code, said } = await runProgram("schedules", ["--seed", String(begin), "--schedules", schedules]);
    expect(said).toContain(" 0 complaints");
    expect(code).toBe(0);
  },
);

test.concurrent.for([
  ["again-due", /a time started twice/],
  ["lost-time", /was missed \(all\)/],
  ["no-cap", /fires in a day, above its cap/],
] as const)("a planted bug of schedules is found: %s", async ([plant, complaint]) => {
  const { code, said } = await runProgram("schedules", ["--schedules", "6", "--plant", plant]);
  expect(code).toBe(1);
  expect(said).toMatch(complaint);
});

test.concurrent("a wrong option is named", async () => {
  const { code, said } = await simulate("--seeds", "many");
  expect(code).toBe(1);
  expect(said).toContain('Expected a whole number for --seeds, got "many".');
});
