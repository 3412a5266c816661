import { describe, expect, test, vi } from "vitest";
import { before, createFakeSlack } from "../testing/fake-slack.ts";
import { interact, interactionPayload } from "../testing/scripted-inputs.ts";
import { directMessage, startTestApp, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;

/** Sends a direct message; resolves with its final answer. */
async function answerTo(text: string): ReturnType<typeof finalAnswer> {
  return finalAnswer((await asked(text)).ts);
}

/** Sends a message without waiting for its answer. */
async function asked(text: string, more = {}): Promise<ReturnType<typeof directMessage>> {
  const message = directMessage(text, more);
  await app.deliver(message);
  return message;
}

const withdrawn = (): unknown[] =>
  app.logs.filter(({ event, outcome }) => event === "question_done" && outcome === "withdrawn");

async function finalAnswer(
  ts: string,
): Promise<{ text: string; state: string | undefined; footer: string | undefined }> {
  await vi.waitFor(() => expect(app.slack.answers(ts)[0]?.mark?.state).toMatch(/done|failed|stopped/));
  const [answer] = app.slack.answers(ts);
  return { text: answer?.text ?? "", state: answer?.mark?.state, footer: answer?.footer };
}

const accepted = { status: "accepted", task_id: "task-12345678" } as const;

async function startSlowTask(): Promise<string> {
  const question = directMessage("slow");
  await app.startSlow(question);
  return question.ts;
}

describe("an answer", () => {
  test("S12: when the file cannot be attached, the thread says how much is missing", async () => {
    app = await startTestApp();
    app.slack.failNext("upload", "refused", { code: "missing_scope" });
    app.zone.on("execute_task", () => ({ status: "success", response_text: "word ".repeat(18_000) }));
    expect((await answerTo("go")).text).toMatch(/the whole answer follows as a file\._$/);
    await vi.waitFor(() => expect(app.slack.answers()).toHaveLength(2));
    expect(app.slack.answers()[1]?.text).toMatch(/could not be attached .* [\d,]+ of 90,000 characters are missing/);
  });

  test("the answer is posted when the placeholder was deleted or never posted", async () => {
    app = await startTestApp();
    app.slack.failNext("update", "refused", { code: "message_not_found" });
    expect(await app.deliver(directMessage("first"))).toBe(200);
    await vi.waitFor(() => expect(app.slack.answers().at(-1)?.text).toBe("You said: first"));
    app.slack.failNext("post", "refused", { code: "restricted_action" });
    expect((await answerTo("second")).text).toBe("You said: second");
  });

  test.each([
    "invalid_blocks",
    "msg_blocks_too_long",
    "msg_too_long",
    "invalid_arguments",
    "invalid_attachments",
    "markdown_text_conflict",
    "no_text",
    "an_error_of_tomorrow",
  ])("W1: after %s, the answer arrives as plain text, else as a file", async (code) => {
    app = await startTestApp();
    app.slack.failNext("update", "refused", { code });
    expect(await answerTo("AT&T *hi*")).toEqual({ text: "You said: AT&amp;T *hi*", state: "done" });
    for (let forms = 0; forms < 2; forms += 1) app.slack.failNext("update", "refused", { code });
    const { text, state } = await answerTo("hi");
    const [, filename = ""] = /in the file `(answer-[\w-]+\.md)`/.exec(text) ?? [];
    expect([app.slack.uploads, state]).toEqual([[{ filename, content: "You said: hi" }], "done"]);
    const refused = app.logged("answer_refused").map(({ next }) => next);
    expect(refused).toEqual(["plain text", "plain text", "file"]);
  });

  test("W1, S13: only when Slack refuses every form, the person sees a sentence, and the log has the reason", async () => {
    app = await startTestApp();
    for (let forms = 0; forms < 2; forms += 1) app.slack.failNext("update", "refused", { code: "msg_too_long" });
    app.slack.failNext("upload", "refused", { code: "missing_scope_of_files" });
    expect(await answerTo("hi")).toEqual({
      text: expect.stringMatching(/^Something went wrong on our side.*Reference: /s),
      state: "failed",
    });
    await vi.waitFor(() => expect(app.logged("answer_lost")).toHaveLength(1));
  });

  test("W1: a part that Slack refuses does not cost the other parts", async () => {
    app = await startTestApp();
    app.zone.on("execute_task", () => ({ status: "success", response_text: `${"word ".repeat(4_000)}end` }));
    app.slack.failNext("update", "refused", { code: "invalid_blocks" });
    const { ts } = await asked("go");
    await vi.waitFor(() => expect(app.slack.answers(ts).map(({ mark }) => mark?.state)).toEqual(["done", "done"]));
    const [first, second] = app.slack.answers(ts);
    expect(JSON.stringify(first?.blocks)).toContain("rich_text_section");
    expect(second?.text).toMatch(/word end$/);
  });

  test.each([
    "restricted_action_thread_locked",
    "not_in_channel",
    "is_archived",
    "channel_not_found",
    "restricted_action",
    "cannot_reply_to_message",
    "team_access_not_granted",
    "no_permission",
    "message_limit_exceeded",
  ])("W13, W24: after %s, the answer reaches the person once, as a direct message", async (code) => {
    app = await startTestApp();
    for (let posts = 0; posts < 2; posts += 1) app.slack.failNext("post", "refused", { code });
    const { ts } = await asked("<@UBOT> hi", { type: "app_mention", channel: "C1", channel_type: undefined });
    const direct = (): unknown[] => app.slack.messages.filter(({ channel }) => channel === "DU1");
    await vi.waitFor(() => expect(direct()).toHaveLength(1));
    expect(direct()).toMatchObject([
      { text: expect.stringMatching(/^_I can’t answer in <#C1>, because .*You said: hi$/s) },
    ]);
    await vi.waitFor(() => expect(app.logged("answer_redirected")).toHaveLength(1));
    expect(app.slack.answers(ts)).toEqual([]);
  });

  test.each([
    ["C1", "<#C1>", "DU1"],
    ["D1", undefined, "DU1"],
  ])(
    "W24: where %s refuses every text, even for a reason of tomorrow, the answer is a direct message",
    async (channel, where, direct) => {
      const slack = createFakeSlack();
      before(slack, "post", (place) => {
        if (place.channel === channel) slack.failNext("post", "refused", { code: "an_error_of_tomorrow" });
      });
      app = await startTestApp({ slack });
      const isDirect = channel.startsWith("D");
      await asked("<@UBOT> hi", { channel, ...(!isDirect && { type: "app_mention", channel_type: undefined }) });
      const ends = ["answer_redirected", "answer_lost"];
      await vi.waitFor(() => expect(app.logs.filter(({ event }) => ends.includes(String(event)))).toHaveLength(1));
      const arrived = slack.messages.filter((one) => one.channel === direct && one.mark !== undefined);
      const why = `_I can’t answer in ${where}, because this workspace does not allow it. This is the answer to your question there:_`;
      // A direct message that refuses everything has no other place.
      expect(arrived.map(({ text }) => text)).toEqual(isDirect ? [] : [`${why}\n\nYou said: hi`]);
    },
  );

  test("W24: a notice and a press that Slack refuses in their place are direct messages too", async () => {
    app = await startTestApp({ policy: { allowed_users: new Set(["U2"]) } });
    app.slack.failNext("tell", "refused", { code: "an_error_of_tomorrow" });
    await asked("<@UBOT> hi", { type: "app_mention", channel: "C1", channel_type: undefined });
    const direct = () => app.slack.messages.filter(({ channel }) => channel === "DU1").map(({ text }) => text);
    await vi.waitFor(() => expect(direct()).toHaveLength(1));
    expect(direct()[0]).toMatch(/^About your message in <#C1>: /);
    app.slack.failNext("tell", "refused", { code: "an_error_of_tomorrow" });
    const action = { action_id: `answer:again:${"a".repeat(20)}`, value: "1.0" };
    await interact(app, interactionPayload({ actions: [action] }));
    await vi.waitFor(() => expect(direct()).toHaveLength(2));
    expect(app.logged("notice_lost")).toEqual([]);
  });

  test("W3: nothing stays of a question whose message is gone, and its task is canceled", async () => {
    app = await startTestApp();
    app.zone.on("execute_task", () => accepted);
    app.slack.failNext("post", "refused", { code: "posted_elsewhere" });
    const { ts } = await asked("secret");
    await vi.waitFor(() => expect(app.zone.of("cancel_task")).toHaveLength(1));
    await vi.waitFor(() => expect(withdrawn()).toHaveLength(1));
    expect([app.slack.answers(ts), app.slack.uploads]).toEqual([[], []]);
    expect(app.logged("thread_gone")).toHaveLength(1);
  });

  test("W3: an answer to a deleted question is not retried, and no apology is posted", async () => {
    const slack = createFakeSlack();
    before(slack, "update", () => slack.failNext("post", "refused", { code: "posted_elsewhere" }));
    app = await startTestApp({ slack });
    slack.failNext("update", "refused", { code: "message_not_found" });
    const { ts } = await asked("secret");
    await vi.waitFor(() => expect(withdrawn()).toHaveLength(1));
    expect(app.slack.answers(ts).map(({ mark }) => mark?.state)).toEqual(["working"]);
  });

  test("S12: a placeholder whose post got no response is found, and becomes the answer", async () => {
    const slack = createFakeSlack();
    app = await startTestApp({ slack, clock: { now: Date.now, sleep: async () => undefined } });
    for (let count = 0; count < 3; count += 1) slack.failNext("post", "unavailable", { anyway: count === 0 });
    slack.failNext("replies", "unavailable");
    expect((await answerTo("hi")).state).toMatch(/done|failed/);
    expect(slack.answers()).toHaveLength(1);
  });

  test("does not wait for the thread's status, nor does the next question", async () => {
    const slack = createFakeSlack();
    const hanging = Promise.withResolvers<void>();
    app = await startTestApp({ slack: { ...slack, setSessionStatus: () => hanging.promise } });
    const first = await asked("first");
    await asked("the second", { thread_ts: first.ts });
    await vi.waitFor(() =>
      expect(slack.answers(first.ts).map(({ text }) => text)).toEqual(["You said: first", "You said: the second"]),
    );
    hanging.resolve();
  });
});

describe("a failure", () => {
  test("an answer that Slack refuses is logged, and the next question is answered", async () => {
    app = await startTestApp();
    app.slack.failNext("update", "refused", { code: "is_inactive" });
    await asked("lost");
    const lost = (): unknown => app.logged("answer_lost")[0];
    await vi.waitFor(() =>
      expect(lost()).toMatchObject({ kind: "slack_refused", code: "is_inactive", request_id: expect.any(String) }),
    );
    expect((await answerTo("next")).state).toBe("done");
  });

  test("at the deadline the task is canceled, and the person sees a sentence", async () => {
    app = await startTestApp({ limits: { ANSWER_DEADLINE: 150 } });
    const ts = await startSlowTask();
    expect((await finalAnswer(ts)).text).toMatch(/^This took too long/);
    await vi.waitFor(() => expect(app.zone.of("cancel_task")).toHaveLength(1));
  });
});

describe("stop", () => {
  const button = (thread_ts: string): Record<string, unknown> => ({
    type: "agent_session_stopped",
    channel: "D1",
    thread_ts,
    user: "U1",
    streaming_message_ts: [],
  });

  test.each([
    ["Slack's own button", button],
    ["`stop` in the thread", (ts: string) => directMessage("Stop.", { thread_ts: ts })],
    ["`cancel` in the conversation", () => directMessage("cancel")],
  ])("%s ends the task and its message says so", async (_how, event) => {
    app = await startTestApp();
    const ts = await startSlowTask();
    expect(await app.deliver(event(ts))).toBe(200);
    expect(await finalAnswer(ts)).toMatchObject({ text: "", state: "stopped", footer: "Stopped." });
    await vi.waitFor(() => expect(app.zone.of("cancel_task")).toHaveLength(1));
    expect(app.slack.answers()).toHaveLength(1);
  });

  test("ends a task between two changes of its steps, and the message shows how far the task got", async () => {
    app = await startTestApp();
    app.zone.on("execute_task", () => accepted);
    app.zone.on("get_async_task_result", ({ task_id }) => {
      const done = app.zone.of("get_async_task_result").length;
      const steps = [
        { id: "one", title: "One", state: "succeeded" as const, depth: 0 },
        { id: "two", title: "Two", state: "running" as const, depth: 0, done, total: 1_000 },
        { id: "three", title: "Three", state: "pending" as const, depth: 0 },
      ];
      return { status: "working", task_id, progress: { revision: done, steps } };
    });
    const { ts } = await asked("run it: now");
    await vi.waitFor(() => expect(app.slack.answers(ts)[0]?.text).toContain("◐ Two (1/1000)"));
    await asked("stop", { thread_ts: ts });
    await vi.waitFor(() => expect(app.zone.of("cancel_task")).toHaveLength(1));
    expect((await finalAnswer(ts)).text).toMatch(/^✓ One\n– Two \(\d+\/1000\)\n– Three$/);
  });

  test("written when nothing runs is answered; the button is not", async () => {
    app = await startTestApp();
    expect((await answerTo("stop")).text).toBe("Nothing is running here.");
    await app.deliver(button("1.5"));
    await vi.waitFor(() => expect(app.logged("stop_requested")).toHaveLength(2));
    expect(app.slack.answers()).toHaveLength(1);
  });

  test("that another process received ends the task here within two seconds", async () => {
    app = await startTestApp();
    const ts = await startSlowTask();
    await app.deps.inbox.stop({ team_id: "T1", channel: "D1", thread_ts: ts }, { request_id: "elsewhere" });
    expect(await finalAnswer(ts)).toMatchObject({ text: "", state: "stopped", footer: "Stopped." });
    await vi.waitFor(() => expect(app.zone.of("cancel_task")).toHaveLength(1));
  });
});

test("at shutdown, unfinished questions are released for the next process", async () => {
  app = await startTestApp();
  const release = vi.spyOn(app.deps.inbox.jobs.store, "release");
  const ts = await startSlowTask();
  await app.close(50);
  expect(release).toHaveBeenCalledTimes(1);
  expect(app.slack.answers(ts).map(({ text }) => text)).toEqual(["Working on it…"]);
  expect(app.zone.of("cancel_task")).toEqual([]);
  expect(app.slack.statuses).toEqual(["processing"]);
});
