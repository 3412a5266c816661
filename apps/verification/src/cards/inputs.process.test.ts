// suite: rest
import { type InputRequest, ZoneError } from "@crosszone/contracts";
import { describe, expect, test, vi } from "vitest";
import { askInSlack, cardsOf, labels } from "../testing/ask-in-slack.ts";
import { directMessage, startTestApp, type TestApp, until } from "../testing/start-test-app.ts";
import { inputRequest, press, type ScriptedInputs } from "../testing/scripted-inputs.ts";
import { Inbox } from "../inbox/inbox.ts";
import { ThreadStore } from "../inbox/thread-store.ts";
import { createTestInbox, openTestDatabase } from "../testing/test-inbox.ts";
import { before, createFakeSlack, type FakeMessage, type FakeSlack, member } from "../testing/fake-slack.ts";

let app: TestApp;
let inputs: ScriptedInputs;
let thread: string;

const cards = (): FakeMessage[] => cardsOf(app);
const card = (title = ""): FakeMessage => cards().find(({ text }) => text.includes(title)) as FakeMessage;
const decided = (): Record<string, unknown>[] => app.zone.params("answer_input");
const reply = (): string | undefined => app.commandReplies.at(-1)?.reply;

const ask = async (...requests: readonly InputRequest[]): Promise<void> =>
  void ({ app, inputs, thread } = await askInSlack(requests));

