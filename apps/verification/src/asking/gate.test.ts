import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  actsIn,
  createTestInbox,
  takeOne,
  openTestAudit,
  openTestDatabase,
  questionRecord,
  retryLater,
} from "../testing/test-inbox.ts";
import { ruleNames } from "../policy/rules.ts";
import { createFakeSlack, member } from "../testing/fake-slack.ts";
import { channelMessage, directMessage, hurriedClock, startTestApp, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;

async function start(overrides?: Parameters<typeof startTestApp>[0]): Promise<void> {
  app = await startTestApp(overrides);
  app.slack.directory.users["UGUEST"] = { ...member, guest: true };
  app.slack.directory.users["USTRANGER"] = { ...member, stranger: true };
}

const denied = (): Record<string, unknown>[] => app.logged("policy_denied");
const mention = (text: string, more = {}) => channelMessage(`<@UBOT> ${text}`, more);

describe("a message that is denied", () => {
  test("gets at most sixty notices a minute per person", async () => {
    await start();
    const stopped = vi.spyOn(performance, "now").mockReturnValue(performance.now());
    onTestFinished(() => stopped.mockRestore());
    app.slack.directory.users["UGUEST2"] = { ...member, guest: true };
    for (let sent = 0; sent < 64; sent += 1) await app.deliver(mention("hi", { user: "UGUEST" }));
    await app.deliver(mention("hi", { user: "UGUEST2" }));
    await vi.waitFor(() => expect(denied()).toHaveLength(65));
    await vi.waitFor(() => expect(app.slack.notices).toHaveLength(61));
    expect(app.slack.notices.at(-1)?.user_id).toBe("UGUEST2");
  });

  test("gets its notice in the thread only if the thread exists, because Slack would not show it otherwise", async () => {
    await start();
    await app.deliver(mention("one", { user: "UGUEST" }));
    await app.deliver(mention("two", { user: "UGUEST", thread_ts: "900.1" }));
    await vi.waitFor(() => expect(app.slack.notices.map(({ in_thread }) => in_thread)).toEqual([false, true]));
  });

  test("does not delay a shutdown when Slack is slow to accept the notice", async () => {
    await start();
    app.slack.failNext("tell", "rate_limited", { retryAfterMs: 20_000 });
    await app.deliver(mention("one", { user: "UGUEST" }));
    await vi.waitFor(() => expect(app.slack.calls).toContain("tell"));
    const stopped = app.close(100).then(() => "stopped");
    expect(await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, 15_000, "held up"))])).toBe(
      "stopped",
    );
  });

  test("gets its notice on a retry when Slack is busy, and a log line when Slack refuses the notice", async () => {
    await start({ clock: { now: Date.now, sleep: async () => undefined } });
    app.slack.failNext("tell", "rate_limited", { retryAfterMs: 1_000 });
    await app.deliver(directMessage("one", { user: "UGUEST" }));
    await vi.waitFor(() => expect(app.slack.notices).toHaveLength(1));
    app.slack.failNext("tell", "refused", { code: "user_not_in_channel" });
    await app.deliver(directMessage("two", { user: "UGUEST" }));
    await vi.waitFor(() => expect(app.logged("notice_lost")[0]).toMatchObject({ code: "user_not_in_channel" }));
    expect(app.slack.notices).toHaveLength(1);
  });

  test("because Slack did not return its author gets a notice that says so, and a log line with the cause", async () => {
    await start();
    app.slack.failNext("user", "unavailable", { code: "http_500" });
    app.slack.failNext("user", "unavailable", { code: "http_500" });
    await app.deliver(directMessage("hi"));
    await vi.waitFor(() => expect(app.slack.notices[0]?.text).toMatch(/^I could not check whether I may answer/));
    expect(denied()).toMatchObject([{ rule: "user_exists", reason: "check_failed", level: "warn", code: "http_500" }]);
    expect(app.zone.calls).toEqual([]);
  });

  test("is judged even if the process ended between the acknowledgment and the verdict", async () => {
    const inbox = createTestInbox(await openTestDatabase());
    await inbox.accept(questionRecord({ user_id: "UGUEST" }));
    await start({ inbox });
    await vi.waitFor(() => expect(app.slack.notices).toHaveLength(1));
    expect(app.zone.calls).toEqual([]);
  });

  /** Opens an inbox with a question that a crashed worker has begun, and a Slack with its placeholder. */
  async function beginQuestion(user_id: string) {
    const inbox = createTestInbox(await openTestDatabase());
    const record = questionRecord({ user_id });
    await inbox.accept(record);
    const slack = createFakeSlack();
    const { request_id, correlation_id } = record;
    await slack.post(record, { text: "Working on it…", mark: { request_id, correlation_id, state: "working" } });
    const question = await takeOne(inbox, "ask");
    await retryLater(inbox, question as NonNullable<typeof question>, 0);
    return { inbox, slack };
  }

  test("S13: replaces the placeholder of a worker that crashed", async () => {
    const { inbox, slack } = await beginQuestion("UGUEST");
    await start({ slack, inbox });
    await vi.waitFor(() => expect(slack.answers()[0]).toMatchObject({ mark: { state: "failed" } }));
    expect(slack.answers()).toHaveLength(1);
    expect(slack.answers()[0]?.text).toMatch(/^I do not answer guests/);
  });

  test("S13: is judged again, not denied, if a crashed worker has begun it and Slack does not return its author", async () => {
    const { inbox, slack } = await beginQuestion("U1");
    for (let failures = 0; failures < 2; failures += 1) slack.failNext("user", "rate_limited", { retryAfterMs: 0 });
    await start({ slack, inbox, clock: hurriedClock });
    await vi.waitFor(() => expect(slack.answers()[0]).toMatchObject({ mark: { state: "done" } }));
    expect(denied()).toMatchObject([{ reason: "check_failed" }]);
    expect(slack.answers()).toHaveLength(1);
    expect(slack.notices).toEqual([]);
  });
});

