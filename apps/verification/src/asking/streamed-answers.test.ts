import { ZoneError } from "@crosszone/contracts";
import { beforeEach, describe, expect, test } from "vitest";
import type { VerificationDatabase } from "../database.ts";
import type { Question } from "../inbox/records.ts";
import type { SlackApi } from "../slack/slack-api.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import { openTestDatabase, retryLater, taken } from "../testing/test-inbox.ts";
import { createWorkingZone, settled, type WorkingZone } from "../testing/working-zone.ts";
import { before, type FakeMessage, streamedText } from "../testing/fake-slack.ts";

const words = "The whole answer, word for word, as it is in the end. ".repeat(4);

let world: WorkingZone;
let database: VerificationDatabase;
let record: Question;
beforeEach(async () => {
  database = await openTestDatabase();
  world = createWorkingZone(database, { streams: true });
  record = await world.ask();
  writeSlowly();
});

interface Writing {
  readonly text?: string;
  readonly polls?: number;
  readonly turns?: number;
  /** The answer at the end; undefined if the task fails. */
  readonly answer?: string | undefined;
}

/** Makes the zone add an equal share of the text with each poll. While a poll waits, each turn of the event loop takes about a second. */
function writeSlowly({ text = words, polls = 6, turns = 15, ...end }: Writing = {}): void {
  let poll = 0;
  const { answer: response_text } = { answer: text, ...end };
  const shownBy = (count: number): number => Math.floor((text.length * count) / polls);
  world.zone.on("execute_task", () => ({ status: "accepted", task_id: "task-12345678" }));
  world.zone.on("get_async_task_result", async ({ task_id }, { show }) => {
    const offset = shownBy(poll);
    poll += 1;
    show({ task_id, seq: poll, type: "text", offset, delta: text.slice(offset, shownBy(poll)) });
    await settled(turns);
    if (poll < polls) return { status: "working", task_id };
    if (response_text === undefined) throw new ZoneError("agent_failed", { agent: "scout" });
    return { status: "success", response_text };
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
    before(world.slack, "appendStream", () => {
      if (calls("appendStream") === 2) world.slack.failNext("appendStream", "refused", { code: "stopped_by_user" });
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
      await settled(15);
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
  before(world.slack, "stopStream", (_message, { session_status }) => stops.push(session_status));
  await world.live();
  expect(ours().map((message) => [message.text, message.mark?.state])).toEqual([[words, "done"]]);
  expect(stops).toEqual(["processing"]);
  expect(calls("update")).toBeGreaterThan(1);
  expect(calls("startStream", "post")).toBe(1);
});

describe("a text that is longer than one message", () => {
  const sentence = (at: number): string => `Sentence ${at} is as long as any other sentence of it. `;
  const long = Array.from({ length: 560 }, (_none, at) => sentence(at)).join("");
  const joined = (): string =>
    ours()
      .map(({ text }) => text)
      .join("");
  let most = 0;

  beforeEach(() => {
    most = 0;
    writeSlowly({ text: long, polls: 30 });
    before(world.slack, "update", () => {
      most = Math.max(most, ours().filter(({ text }) => text.length > 1_000).length);
    });
  });

  test("W10: goes on in the next message, where it stays", async () => {
    await world.live();
    expect(joined()).toBe(long);
    expect(most).toBeGreaterThan(2);
    expect(ours().map(({ mark }) => [mark?.state, mark?.part, mark?.parts])).toEqual(
      ours().map((_message, index) => ["done", index + 1, ours().length]),
    );
    expect([calls("startStream", "stopStream"), world.slack.live.size]).toEqual([2, 0]);
  });

  test("W10: also where Slack starts no stream", async () => {
    world.slack.failNext("startStream", "refused", { code: "feature_disabled" });
    await world.live();
    expect(joined()).toBe(long);
    expect(most).toBeGreaterThan(2);
  });

  test("W1, W10: after a refusal in its middle it goes on in ordinary messages, with nothing twice", async () => {
    before(world.slack, "appendStream", () => {
      if (calls("appendStream") === 4) world.slack.failNext("appendStream", "refused", { code: "msg_too_long" });
    });
    await world.live();
    expect(joined()).toBe(long);
    expect(world.slack.live.size).toBe(0);
  });

  test("W10: a post without a response appears once", async () => {
    world.slack.failNext("post", "unavailable", { anyway: true });
    await world.live();
    expect(joined()).toBe(long);
  });

  test("W10: stays in order when Slack does not take a message in its middle", async () => {
    const { post } = world.slack;
    const refused = new SlackCallError("chat.postMessage", { failure: "refused", code: "fatal_error" });
    const refusing: typeof post = async (thread, message) => {
      if (message.mark.part === 2 && message.mark.state === "working") throw refused;
      return post(thread, message);
    };
    Object.assign(world.slack, { post: refusing });
    await world.live();
    expect(joined()).toBe(long);
  });

  test("W10: nothing stays of the messages of a crashed process below a shorter answer", async () => {
    writeSlowly({ text: "No.", polls: 1 });
    const first = await taken(world.inbox, "ask");
    const { request_id, correlation_id } = record;
    for (const part of [1, 2, 3]) {
      const mark = { request_id, correlation_id, state: "working" as const, part };
      const { ts } = await world.slack.post(record, { text: `part ${part}`, mark });
      if (part === 1) await world.inbox.note(first, { placeholder: ts });
    }
    await retryLater(world.inbox, first, 0);
    await world.live();
    expect(theAnswer()).toEqual([[["No.", "done"]], 0]);
  });

  test("W10: an answer that is another text leaves nothing of the messages below", async () => {
    writeSlowly({ text: long, polls: 30, answer: "No." });
    await world.live();
    expect(ours().map(({ text, mark }) => [text, mark?.state])).toEqual([["No.", "done"]]);
    expect(most).toBeGreaterThan(2);
  });

  test("W1: when its task fails, the text that people have read stays above the error", async () => {
    writeSlowly({ text: long, polls: 30, answer: undefined });
    await world.live();
    const whole = joined();
    expect(whole.startsWith(long.slice(0, 20_000))).toBe(true);
    expect(ours().at(-1)?.text).toMatch(/\n\n.*Reference: /s);
    expect(new Set(ours().map(({ mark }) => mark?.state))).toEqual(new Set(["failed"]));
  });

  test("W1: an apology stands below what people have read", async () => {
    const refuse = (method: "update" | "upload") => world.slack.failNext(method, "refused", { code: "invalid_blocks" });
    before(world.slack, "update", (_message, { mark }) => {
      if (mark.state === "done") refuse("update");
    });
    before(world.slack, "upload", () => refuse("upload"));
    writeSlowly({ text: `${words}https://example.com`, polls: 6 });
    await world.live();
    const [first, second, ...others] = ours();
    expect(first?.text.startsWith(words.slice(0, 100))).toBe(true);
    expect(second?.text).toMatch(/^Something went wrong on our side/);
    expect(others).toEqual([]);
  });
});