describe("a task that waits for a person", () => {
  test("says so in the place of its answer, asks with a card, and its answer follows the decision", async () => {
    await ask(inputRequest());
    // W14: only the card says what it waits for.
    expect(app.slack.answers(thread)[0]?.text).toBe("Let me check.");
    expect(labels(card())).toEqual(["Approve", "Deny"]);
    expect(app.slack.statuses.at(-1)).toBe("suspended");
    expect(await press(app, card().blocks, { label: "Approve" })).toBe(200);
    await until(() => expect(app.slack.answers(thread).at(-1)?.text).toBe("It was approved."));
    await until(() => expect(labels(card())).toEqual([]));
    expect(JSON.stringify(card().blocks)).toContain("Approved by <@U1>");
    expect(reply()).toBe("Approved.");
    await until(() => expect(app.slack.statuses.at(-1)).toBe("active"));
    expect(app.slack.statuses.filter((status) => status === "suspended").length).toBeLessThanOrEqual(2);
    expect(decided()).toEqual([
      {
        request_id: "inp_0123456789abcdef",
        answer: { verdict: "approve" },
        by: { user_id: "U1", team_id: "T1", groups: [] },
        voters: [],
        digest: "a".repeat(64),
      },
    ]);
    expect(cards()).toHaveLength(1);
  });

  test("B1: tells execution the names of its people and groups, once", async () => {
    const decide = { ...inputRequest().decide, groups: ["S1"], requester: true };
    ({ app, inputs, thread } = await askInSlack([inputRequest({ decide, requester: "U2", escalate: ["U3"] })], {
      prepare: ({ slack }) => {
        Object.assign(slack.directory.users, {
          U1: { ...member, name: "Bob Carter" },
          U2: { ...member, name: "Alice <Jones>" },
          U3: undefined,
        });
        slack.handles.set("S1", "oncall");
      },
    }));
    await press(app, card().blocks, { label: "Approve" });
    await until(() => expect(labels(card())).toEqual([]));
    expect(app.zone.of("claim_input_request").map(({ params }) => params["names"])).toEqual([
      { U1: "Bob Carter", U2: "Alice Jones", S1: "@oncall" },
    ]);
  });

  test("says the same in another attempt at its question, which begins before the first has stored the answer", async () => {
    const inbox = createTestInbox(await openTestDatabase());
    const note = vi.spyOn(inbox, "note");
    const stored = Inbox.prototype.note.bind(inbox);
    let failures = 1;
    note.mockImplementation(async (lease, progress, answered) => {
      if (progress.answer !== undefined && failures-- > 0) throw new Error("away");
      return stored(lease, progress, answered);
    });
    ({ app, inputs, thread } = await askInSlack([inputRequest()], { inbox }));
    await until(() => expect(app.slack.answers(thread)[0]?.text).toBe("Let me check."));
    expect(failures).toBe(-1);
  });

  test("one that asks again gets another card", async () => {
    await ask(inputRequest());
    inputs.ask(inputRequest({ request_id: "inp_another_request_1", title: "And restart?" }));
    await press(app, card("Deploy").blocks, { label: "Approve" });
    await until(() => expect(cards()).toHaveLength(2));
    await press(app, card("restart").blocks, { label: "Approve" });
    await until(() => expect(app.slack.answers(thread).at(-1)?.text).toBe("It was approved, approved."));
  });

  test("a stop of the thread cancels it", async () => {
    await ask(inputRequest());
    app.zone.on("cancel_task", ({ task_id }) => {
      inputs.change({ state: "withdrawn", closed_because: "the task was canceled" });
      return { task_id, status: "canceled" };
    });
    await app.deliver({ type: "agent_session_stopped", channel: "C1", thread_ts: thread, user: "U2" });
    await until(() => expect(labels(card())).toEqual([]));
    expect(JSON.stringify(card().blocks)).toContain("Withdrawn");
    expect(app.zone.of("cancel_task")).toHaveLength(1);
  });

  test.each([
    [{}, /^_I wait for an event, and go on by myself\._$/],
    [{ resumes_at: "2099-12-03T09:00:00Z" }, /^I go on by myself: <!date\^4099971600\^/],
  ])("one that waits for no person says %j, is looked at seldom, and is canceled by a stop", async (more, text) => {
    app = await startTestApp({ limits: { ANSWER_DEADLINE: 500 } });
    let isCanceled = false;
    const [task_id, input_requests] = ["task-12345678", [] as InputRequest[]];
    const asleep = { status: "input_required", task_id, input_requests, ...more } as const;
    app.zone.on("execute_task", () => asleep);
    app.zone.on("get_async_task_result", () => {
      if (isCanceled) throw new ZoneError("canceled");
      return asleep;
    });
    app.zone.on("cancel_task", () => {
      isCanceled = true;
      return { task_id, status: "canceled" };
    });
    const question = directMessage("run report");
    const { ts } = question;
    await app.deliver(question);
    await until(() => expect(app.slack.answers(ts)[0]?.text).toMatch(text));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect([app.zone.of("get_async_task_result").length, isCanceled]).toEqual([1, false]);
    expect(app.slack.statuses).not.toContain("suspended");
    await app.deliver({ type: "agent_session_stopped", channel: "D1", thread_ts: ts, user: "U1" });
    await until(() => expect(app.slack.answers(ts).at(-1)).toMatchObject({ footer: "Stopped." }));
  });

  test("a stop of another thread does not", async () => {
    await ask(inputRequest());
    await app.deliver({ type: "agent_session_stopped", channel: "C1", thread_ts: "77.7", user: "U2" });
    await until(() => expect(app.logged("stop_requested")).not.toEqual([]));
    expect(await app.deps.inbox.standing({ request_id: "paused_task:task-12345678" } as never)).toMatchObject({
      ended: undefined,
    });
  });
});

