// suite: both
import type { MessageRecord } from "@crosszone/contracts";
import { type Clock, systemClock } from "@crosszone/service-kit/timing";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { Inbox } from "../inbox/inbox.ts";
import { pausedClaim, pausedTaskId, type InboxRecord } from "../inbox/records.ts";
import { directMessage, hurriedClock, startTestApp, until } from "../testing/start-test-app.ts";
import { createTestInbox, openTestDatabase, park, questionRecord, taken } from "../testing/test-inbox.ts";
import { createFakeSlack } from "../testing/fake-slack.ts";
import { failing } from "../testing/scripted-zone.ts";
import { createMessageEnds } from "./message-ends.ts";

const allowed = { denial: undefined, verdicts: [], durationMs: 1 };
const guest = { denial: { reason: "guest" }, verdicts: [{ rule: "no_guests" }] } as never;
const done = { outcome: "done" } as const;

onBothEngines("what became of messages, until execution has it", (newDatabase) => {
  const open = async () => {
    const database = await openTestDatabase(await newDatabase());
    let now = 1_000;
    const messages = createMessageEnds(database, () => (now += 1));
    const inbox = createTestInbox(database);
    /** Ends a record as its worker does. */
    const end = (record: InboxRecord, attempt = 1, how: Parameters<typeof messages.ended>[1] = done) =>
      database.batch(messages.ended({ record, attempt }, how));
    const states = async (): Promise<unknown[]> =>
      (await messages.unreported(10)).map(({ reference, state, revision }) => [reference, state, revision]);
    return { database, messages, inbox, end, states };
  };

  test("O7: an end is stored with its times and waits for its report, also after a change that came meanwhile", async () => {
    const { messages, end, states } = await open();
    const record = questionRecord({
      correlation_id: "c-1",
      received_at: 1_000,
      claims: ["event E", "message T1 C1 1.5"],
    });
    messages.judged(record, allowed);
    await end(record, 8, { outcome: "parked", why: "internal" });
    const first = await messages.unreported(10);
    expect(first).toMatchObject([{ state: "parked", reason: "internal", attempts: 8, ts: "1.5", revision: 1 }]);
    expect(first[0]?.posted_at).toBeUndefined();
    messages.posted(record, { state: "done" });
    await end(record, 9);
    await messages.reported(first);
    expect(await states()).toEqual([["c-1", "answered", 2]]);
    const [last] = await messages.unreported(10);
    const timeOf = (at: string | undefined) => Date.parse(at ?? "");
    expect([last?.judged_at, last?.posted_at, last?.ended_at].map(timeOf)).toEqual([1_001, 1_003, 1_004]);
    await messages.reported(last ? [last] : []);
    expect([await states(), await messages.unreportedCount()]).toEqual([[], 0]);
  });

  test("W17: a question whose task waits for people is open until the task has ended", async () => {
    const { inbox, messages, end, states } = await open();
    const question = questionRecord({ correlation_id: "c-1" });
    const { request_id: session, claims: _claims, ...head } = question;
    const claims = [pausedClaim(session)];
    const paused = {
      ...head,
      kind: "paused_task",
      request_id: pausedTaskId("t"),
      claims,
      task_id: "t",
      session,
    } as never;
    await inbox.accept(paused);
    messages.posted(question, { state: "done" });
    await end(question, 2);
    expect(await states()).toEqual([["c-1", "open", 1]]);
    expect((await messages.unreported(1))[0]).toMatchObject({ posted_at: undefined, ended_at: undefined });
    messages.posted(paused, { state: "done" });
    await end(paused, 40);
    expect(await messages.unreported(1)).toMatchObject([
      { state: "answered", revision: 2, attempts: 2, posted_at: expect.any(String) as string },
    ]);
  });

  test("Q21: an answer that says that it failed or was stopped is told apart, and so is its retry, and a word that asks nothing", async () => {
    const { messages, end } = await open();
    const told = async (of: string) => {
      const stored = (await messages.unreported(50)).find(({ reference }) => reference === of);
      return stored && [stored.state, stored.outcome, stored.reason, stored.attempts, stored.revision];
    };
    const asked = (reference: string) => questionRecord({ correlation_id: reference, request_id: `r-${reference}` });
    for (const [reference, answer] of [
      ["c-failed", { state: "failed", failure: "Unknown agent" }],
      ["c-stopped", { state: "stopped" }],
      ["c-done", { state: "done" }],
    ] as const) {
      messages.posted(asked(reference), answer);
      await end(asked(reference));
    }
    const failed = ["answered", "failed", "Unknown agent", 1, 1];
    expect(await told("c-failed")).toEqual(failed);
    expect(await told("c-stopped")).toEqual(["answered", "stopped", undefined, 1, 1]);
    expect(await told("c-done")).toEqual(["answered", undefined, undefined, 1, 1]);
    const { claims: _claims, ...head } = asked("c-failed");
    const retried = { ...head, kind: "failed_run", claims: [], task_id: "t", seen: 1, until: 2 } as never;
    await end(retried, 3);
    expect(await told("c-failed")).toEqual(failed);
    messages.posted(retried, { state: "done" });
    await end(retried, 4);
    expect(await told("c-failed")).toEqual(["answered", undefined, undefined, 1, 2]);
    for (const [reference, why, outcome, reason] of [
      ["c-yes", { awaits: ["inp_1"] }, "no_question", /a message decides nothing/],
      ["c-word", { one_word: true }, "no_question", /one word/],
      ["c-many", {}, undefined, /too many questions/],
    ] as const) {
      await end({ ...asked(reference), ...why, kind: "turned_away" } as never);
      expect(await told(reference)).toEqual(["rejected", outcome, expect.stringMatching(reason), 1, 1]);
    }
  });

  test("W17: an act on a parked message is done once, and not on one that has changed since", async () => {
    const { inbox, messages, end, states } = await open();
    const record = questionRecord({ correlation_id: "c-1" });
    const parked = { outcome: "parked", why: "internal" } as const;
    const parkAgain = async (): Promise<void> => {
      const leased = await taken(inbox, "ask");
      await park(inbox, leased, "internal");
      await end(record, leased.attempt, parked);
    };
    await inbox.accept(record);
    await parkAgain();
    expect([await states(), await messages.hasParked()]).toEqual([[["c-1", "parked", 1]], true]);

    const replay = { reference: "c-1", revision: 1, act: "replay" } as const;
    await messages.act(replay, inbox);
    await messages.act(replay, inbox);
    expect([await states(), await messages.hasParked()]).toEqual([[["c-1", "open", 2]], false]);
    expect(await messages.unreported(1)).toMatchObject([{ reason: undefined, ended_at: undefined }]);
    await parkAgain();
    // A process that was slow does nothing to what is parked again.
    await Promise.all([messages.act(replay, inbox), messages.act({ ...replay, act: "discard" }, inbox)]);
    expect([await states(), await inbox.load()]).toMatchObject([[["c-1", "parked", 3]], { parked: 1, waiting: 0 }]);

    await messages.act({ ...replay, revision: 3, act: "discard" }, inbox);
    expect([await states(), await inbox.load()]).toMatchObject([[["c-1", "discarded", 4]], { parked: 0, waiting: 0 }]);
    const gone = questionRecord({ correlation_id: "c-2" });
    await end(gone, 8, parked);
    await messages.act({ reference: "c-2", revision: 1, act: "replay" }, inbox);
    expect(await states()).toContainEqual(["c-2", "discarded", 2]);
  });

  test("W17: of two processes that replay and discard one message at once, one does", async () => {
    const { database, inbox, messages, end } = await open();
    for (let round = 1; round <= 10; round += 1) {
      const record = questionRecord({ correlation_id: "c-1" });
      await inbox.accept(record);
      await park(inbox, await taken(inbox, "ask"), "internal");
      await end(record, 1, { outcome: "parked" });
      const [{ reference, revision } = { reference: "", revision: 0 }] = await messages.unreported(1);
      const other = createMessageEnds(database, () => 1);
      await Promise.all([
        messages.act({ reference, revision, act: "replay" }, inbox),
        other.act({ reference, revision, act: "discard" }, createTestInbox(database)),
      ]);
      const [{ state, revision: next } = { state: "", revision: 0 }] = await messages.unreported(1);
      const { waiting, parked } = await inbox.load();
      expect([next, state, waiting, parked]).toEqual([
        revision + 1,
        ...(waiting === 1 ? ["open", 1, 0] : ["discarded", 0, 0]),
      ]);
      await database.db.deleteFrom("job").execute();
    }
  });

  test("a denial that was judged again before the end is none", async () => {
    const { messages, end, states } = await open();
    const record = questionRecord({ correlation_id: "c-1" });
    messages.judged(record, guest);
    await end(record, 1, { outcome: "retried" });
    await end(record, 2);
    expect(await states()).toEqual([["c-1", "answered", 1]]);
  });

  test("O7: questions that wait or are in work are read in order, each once, from the place of the last", async () => {
    const { inbox } = await open();
    const questions = [1, 2, 3].map((n) => questionRecord({ correlation_id: `c-${n}`, thread_ts: `${n}.1` }));
    for (const question of questions) await inbox.accept(question);
    await taken(inbox, "ask");
    const seen: string[] = [];
    let after = { at: 0, id: "" };
    for (let page = 0; page < 3; page += 1) {
      const read = await inbox.questionsAfter(after, { ageMs: 0, most: 2 });
      seen.push(...read.questions.map(({ record }) => record.correlation_id));
      after = read.last;
    }
    expect(seen.toSorted()).toEqual(["c-1", "c-2", "c-3"]);
    expect((await inbox.questionsAfter({ at: 0, id: "" }, { ageMs: 60_000, most: 2 })).questions).toEqual([]);
  });
});

