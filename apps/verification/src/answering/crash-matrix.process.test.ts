import { hash } from "node:crypto";
import type { TaskProgress } from "@crosszone/contracts";
import { expect, test } from "vitest";
import type { Question, StopRecord, TurnedAwayRecord } from "../inbox/records.ts";
import type { VerificationDatabase } from "../database/open-verification-database.ts";
import { questionRecord } from "../testing/question-record.ts";
import { createCrashWorld, type CrashWorld } from "../testing/crash-world.ts";
import { newTs } from "../testing/fake-slack.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { failing } from "../testing/scripted-zone.ts";
import type { Death } from "../testing/mortal.ts";

/** One or more messages, and the behavior of Slack and execution for them. */
interface Scenario {
  readonly name: string;
  readonly begin: (world: CrashWorld) => Promise<void>;
  /** Changes Slack between two processes. */
  readonly meanwhile?: (world: CrashWorld) => void;
  /** Checks more than that people see the same as without a crash. */
  readonly inTheEnd?: (world: CrashWorld) => void;
}

const ask = async ({ inbox, slack }: CrashWorld, more: Partial<Question> = {}): Promise<Question> => {
  const ts = newTs();
  const record = questionRecord({ ts, thread_ts: ts, ...more });
  slack.say({ ts: record.ts, thread_ts: record.thread_ts, text: record.text });
  await inbox.accept(record);
  return record;
};

/** Returns the record of a `stop` in the thread of a question. */
const stopOf = (question: Question): StopRecord => ({
  ...question,
  kind: "stop",
  request_id: `stop ${question.request_id}`,
  claims: [`stop ${question.ts}`],
  whole_channel: false,
  written: true,
});

const answering =
  (length: number) =>
  async (world: CrashWorld): Promise<void> => {
    world.zone.on("execute_task", () => ({ status: "success", response_text: "word ".repeat(length / 5) }));
    await ask(world);
  };