describe("a press", () => {
  test("a double click decides once, and both get a word", async () => {
    await ask(inputRequest());
    const { blocks } = card();
    await Promise.all([press(app, blocks, { label: "Approve" }), press(app, blocks, { label: "Approve" })]);
    await until(() => expect(app.commandReplies).toHaveLength(2));
    expect(app.commandReplies.map((one) => one.reply)).toEqual(["Approved.", "Approved already, by you."]);
  });

  test("approving the second card in a thread does not touch the first", async () => {
    await ask(inputRequest(), inputRequest({ request_id: "inp_another_request_1", title: "And restart?" }));
    await press(app, card("restart").blocks, { label: "Approve" });
    await until(() => expect(labels(card("restart"))).toEqual([]));
    expect(inputs.current("inp_0123456789abcdef").state).toBe("open");
    expect(labels(card("Deploy"))).toEqual(["Approve", "Deny"]);
  });

  test("an answer that does not arrive at its URL is told in the place of the press, in its thread", async () => {
    await ask(inputRequest());
    Object.assign(app.deps.responseUrls, { answer: async () => Promise.reject(new Error("gone")) });
    await press(app, card().blocks, { label: "Approve" });
    await until(() => expect(app.slack.notices).toHaveLength(1));
    expect(app.slack.notices[0]).toMatchObject({ text: "Approved.", user_id: "U1", thread_ts: "1.0", in_thread: true });
  });

  test("counts until enough people have approved", async () => {
    await ask(inputRequest({ decide: { people: ["U1", "U2"], groups: [], requester: false, approve: 2, deny: 1 } }));
    await press(app, card().blocks, { label: "Approve" });
    await until(() => expect(reply()).toBe("Your vote counts. 1 more approval is needed."));
    await until(() => expect(JSON.stringify(card().blocks)).toContain("1 of 2 approvals missing"));
    await press(app, card().blocks, { label: "Approve", user: "U2" });
    await until(() => expect(inputs.current().state).toBe("approved"));
  });

  test("that can't be stored is not acknowledged", async () => {
    await ask(inputRequest());
    vi.spyOn(app.deps.inbox, "accept").mockRejectedValue(new Error("the disk is full"));
    expect(await press(app, card().blocks, { label: "Approve" })).toBe(503);
    expect(decided()).toEqual([]);
  });
});

test("a question that is retried after its task has gone on leaves the answer to what watches the task", async () => {
  let isLost = true;
  const prepare = (given: TestApp, asked: ScriptedInputs): void => {
    const { inbox } = given.deps;
    const note = inbox.note.bind(inbox);
    vi.spyOn(inbox, "note").mockImplementation(async (lease, progress, answered) => {
      if (!isLost || progress.answer === undefined) return note(lease, progress, answered);
      isLost = false;
      await until(() => expect(cardsOf(given)).toHaveLength(1));
      asked.change({ state: "approved" });
      throw new Error("the database is away");
    });
  };
  ({ app, inputs, thread } = await askInSlack([inputRequest()], { prepare }));
  await until(() => expect(app.logged("question_done")).toHaveLength(3));
  expect(app.slack.answers(thread).filter(({ text }) => text === "It was approved.")).toHaveLength(1);
});

test("P2, P9: the first press on a card after a restart counts, and the answer follows", async () => {
  const database = await openTestDatabase();
  const stores = () => ({ inbox: createTestInbox(database), threads: new ThreadStore(database) });
  ({ app, inputs } = await askInSlack([inputRequest()], stores()));
  const first = app;
  const { blocks } = card();
  await first.close();
  app = await startTestApp({ ...stores(), slack: first.slack, zone: first.zone.zone });
  await press(app, blocks, { label: "Approve" });
  await until(() => expect(app.slack.answers().at(-1)?.text).toBe("It was approved."));
  await until(() => expect(cards().map(labels)).toEqual([[]]));
  expect(reply()).toBe("Approved.");
});

describe("a request that only those who can decide see", () => {
  const decide = { people: ["U1", "U2"], groups: ["S1"], requester: false, approve: 1, deny: 1 };

  test("P2: is not visible to the whole channel: it is asked in direct messages, with a neutral line in the thread, and decided in any of them", async () => {
    const request = inputRequest({ visibility: "private", decide, requester: "U9", channel: "C1", thread_ts: "1.0" });
    const prepare = ({ slack }: TestApp): void => {
      slack.groups["S1"] = ["U2", "U3"];
      Object.assign(slack.directory.users, { U1: { ...member, name: "Bob Carter" } });
    };
    ({ app, inputs } = await askInSlack([request], { mostCards: 4, prepare }));
    await until(() => expect(cards().map(({ channel }) => channel)).toEqual(["C1", "DU1", "DU2", "DU3"]));
    const [inThread, first] = cards();
    expect(JSON.stringify(inThread?.blocks)).not.toContain("1.2");
    // By name: a mention would notify them twice.
    expect(inThread?.text).toMatch(
      /^⏳ Waiting for Bob Carter or U2 or members of the user group S1 in a direct message, until <!date/,
    );
    expect(labels(inThread as FakeMessage)).toEqual([]);
    // W14: those who decide see where the question is.
    const link = "<https://acme.slack.example/archives/C1/p10|open thread>";
    expect(JSON.stringify(first?.blocks)).toContain(`Requested by <@U9> in <#C1> · ${link}`);
    inputs.change({ reminders: 1 });
    const reminded = () => app.slack.messages.filter(({ text }) => text.includes("still needs a decision"));
    await until(() => expect(reminded().map(({ channel }) => channel)).toEqual(["DU1", "DU2", "DU3"]));
    await until(() => expect(JSON.stringify(cards().at(-1)?.blocks)).toContain("v3.1."));
    expect(cards()).toHaveLength(4);
    await press(app, first?.blocks, { label: "Approve" });
    await until(() => expect(cards().flatMap(labels)).toEqual([]));
    expect(cards()).toHaveLength(4);
    expect(inputs.current().state).toBe("approved");
  });
});

