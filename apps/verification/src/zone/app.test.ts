import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createTestInbox, openTestDatabase } from "../testing/test-inbox.ts";
import { InboxFullError } from "../inbox/record-ends.ts";
import { createFakeSlack } from "../testing/fake-slack.ts";
import {
  channelMessage,
  directMessage,
  launchTestApp,
  signed,
  startTestApp,
  type TestApp,
} from "../testing/start-test-app.ts";

let app: TestApp;

const answered = (count = 1): Promise<void> =>
  vi.waitFor(() => expect(app.slack.answers().filter(({ mark }) => mark?.state !== "working")).toHaveLength(count));
const verdicts = (): unknown[] => app.logs.filter(({ verdict }) => verdict !== undefined).map(({ verdict }) => verdict);

describe("an event for the app", () => {
  test("S5, S6: when the inbox refuses an event, Slack gets an error, no claim remains, and the retry is answered", async () => {
    const inbox = createTestInbox(await openTestDatabase());
    const accept = vi.spyOn(inbox, "accept").mockRejectedValueOnce(new InboxFullError("no room"));
    app = await startTestApp({ inbox });
    const message = directMessage("hello");
    expect(await app.deliver(message, { event_id: "Ev1" })).toBe(503);
    expect(app.logged("event_not_stored")[0]).toMatchObject({ kind: "internal" });
    const body = JSON.stringify({
      type: "event_callback",
      event_id: "Ev1",
      api_app_id: "A1",
      team_id: "T1",
      event: message,
    });
    const headers = { ...signed(body), "x-slack-retry-num": "1", "x-slack-retry-reason": "http_error" };
    expect((await fetch(`${app.url}/slack/events`, { method: "POST", headers, body })).status).toBe(200);
    await answered();
    expect(accept).toHaveBeenCalledTimes(2);
  });

  test("S20: events get 503 until Slack has returned the bot's identity, and are answered when Slack retries", async () => {
    const slack = createFakeSlack();
    const { promise: waiting, resolve } = Promise.withResolvers<void>();
    slack.failNext("identity", "unavailable");
    app = await launchTestApp({ slack: { ...slack, identity: () => waiting.then(slack.identity) } });
    onTestFinished(() => app.close());
    const message = directMessage("early");
    expect(await app.deliver(message)).toBe(503);
    expect((await fetch(`${app.url}/readyz`)).status).toBe(503);
    resolve();
    await app.started;
    expect(await app.deliver(message)).toBe(200);
    expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
    await answered();
    expect(app.slack.calls.filter((call) => call === "identity")).toHaveLength(2);
    expect(app.logged("slack_not_identified")[0]).toMatchObject({ attempt: 1 });
  });
});

describe("an event that is not for the app", () => {
  test.each([
    ["not_addressed", channelMessage("chatter")],
    ["not_addressed", channelMessage("a reply in a thread of others", { thread_ts: "900.1" })],
    ["not_addressed", channelMessage("<@U2> what do you think?", { thread_ts: "900.1" })],
    ["bot", directMessage("hi", { subtype: "bot_message", bot_id: "BOTHER", user: undefined })],
    ["bot", directMessage("hi", { bot_id: "BOTHER", user: undefined })],
    ["self", directMessage("hi", { user: "UBOT" })],
    ["self", directMessage("hi", { bot_id: "BBOT" })],
    ["edited", directMessage("", { subtype: "message_changed", hidden: true })],
    ["deleted", directMessage("", { subtype: "message_deleted", hidden: true })],
    ["other_subtype", channelMessage("joined", { subtype: "channel_join" })],
    ["hidden", directMessage("hi", { hidden: true })],
    ["incomplete", directMessage("hi", { user: undefined })],
    ["foreign_author", channelMessage("<@UBOT> hi", { user_team: "T2" })],
  ])("%s is counted and gets no reply", async (verdict, event) => {
    app = await startTestApp();
    expect(await app.deliver(event)).toBe(200);
    expect(verdicts()).toEqual([verdict]);
    expect(await app.metrics()).toContain(`slack_events_total{verdict="${verdict}"} 1`);
    expect(app.slack.calls).toEqual(["identity"]);
  });

  test("an event of another app is refused permanently, one of another workspace is ignored; both are logged", async () => {
    app = await startTestApp();
    expect(await app.deliver(directMessage("hi"), { api_app_id: "A2" })).toBe(403);
    const unnamed = { authorizations: undefined };
    expect(await app.deliver(directMessage("hi"), { team_id: "T2", ...unnamed })).toBe(200);
    expect(await app.deliver(directMessage("hi"), { authorizations: [{ team_id: "T2" }] })).toBe(200);
    expect(await app.deliver(directMessage("hi"), { team_id: undefined, ...unnamed })).toBe(200);
    const refused = app.logs.filter(({ event, level }) => event === "event_refused" && level === "warn");
    expect(refused.map(({ verdict }) => verdict)).toEqual([
      "wrong_app",
      "foreign_team",
      "foreign_team",
      "foreign_team",
    ]);
    expect(app.slack.calls).toEqual(["identity"]);
  });

  test.each<[string, Record<string, unknown>, Record<string, unknown>?]>([
    ["envelope", { team_id: ["T2"], context_team_id: "T1", authorizations: undefined }],
    ["context", { context_team_id: { id: "T2" }, authorizations: null }],
    ["list of authorizations", { authorizations: { team_id: "T2" } }],
    ["list with one readable entry", { authorizations: [{ team_id: 2 }, { team_id: "T2" }] }],
    ["author", {}, { user_team: ["T2"] }],
    ["author, in the other member", {}, { team: 2 }],
  ])("S10: a team that can't be read is not one of our teams: of the %s", async (_where, envelope, more) => {
    app = await startTestApp();
    expect(await app.deliver(directMessage("hi", more), envelope)).toBe(200);
    expect(verdicts()).toEqual([more ? "foreign_author" : "foreign_team"]);
    expect(app.slack.calls).toEqual(["identity"]);
  });

  test("a null team counts as a missing team", async () => {
    app = await startTestApp();
    const authorizations = [{ team_id: null, enterprise_id: "E1" }];
    await app.deliver(directMessage("hi", { user_team: null }), { context_team_id: null, authorizations });
    expect(verdicts()).toEqual(["accepted"]);
  });
});

test("an app that is stopped before Slack returns the bot's identity starts nothing afterwards", async () => {
  const asked = Promise.withResolvers<void>();
  const saying = Promise.withResolvers<void>();
  const slack = createFakeSlack();
  const identity = async (): ReturnType<typeof slack.identity> => {
    asked.resolve();
    await saying.promise;
    return slack.identity();
  };
  const inbox = createTestInbox(await openTestDatabase());
  const take = vi.spyOn(inbox.jobs.store, "take");
  app = await launchTestApp({ inbox, slack: { ...slack, identity } });
  await asked.promise;
  await app.close(0);
  saying.resolve();
  await app.started;
  // A started worker looks for records at once.
  expect(take).not.toHaveBeenCalled();
  expect(app.logs.map(({ event }) => event)).not.toContain("slack_identified");
});