/** Starts an app that stores what becomes of messages, with the log of its reports. */
async function startReporting(clock: Clock) {
  const database = await openTestDatabase();
  const slack = createFakeSlack();
  slack.directory.users["U1"] = { name: "Alice Adams" } as never;
  const app = await startTestApp({
    slack,
    clock,
    inbox: createTestInbox(database),
    messages: createMessageEnds(database, Date.now),
  });
  const reports = (): MessageRecord[] =>
    app.zone.of("report_messages").flatMap(({ params }) => params["messages"] as MessageRecord[]);
  return { app, database, reports };
}

test("O7: execution learns of an answered message, with its author's name, and of one that waits, once", async () => {
  const { app, reports } = await startReporting(systemClock);
  const held = Promise.withResolvers<{ status: "success"; response_text: string }>();
  app.zone.on("execute_task", ({ text }) =>
    text === "slow" ? held.promise : { status: "success", response_text: "!" },
  );
  const [fast, slow] = [directMessage("fast"), directMessage("slow")];
  await app.deliver(fast);
  await app.deliver(slow);
  const states = () => reports().map(({ state }) => state);
  await until(() => expect(states().toSorted()).toEqual(["answered", "open"]));
  expect(reports().find(({ state }) => state === "answered")).toMatchObject({
    ts: fast.ts,
    revision: 1,
    user_name: "Alice Adams",
  });
  expect(reports().find(({ state }) => state === "open")).toMatchObject({
    ts: slow.ts,
    revision: 0,
    judged_at: expect.any(String) as string,
  });
  held.resolve({ status: "success", response_text: "done" });
  await until(() => expect(reports().map(({ state, revision }) => [state, revision])).toContainEqual(["answered", 1]));
  await until(() => expect(reports()).toHaveLength(3));
  expect(JSON.stringify(reports())).not.toMatch(/fast|slow|done/);
});