test.each([
  ["U1", ["D1"], ["Approve", "Deny"]],
  ["U2", ["D1", "DU1", "DU2"], []],
])("in a direct message with the app, %s too can decide: asked in %j", async (other, channels, shown) => {
  const decide = { people: [other], groups: [], requester: true, approve: 1, deny: 1 };
  const request = inputRequest({ decide, requester: "U1" });
  ({ app, inputs } = await askInSlack([request], { mostCards: channels.length, place: {} }));
  expect(
    cards()
      .map(({ channel }) => channel)
      .toSorted(),
  ).toEqual(channels);
  expect(labels(card())).toEqual(shown);
});

describe("W19: who can't be reached does not count where they are asked in direct messages", () => {
  const by = (...people: string[]) => ({ people, groups: [], requester: false, approve: 1, deny: 1 });
  /** A Slack that opens no direct messages with these people. */
  const closedTo = (closed: Record<string, string>): FakeSlack => {
    const slack = createFakeSlack();
    before(slack, "openDirect", (user) => {
      const code = closed[user];
      if (code !== undefined) slack.failNext("openDirect", "refused", { code });
    });
    slack.directory.users["U2"] = { ...member, name: "Bob Carter" };
    return slack;
  };
  const told = () => app.slack.messages.filter(({ channel }) => channel === "COPS").map(({ text }) => text);

  test.each(["user_disabled", "user_not_visible", "cannot_dm_bot", "an_error_of_tomorrow"])(
    "nobody is left after %s: it is denied at once with the reason, and operators are told once",
    async (code) => {
      const request = inputRequest({ decide: by("U2"), requester: "U1" });
      const options = { slack: closedTo({ U2: code }), operatorChannel: "COPS" };
      ({ app, inputs, thread } = await askInSlack([request], { mostCards: 1, place: {}, ...options }));
      await until(() => expect(app.slack.answers(thread).at(-1)?.text).toBe("It was denied."));
      await until(() => expect(card().text).toMatch(/^Denied.* \(No U2\)\.$/));
      const claimed = app.zone.of("claim_input_request").map(({ params }) => params["unreachable"]);
      expect(claimed).toEqual([undefined, ["U2"]]);
      expect(app.logged("input_unreachable")).toHaveLength(1);
      const text =
        "I can’t write to <@U2>, and nobody else can decide the request *Deploy version 1.2?* of <@U1>. It is denied.";
      await until(() => expect(told()).toEqual([text]));
      expect(cards()).toHaveLength(1);
    },
  );

  test("somebody is left: the thread says who is asked and who could not be; it waits", async () => {
    const request = inputRequest({ decide: by("U2", "U3"), requester: "U1" });
    const slack = closedTo({ U2: "user_disabled" });
    ({ app, inputs } = await askInSlack([request], { mostCards: 2, place: {}, slack }));
    await until(() =>
      expect(card().text).toMatch(/^⏳ Waiting for U3 in a direct message, until .*I can’t write to Bob Carter\.$/),
    );
    expect(cards().map(({ channel }) => channel)).toEqual(["D1", "DU3"]);
    await press(app, cards()[1]?.blocks, { label: "Approve", user: "U3" });
    await until(() => expect(inputs.current().state).toBe("approved"));
  });

  test("those who are asked later count; in a channel, where everybody sees the card, so does everybody", async () => {
    const later = { decide: by("U2"), requester: "U1", escalate: ["U3"], remind_at: "2098-01-01T00:00:00Z" };
    const closed = { U2: "user_disabled", U3: "user_disabled" };
    ({ app, inputs } = await askInSlack([inputRequest(later)], { mostCards: 1, place: {}, slack: closedTo(closed) }));
    await until(() => expect(card().text).toBe("I can’t write to Bob Carter."));
    expect(inputs.current().state).toBe("open");
    inputs.change({ reminders: 1, remind_at: undefined });
    await until(() => expect(inputs.current().state).toBe("denied"));
    const inChannel = inputRequest({ decide: by("U2"), requester: "U1" });
    ({ app, inputs } = await askInSlack([inChannel], { slack: closedTo(closed) }));
    await until(() => expect(labels(card())).toEqual(["Approve", "Deny"]));
    expect(inputs.current().state).toBe("open");
  });

  test("W24: a card that Slack refuses in the thread is shown in direct messages, and the requester reads why", async () => {
    const request = inputRequest({ decide: by("U2"), requester: "U1", channel: "C1", thread_ts: "1.0" });
    const slack = createFakeSlack();
    before(slack, "post", ({ channel }, content) => {
      if (channel === "C1" && "blocks" in content) slack.failNext("post", "refused", { code: "no_permission" });
    });
    ({ app, inputs, thread } = await askInSlack([request], { mostCards: 1, slack }));
    await until(() => expect(cards().map(({ channel }) => channel)).toEqual(["DU2"]));
    const toAnn = () => app.slack.messages.filter(({ channel }) => channel === "DU1").map(({ text }) => text);
    await until(() => expect(toAnn()).toHaveLength(1));
    expect(toAnn()[0]).toMatch(
      /^I can’t write in <#C1>, because I have no permission to write there\. .*waits for <@U2>/,
    );
    await press(app, cards()[0]?.blocks, { label: "Approve", user: "U2" });
    await until(() => expect(app.slack.answers(thread).at(-1)?.text).toBe("It was approved."));
  });
});