const scenarios: readonly Scenario[] = [
  { name: "a short answer", begin: answering(50) },
  { name: "an answer in three parts", begin: answering(30_000) },
  { name: "an answer with a file", begin: answering(90_000) },
  {
    name: "an answer that differs with each run",
    begin: async (world) => {
      const { zone } = world;
      zone.on("execute_task", () => ({
        status: "success",
        response_text: `take${zone.of("execute_task").length} `.repeat(4_000),
      }));
      await ask(world);
    },
    inTheEnd: ({ slack }) =>
      expect(new Set(slack.answers().flatMap(({ text }) => text.match(/take\d/g) ?? [])).size).toBe(1),
  },
  {
    name: "a slow answer",
    begin: async (world) => {
      world.zone.on("execute_task", () => ({ status: "accepted", task_id: "task-12345678" }));
      world.zone.on("get_async_task_result", ({ task_id }) =>
        world.zone.of("get_async_task_result").length % 3 > 0
          ? { status: "working", task_id }
          : { status: "success", response_text: "at last" },
      );
      await ask(world);
    },
  },
  {
    name: "a streamed answer",
    begin: async (world) => {
      const words = "one word after the other ".repeat(20);
      world.zone.on("execute_task", () => ({ status: "accepted", task_id: "task-12345678" }));
      world.zone.on("get_async_task_result", async ({ task_id }, { show }) => {
        const polls = world.zone.of("get_async_task_result").length;
        show({ task_id, seq: polls, type: "text", offset: 0, delta: words.slice(0, 100 * (polls % 4)) });
        for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        return polls % 4 > 0 ? { status: "working", task_id } : { status: "success", response_text: words };
      });
      await ask(world);
    },
  },
  {
    name: "a task with steps",
    begin: async (world) => {
      const steps = [{ id: "one", title: "One", state: "succeeded" as const, depth: 0 }];
      const running = (done: number): TaskProgress => ({
        revision: done,
        steps: [{ id: "one", title: "One", state: "running", depth: 0, done, total: 9 }],
      });
      world.zone.on("execute_task", () => ({ status: "accepted", task_id: "task-12345678" }));
      world.zone.on("get_async_task_result", ({ task_id }) => {
        const polls = world.zone.of("get_async_task_result").length;
        return polls % 7 > 0
          ? { status: "working", task_id, progress: running(Math.ceil(polls / 2)) }
          : { status: "success", response_text: "at last", progress: { revision: 99, steps } };
      });
      await ask(world);
    },
    inTheEnd: ({ slack }) => expect(slack.answers().map(({ text }) => text)).toEqual(["at last"]),
  },
  {
    name: "a failed task",
    begin: async (world) => {
      world.zone.on("execute_task", failing("agent_failed"));
      await ask(world);
    },
  },
  {
    name: "a stopped task",
    begin: async (world) => {
      world.zone.on("execute_task", () => ({ status: "accepted", task_id: "task-12345678" }));
      const record = await ask(world);
      await world.inbox.accept(stopOf(record));
    },
  },
  { name: "the list of agents", begin: async (world) => void (await ask(world, { text: "agents" })) },
  { name: "an empty question", begin: async (world) => void (await ask(world, { text: "" })) },
  {
    name: "a deleted placeholder",
    begin: answering(30_000),
    meanwhile: ({ slack }) => {
      const index = slack.messages.findIndex(({ mark, ts }) => mark?.state === "working" || slack.live.has(ts));
      if (index >= 0) slack.messages.splice(index, 1);
    },
  },
  {
    name: "a part that Slack refuses",
    begin: async (world) => {
      await answering(30_000)(world);
      const { post } = world.slack;
      Object.assign(world.slack, {
        post: async (...[thread, message]: Parameters<typeof post>) => {
          if (message.mark.part === 2 && message.mark.state === "done")
            world.slack.failNext("post", "refused", { code: "msg_blocks_too_long" });
          return post(thread, message);
        },
      });
    },
  },
  {
    name: "an answer while Slack fails, loses responses and limits the rate",
    begin: async (world) => {
      const { slack } = world;
      await answering(90_000)(world);
      for (const method of ["post", "replies", "upload", "update", "startStream", "stopStream"] as const) {
        slack.failNext(method, "unavailable", { anyway: true });
        slack.failNext(method, "rate_limited", { retryAfterMs: 1_000 });
        slack.failNext(method, "unavailable");
      }
    },
  },
  {
    name: "a stop without a running task",
    begin: async (world) => {
      const ts = newTs();
      const record = questionRecord({ ts, thread_ts: ts });
      await world.inbox.accept(stopOf(record));
    },
    inTheEnd: ({ slack }) => expect(slack.answers().filter(saysNothingRuns)).toHaveLength(1),
  },
  {
    name: "a denied message",
    begin: async (world) => {
      world.denied.add("UGUEST");
      await ask(world, { user_id: "UGUEST" });
    },
  },
  {
    name: "a message beyond the thread's limit",
    begin: async (world) => {
      world.denied.add("UMANY");
      const record: TurnedAwayRecord = { ...questionRecord({ user_id: "UMANY" }), kind: "turned_away" };
      await world.inbox.accept(record);
    },
  },
];

const saysNothingRuns = ({ text }: { text: string }): boolean => text.startsWith("Nothing is running here");

/** The parts of a text that differ between two equal runs. */
const changing = /(?<=Reference: ).*|(?<=take)\d/g;

/** Returns a text short enough to read in the diff of a failed test. */
function gist(text: string): string {
  const same = text.replaceAll(changing, "");
  return same.length > 100 ? `${same.slice(0, 20)}… ${hash("sha256", same)}` : same;
}