test("W17: execution is asked for acts only while a message is parked", async () => {
  const looked = vi.spyOn(Inbox.prototype, "questionsAfter");
  const began = performance.now();
  const time = vi.spyOn(performance, "now").mockReturnValue(began);
  onTestFinished(() => [looked, time].forEach((spy) => spy.mockRestore()));
  const { app, database } = await startReporting(hurriedClock);
  await until(() => expect(looked.mock.calls.length).toBeGreaterThan(2));
  expect(app.zone.of("report_messages")).toEqual([]);
  const record = questionRecord({ correlation_id: "c-1", claims: [] });
  await database.batch(createMessageEnds(database, Date.now).ended({ record, attempt: 8 }, { outcome: "parked" }));
  await until(() => expect(app.zone.of("report_messages").length).toBe(1));
  app.zone.on("report_messages", ({ messages }) =>
    messages.length > 0 ? {} : { acts: [{ reference: "c-1", revision: 1, act: "discard" }] },
  );
  time.mockReturnValue(began + 5_001);
  const sizes = () => app.zone.of("report_messages").map(({ params }) => (params["messages"] as unknown[]).length);
  await until(() => expect(sizes()).toEqual([1, 0, 1]));
  expect(app.zone.of("report_messages").at(-1)?.params["messages"]).toMatchObject([
    { reference: "c-1", state: "discarded", revision: 2 },
  ]);
});

test("what execution does not accept is reported again, and answers do not wait for it", async () => {
  const { app, reports } = await startReporting(hurriedClock);
  app.zone.on("report_messages", failing("zone_unavailable"));
  await app.deliver(directMessage("one"));
  await app.deliver(directMessage("two"));
  await until(() => expect(app.slack.messages.filter(({ text }) => /You said/.test(text ?? "")).length).toBe(2));
  await until(() => expect(app.zone.of("report_messages").length).toBeGreaterThan(1));
  const before = app.zone.calls.length;
  app.zone.on("report_messages", () => ({}));
  await until(() => expect(app.zone.calls.length).toBeGreaterThan(before));
  const last = app.zone.of("report_messages").at(-1)?.params["messages"] as MessageRecord[];
  expect(last.map(({ state }) => state)).toEqual(["answered", "answered"]);
  expect(await app.metrics()).toMatch(/^messages_unreported 0$/m);
  expect(reports().every(({ attempts }) => attempts === 1)).toBe(true);
});