describe("a card", () => {
  test("a reminder mentions those who can decide, once", async () => {
    await ask(inputRequest());
    inputs.change({ reminders: 1 });
    const reminders = (): FakeMessage[] =>
      app.slack.messages.filter(({ text }) => text.includes("still needs a decision"));
    await until(() => expect(reminders().map(({ text }) => text)).toEqual([expect.stringContaining("<@U1>")]));
    inputs.change({ votes: [] });
    await until(() => expect(JSON.stringify(card().blocks)).toContain("v3.1."));
    expect(reminders()).toHaveLength(1);
  });

  test("P2: is not the record: one that was deleted is posted again with the next change", async () => {
    await ask(inputRequest());
    app.slack.messages.splice(app.slack.messages.indexOf(card()), 1);
    inputs.change({ state: "denied", decided_at: "2026-01-02T00:00:00Z" });
    await until(() => expect(cards().map(({ text }) => text)).toEqual(["Denied: Deploy version 1.2?"]));
  });

  test("a rate limit makes the card late, and is no failed attempt", async () => {
    ({ app, inputs } = await askInSlack([inputRequest()], { limits: { DELIVERY_BUDGET_MS: 1 } }));
    app.slack.failNext("update", "rate_limited", { retryAfterMs: 10 });
    inputs.change({ state: "denied" });
    await until(() => expect(labels(card())).toEqual([]));
    expect(app.logged("question_retried")).toEqual([]);
  });

  test("one whose first response was lost is not posted twice", async () => {
    const prepare = ({ zone, slack }: TestApp): void =>
      zone.on("execute_task", async () => {
        slack.failNext("post", "unavailable", { anyway: true });
        return { status: "input_required", task_id: "task-12345678", input_requests: [inputRequest()] };
      });
    ({ app, inputs } = await askInSlack([inputRequest()], { prepare }));
    inputs.change({ state: "denied" });
    await until(() => expect(labels(card())).toEqual([]));
    expect(cards()).toHaveLength(1);
  });
});