describe("a stop", () => {
  test("stops nothing if the policy denies its author", async () => {
    await start();
    const root = mention("slow");
    await app.startSlow(root);
    await app.deliver(mention("stop", { thread_ts: root.ts, user: "UGUEST" }));
    await app.deliver({ type: "agent_session_stopped", channel: "C1", thread_ts: root.ts, user: "UGUEST" });
    await vi.waitFor(() => expect(app.slack.notices).toHaveLength(2));
    expect(app.zone.of("cancel_task")).toEqual([]);
    await app.deliver(mention("stop", { thread_ts: root.ts }));
    await vi.waitFor(() => expect(app.zone.of("cancel_task")).toHaveLength(1));
  });
});

describe("a message that exceeds a limit", () => {
  const big = { id: "F1", name: "a.bin", mime_type: "application/octet-stream", size: 2_000_000 };

  test.each([
    ["text", directMessage("x".repeat(21)), /up to 20 characters/],
    ["files", directMessage("", { files: [{ id: "F1" }, { id: "F2" }] }), /up to 1 in one message/],
    ["a file", directMessage("", { files: [{ id: "F1", size: 2_000_000 }] }), /up to 1 MB each/],
  ])("of %s is refused with the limit", async (_what, event, sentence) => {
    await start({ limits: { MAX_QUESTION_CHARACTERS: 20, MAX_FILES: 1 } });
    await app.deliver(event);
    await vi.waitFor(() => expect(app.slack.notices[0]?.text).toMatch(sentence));
    expect(app.zone.calls).toEqual([]);
  });

  test("is refused in place of the answer if its files were found later", async () => {
    await start();
    const event = { ...mention("read this"), type: "app_mention" };
    app.slack.say({ ts: event.ts, text: "", files: [big] });
    await app.deliver(event);
    await vi.waitFor(() => expect(app.slack.answers(event.ts)[0]?.text).toMatch(/up to 1 MB each/));
    expect(app.slack.answers(event.ts)[0]?.mark?.state).toBe("failed");
    expect(app.zone.calls).toEqual([]);
    expect(denied()).toMatchObject([{ rule: "files", stage: "files" }]);
  });
});

describe("V1: the audit log", () => {
  test("records a denied question before its author reads the denial, and records no allowed question", async () => {
    const database = await openTestDatabase();
    const audit = await openTestAudit(database);
    let isAway = true;
    const record: typeof audit.record = async (act) =>
      isAway ? Promise.reject(new Error("connection lost")) : audit.record(act);
    await start({ audit: { ...audit, record }, clock: hurriedClock });
    await app.deliver(directMessage("hi"));
    await app.deliver(directMessage("hi", { user: "UGUEST" }));
    await vi.waitFor(() => expect(denied()).toHaveLength(2));
    expect(app.slack.notices).toEqual([]);
    isAway = false;
    await vi.waitFor(() => expect(app.slack.notices).toHaveLength(1));
    const [act, ...others] = await actsIn(database);
    expect(others).toEqual([]);
    expect(act).toMatchObject({
      action: "question.reject",
      outcome: "rejected",
      actor: { type: "person", id: "UGUEST", team: "T1" },
      target: { type: "message", id: denied()[0]?.["correlation_id"] },
      details: { rule: "no_guests", reason: "guest", kind: "ask" },
      policy: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
  });

  test("has a message of another team once, however often Slack sends it", async () => {
    await start();
    const event = mention("hi");
    const ofTeam = { team_id: "T2", authorizations: [{ team_id: "T2" }] };
    await app.deliver(event, ofTeam);
    await app.deliver({ ...event, type: "app_mention" }, ofTeam);
    expect((await app.acts()).map(({ details }) => details?.["reason"])).toEqual(["foreign_team"]);
  });
});

test("every verdict is logged with its rules, person, channel and duration", async () => {
  await start();
  await app.deliver(mention("private words", { user_team: "T1" }));
  await vi.waitFor(() => expect(app.slack.answers()[0]?.mark?.state).toBe("done"));
  const [line, ...others] = app.logged("policy_allowed");
  expect(others).toEqual([]);
  const [call] = app.zone.of("execute_task");
  expect(line).toMatchObject({
    correlation_id: call?.params["correlation_id"],
    request_id: call?.id,
    user_id: "U1",
    channel: "C1",
    teams: ["T1"],
    author_teams: ["T1"],
    duration_ms: expect.any(Number),
  });
  // One workspace has no install page.
  expect(Object.keys(line?.["rules"] as object)).toEqual(ruleNames.filter((name) => name !== "installer"));
  const metrics = await app.metrics();
  expect(metrics).toContain('policy_verdicts_total{rule="user_list",verdict="allowed"} 1');
  expect(metrics).toContain('policy_duration_seconds_count{stage="flow"} 1');
  expect(JSON.stringify(app.logs)).not.toContain("private");
});
