import { beforeEach, describe, expect, test } from "vitest";
import type { VerificationDatabase } from "../database/open-verification-database.ts";
import type { Question } from "../inbox/records.ts";
import type { SlackApi } from "../slack/slack-api.ts";
import { questionRecord, openTestDatabase } from "../testing/test-inbox.ts";
import { createWorkingZone, type WorkingZone } from "../testing/working-zone.ts";
import { newTs, type FakeMessage } from "../testing/fake-slack.ts";
import { streamedText } from "../testing/fake-messages.ts";

const words = "The whole answer, word for word, as it is in the end. ".repeat(4);

let world: WorkingZone;
let database: VerificationDatabase;
let record: Question;
beforeEach(async () => {
  database = await openTestDatabase();
  world = createWorkingZone(database, { streams: true });
  await ask();
});

async function ask(more: Partial<Question> = {}): Promise<void> {
  const ts = newTs();
  record = questionRecord({ ts, thread_ts: ts, ...more });
  world.slack.say({ ts, text: record.text });
  await world.inbox.accept(record);
  writeSlowly();
}

/** Makes the zone add an equal share of the answer with each poll. While a poll waits, each turn of the event loop takes about a second. */
function writeSlowly({ polls = 6, turns = 15 } = {}): void {
  let poll = 0;
  const shownBy = (count: number): number => Math.floor((words.length * count) / polls);
  world.zone.on("execute_task", () => ({ status: "accepted", task_id: "task-12345678" }));
  world.zone.on("get_async_task_result", async ({ task_id }, { show }) => {
    const offset = shownBy(poll);
    poll += 1;
    show({ task_id, seq: poll, type: "text", offset, delta: words.slice(offset, shownBy(poll)) });
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return poll < polls ? { status: "working", task_id } : { status: "success", response_text: words };
  });
}

const ours = (): FakeMessage[] => world.slack.messages.filter(({ user }) => user === "UBOT");
const calls = (...methods: (keyof SlackApi)[]): number =>
  world.slack.calls.filter((call) => methods.includes(call)).length;

/** The texts and states of our messages, and the number of live streams. */
const theAnswer = (): unknown => [ours().map(({ text, mark }) => [text, mark?.state]), world.slack.live.size];
const oneAnswer = [[[words, "done"]], 0];

test("an answer is streamed in the working message, which ends as the answer without an edit", async () => {
  await world.live();
  expect(theAnswer()).toEqual(oneAnswer);
  const streamed = ours()[0]?.streamed ?? [];
  expect(streamed[0]).toEqual([
    { type: "plan_update", title: "Working on it" },
    { type: "task_update", id: "crosszone", title: "Answer", status: "in_progress" },
  ]);
  expect(streamed.at(-1)).toMatchObject([
    { type: "plan_update", title: expect.stringMatching(/^Answered in \d+ min \d+ s$/) },
    { type: "task_update", id: "crosszone", title: "Answer", status: "complete" },
  ]);
  expect(streamed.length).toBeGreaterThan(3);
  expect(streamed.map(streamedText).join("")).toBe(words);
  expect(calls("post")).toBe(0);
  expect(calls("startStream", "stopStream")).toBe(2);
  expect(calls("update")).toBe(0);
});

describe("Slack does not append", () => {
  test("because a person pressed Stop: the text that had arrived stays, with a calm line below it", async () => {
    const { appendStream } = world.slack;
    Object.assign(world.slack, {
      appendStream: async (...given: Parameters<typeof appendStream>) => {
        if (calls("appendStream") === 2) world.slack.failNext("appendStream", "refused", { code: "stopped_by_user" });
        await appendStream(...given);
      },
    });
    await world.live();
    const [answer] = ours();
    expect([answer?.mark?.state, answer?.footer]).toEqual(["stopped", "Stopped."]);
    expect(answer?.text.length).toBeGreaterThan(20);
    expect(words.startsWith(answer?.text ?? "-")).toBe(true);
    expect([calls("appendStream"), world.zone.of("cancel_task").length]).toEqual([3, 1]);
  });

  test.each(["message_not_found", "message_not_owned_by_app", "is_archived", "not_in_channel", "restricted_action"])(
    "with %s: nothing more is shown before the answer",
    async (code) => {
      world.slack.failNext("appendStream", "refused", { code });
      await world.live();
      expect(ours().map(({ text }) => text)).toEqual([words]);
      expect([calls("appendStream"), calls("update")]).toEqual([1, 2]);
    },
  );
});

describe("a stop in mid-stream keeps the text that had arrived", () => {
  /** Stops the question once this much of its answer is known, as the person `user_id`. */
  async function stoppedBy(user_id: string): Promise<FakeMessage | undefined> {
    const { zone } = world;
    let polls = 0;
    zone.on("get_async_task_result", async ({ task_id }, { show }) => {
      polls += 1;
      if (polls === 1) show({ task_id, seq: 1, type: "text", offset: 0, delta: "The first half of it " });
      if (polls === 3) await world.inbox.stop(record, { request_id: "stop", user_id });
      for (let turn = 0; turn < 15; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      return { status: "working", task_id };
    });
    await world.live();
    return ours()[0];
  }

  test("with the word Stopped below it when the requester stops it, and without an edit", async () => {
    const answer = await stoppedBy("U1");
    expect(answer).toMatchObject({ text: "The first half of it ", footer: "Stopped.", mark: { state: "stopped" } });
    expect(calls("update", "post")).toBe(0);
    expect(JSON.stringify(answer?.streamed?.at(-1))).toContain("Stopped after");
  });

  test("with the name of the person when somebody else stops it", async () => {
    expect(await stoppedBy("U2")).toMatchObject({ text: "The first half of it ", footer: "Stopped by <@U2>." });
  });

  test("also where Slack starts no stream, in the edited message", async () => {
    world.slack.failNext("startStream", "refused", { code: "feature_disabled" });
    expect(await stoppedBy("U1")).toMatchObject({ text: "The first half of it ", footer: "Stopped." });
    expect(calls("startStream", "post")).toBe(2);
  });
});

test("the remaining messages of a long answer follow the streamed one", async () => {
  const long = "word ".repeat(5_000);
  world.zone.on("execute_task", () => ({ status: "success", response_text: long }));
  await world.live();
  expect(
    ours()
      .map(({ text }) => text)
      .join(""),
  ).toBe(long);
  expect(ours()).toHaveLength(3);
});

test("T4: a stream older than four and a half minutes is stopped, and its message is edited from then on", async () => {
  writeSlowly({ polls: 25 });
  const stops: string[] = [];
  const { stopStream } = world.slack;
  Object.assign(world.slack, {
    stopStream: (...given: Parameters<typeof stopStream>) => {
      stops.push(given[1].session_status);
      return stopStream(...given);
    },
  });
  await world.live();
  expect(ours().map((message) => [message.text, message.mark?.state])).toEqual([[words, "done"]]);
  expect(stops).toEqual(["processing"]);
  expect(calls("update")).toBeGreaterThan(1);
  expect(calls("startStream", "post")).toBe(1);
});