/** Returns what people see in the end, without the answer of a stop itself. */
function seenBy({ slack }: CrashWorld): object {
  const answers = slack.answers().filter((message) => !saysNothingRuns(message));
  return {
    answers: answers.map(({ text, mark }) => [gist(text), mark?.state, mark?.part]),
    unfinished: [slack.unmarked().length, slack.messages.filter(({ ts }) => slack.live.has(ts)).length],
    files: slack.messages.flatMap(({ mark, files }) => (mark === undefined ? files.map(({ name }) => name) : []))
      .length,
    status: slack.statuses.at(-1),
    notices: [...new Set(slack.notices.map(({ text }) => gist(text)))],
  };
}

interface Run {
  readonly world: CrashWorld;
  /** The effects of each process. */
  readonly lives: readonly (readonly string[])[];
}

/** How work is shown: as a stream or in edits, and after how many milliseconds. */
interface Shows {
  readonly streams: boolean;
  readonly showAfterMs: number;
}

const allShows: readonly Shows[] = [
  { streams: false, showAfterMs: 0 },
  { streams: true, showAfterMs: 0 },
  { streams: true, showAfterMs: 60_000 },
];

/** Runs one process per planned crash, then one that does not crash. */
async function run(
  { database, ...shows }: { readonly database: VerificationDatabase } & Shows,
  scenario: Scenario,
  deaths: readonly Death[],
): Promise<Run> {
  const world = createCrashWorld(database, shows);
  await scenario.begin(world);
  const lives: (readonly string[])[] = [];
  for (const death of deaths) {
    const { effects, died } = await world.live(death);
    lives.push(effects);
    if (!died) return { world, lives };
    scenario.meanwhile?.(world);
  }
  const last = await world.live();
  return { world, lives: [...lives, last.effects] };
}

function expectAsIf(clean: Run, { world, lives }: Run, deaths: readonly Death[]): void {
  const story = deaths.map(({ at, when }, life) => `died ${when} ${at} ${lives[life]?.[at - 1]}`).join(", ");
  const marks = world.slack.answers().map(({ mark }) => `${mark?.request_id} ${mark?.part}`);
  expect({ story, ...seenBy(world) }).toEqual({ story, ...seenBy(clean.world) });
  expect({ story, marks: new Set(marks).size }).toEqual({ story, marks: marks.length });
  const runs = new Set(world.zone.of("execute_task").map(({ id }) => id)).size;
  expect({ story, handles: [...world.handles.keys()], oneRun: runs <= 1 }).toEqual({
    story,
    handles: [],
    oneRun: true,
  });
  // An ephemeral message cannot be found again, so each crash may repeat one.
  const spare = clean.world.slack.notices.length + deaths.length - world.slack.notices.length;
  expect({ story, spare: spare >= 0 }).toEqual({ story, spare: true });
}

/** Maximum number of pairs of crashes per scenario, evenly chosen. */
const mostPairs = 50;

test.each(scenarios.flatMap((scenario) => allShows.map((shows) => ({ ...scenario, ...shows }))))(
  "Z9, S12, S13, T4: $name, with one or two crashes before or after any effect (streams: $streams, after $showAfterMs ms)",
  { timeout: 120_000 },
  async ({ streams, showAfterMs, ...scenario }) => {
    const place = { database: await openTestDatabase(), streams, showAfterMs };
    const clean = await run(place, scenario, []);
    const pairs: Death[][] = [];
    const effects = clean.lives[0] ?? [];
    expect(effects.length).toBeGreaterThan(2);
    for (let at = 1; at <= effects.length; at += 1) {
      await proved([{ at, when: "before" }]);
      const { lives } = await proved([{ at, when: "after" }]);
      lives[1]?.forEach((_effect, index) =>
        pairs.push([
          { at, when: "after" },
          { at: index + 1, when: "after" },
        ]),
      );
    }
    const stride = Math.ceil(pairs.length / mostPairs);
    for (let index = 0; index < pairs.length; index += stride) await proved(pairs[index] ?? []);

    async function proved(deaths: readonly Death[]): Promise<Run> {
      const died = await run(place, scenario, deaths);
      expectAsIf(clean, died, deaths);
      scenario.inTheEnd?.(died.world);
      return died;
    }
  },
);
