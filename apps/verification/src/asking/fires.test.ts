import { type Fire, ZoneError } from "@crosszone/contracts";
import { beforeEach, describe, expect, test } from "vitest";
import type { AccessPolicy } from "../policy/rules.ts";
import type { SlackUser } from "../slack/slack-api.ts";
import { createFakeSlack, member } from "../testing/fake-slack.ts";
import { press } from "../testing/scripted-inputs.ts";
import { failing } from "../testing/scripted-zone.ts";
import { createTestInbox, openTestDatabase } from "../testing/test-inbox.ts";
import { createMessageEnds } from "./message-ends.ts";
import { hurriedClock, startTestApp, type TestApp, type TestAppOptions, until } from "../testing/start-test-app.ts";

const fire_id = "11111111-2222-4333-8444-555555555555";
const dueFire = (more: Partial<Fire> = {}): Fire => ({
  fire_id,
  source: "schedule",
  name: "daily",
  title: "Daily report",
  state: "due",
  owner: { team_id: "T1", user_id: "U1" },
  agent: "builtin",
  text: "agents",
  channel: "C1",
  scheduled_at: "2026-01-01T09:00:00Z",
  created_at: "2026-01-01T09:00:00Z",
  ...more,
});

let app: TestApp;
let due: Fire[] = [];
/** Starts an app for which these fires are due until each is taken. */
async function start(fires: Fire[], options?: TestAppOptions): Promise<void> {
  due = fires;
  app = await startTestApp({ clock: hurriedClock, ...options });
  app.zone.on("take_fire", ({ fire_id: taken, outcome }) => {
    due = due.filter((one) => one.fire_id !== taken);
    return { state: outcome === "accepted" ? "running" : "skipped" };
  });
  app.zone.on("list_fires", async () => ({ fires: due }));
}
const taken = () => app.zone.params("take_fire");
const posts = (channel: string) => app.slack.messages.filter((one) => one.channel === channel).map(({ text }) => text);

beforeEach(() => void (due = []));

const direct = "DU1";

test("Q29: the answer takes the place of the message of a fire, whose line stays below; its text is asked as it is in its owner's name", async () => {
  await start([dueFire()], { limits: { MESSAGES_PER_MINUTE: 1 } });
  await until(() => expect(posts("C1")).toEqual(["You said: agents"]));
  expect(taken()).toEqual([{ fire_id, outcome: "accepted" }]);
  const [answer, { ts } = { ts: "" }] = [app.slack.messages[0], ...app.slack.messages];
  const mark = { request_id: fire_id, correlation_id: fire_id, state: "done", asker: "U1", prompt: "agents" };
  expect(answer).toMatchObject({ thread_ts: "", footer: "*Daily report* · schedule of <@U1>", mark });
  const asked = { fire_id, agent: "builtin", text: "agents", user_id: "U1", channel: "C1", thread_ts: ts };
  expect(app.zone.of("execute_task")).toMatchObject([{ id: fire_id, params: asked }]);
  // The rate limit of its owner does not count it.
  await app.deliver({ type: "app_mention", channel: "C1", user: "U1", ts: "2.0", text: "<@UBOT> hi" });
  await until(() => expect(posts("C1")).toContain("You said: hi"));
});

test("X18: a fire that its owner did not write says who did, and its text stays content of others when it is asked again", async () => {
  await start([dueFire({ written_by: "token:ci" })]);
  app.zone.on("execute_task", failing("agent_failed", {}));
  await until(() => expect(app.slack.messages[0]?.controls).toBeDefined());
  const [answer] = app.slack.messages;
  expect(answer?.footer).toBe("*Daily report* · scheduled by token ci for <@U1>");
  await press(app, answer?.controls, { label: "Try again", thread: answer?.ts ?? "" });
  await until(() => expect(app.zone.of("execute_task")).toHaveLength(2));
  expect(app.zone.of("execute_task")[1]?.params).toMatchObject({ offered_by: "schedule:daily" });
});

test("Q29: what a fire shows while it works, waits and ends is one message of the channel, with its line", async () => {
  await start([dueFire({ agent: "sleeper" })], { limits: { SHOW_WORK_AFTER_MS: 0 } });
  const task_id = fire_id;
  let isOver = false;
  const resumes_at = new Date(Date.now() + 100).toISOString();
  app.zone.on("execute_task", () => ({ status: "accepted", task_id }));
  app.zone.on("get_async_task_result", () =>
    isOver
      ? { status: "success", task_id, agent: "sleeper", response_text: "The report" }
      : { status: "input_required", task_id, input_requests: [], resumes_at },
  );
  await until(() => expect(posts("C1")).toEqual([expect.stringMatching(/^I go on by myself/)]));
  expect(app.slack.messages[0]?.footer).toMatch(/^\*Daily report\* · schedule of <@U1>/);
  isOver = true;
  await until(() => expect(posts("C1")).toEqual(["The report"]));
  expect(app.slack.messages[0]).toMatchObject({ thread_ts: "", mark: { asker: "U1", agent: "sleeper" } });
  expect(app.slack.messages[0]?.footer).toMatch(/^\*Daily report\* · schedule of <@U1>/);
});

test("X28: however many fires are due, ten are stored at once, each of them once", async () => {
  const many = Array.from({ length: 35 }, (_, at) =>
    dueFire({ fire_id: `${fire_id.slice(0, -2)}${at + 10}`, thread_ts: "1.0" }),
  );
  await start(many);
  const pages: number[] = [];
  app.zone.on("list_fires", ({ limit }) => {
    const fires = due.slice(0, Number(limit));
    pages.push(fires.length);
    return { fires };
  });
  await until(() => expect(due).toEqual([]));
  expect(Math.max(...pages)).toBe(10);
  expect(taken().map((one) => one["fire_id"])).toHaveLength(35);
});

test("a fire without a channel is answered in its owner's direct messages, one with a thread in that thread", async () => {
  await start([
    dueFire({ channel: undefined, title: undefined, source: "hook", text: "one" }),
    dueFire({ fire_id: fire_id.replaceAll("1", "2"), thread_ts: "1.0", text: "two" }),
  ]);
  await until(() => expect(posts(direct)).toEqual(["You said: one"]));
  await until(() => expect(posts("C1")).toEqual(["You said: two"]));
  const placed = app.slack.messages.map(({ channel, thread_ts, footer }) => [channel, thread_ts, footer]);
  expect(new Set(placed)).toEqual(
    new Set([
      ["C1", "1.0", "*Daily report* · schedule of <@U1>"],
      [direct, "", "*daily* · hook of <@U1>"],
    ]),
  );
});

test("a fire that is listed again is asked once, also after a crash before it was taken", async () => {
  due = [dueFire()];
  app = await startTestApp({ clock: hurriedClock });
  let lists = 0;
  app.zone.on("take_fire", () => {
    if (app.zone.of("take_fire").length < 3) throw new ZoneError("zone_unavailable");
    due = [];
    return { state: "running" };
  });
  app.zone.on("list_fires", () => ({ fires: (lists += 1) > 0 ? due : [] }));
  await until(() => expect(due).toEqual([]));
  await until(() => expect(posts("C1")).toEqual(["You said: agents"]));
  expect(lists).toBeGreaterThan(2);
  expect(app.zone.of("execute_task")).toHaveLength(1);
});

describe("an owner who left", () => {
  test.each<[string, SlackUser | undefined]>([
    ["is deactivated", { ...member, deleted: true }],
    ["is a stranger", { ...member, stranger: true }],
    ["is unknown", undefined],
  ])("%s: nothing is posted, and the operators are told", async (_, user) => {
    const slack = createFakeSlack();
    slack.directory.users["U1"] = user;
    await start([dueFire()], { slack, operatorChannel: "COPS" });
    await until(() => expect(taken()).toEqual([{ fire_id, outcome: "owner_left" }]));
    await until(() => expect(posts("COPS")).toEqual([expect.stringMatching(/^\*Daily report\*.*<@U1> left/)]));
    expect([due, slack.messages.length]).toEqual([[], 1]);
    expect(app.logged("fire_not_asked")).toMatchObject([{ outcome: "owner_left" }]);
  });
});

test.each<[string, Partial<Fire> & { policy?: Partial<AccessPolicy> }, string]>([
  ["the channel", { policy: { allowed_channels: new Set(["C9"]) } }, "I can't answer in this conversation."],
  ["an unknown channel", { channel: "C404" }, "The policy does not allow it: unknown_channel."],
  ["a long text", { text: "x".repeat(100_000) }, "This is too long for me"],
])("a fire that the policy denies for %s is told its owner directly, once", async (_, { policy, ...more }, why) => {
  const slack = createFakeSlack();
  slack.directory.channels["C404"] = undefined;
  const database = await openTestDatabase();
  const messages = createMessageEnds(database, Date.now);
  await start([dueFire(more)], {
    slack,
    policy,
    messages,
    inbox: createTestInbox(database),
    limits: { MAX_QUESTION_CHARACTERS: 99_999 },
  });
  await until(() =>
    expect(posts(direct)).toEqual([expect.stringContaining(`*Daily report* · schedule did not run. ${why}`)]),
  );
  expect(slack.messages).toHaveLength(1);
  await until(() => expect(app.zone.of("report_messages")).not.toEqual([]));
  const [reported] = app.zone.of("report_messages").flatMap(({ params }) => params["messages"]);
  expect(reported).toMatchObject({ reference: fire_id, state: "denied", channel: more.channel ?? "C1" });
  expect(app.zone.of("execute_task")).toEqual([]);
});

test("where the app can't write, a fire is answered in its owner's direct messages, which say why", async () => {
  const slack = createFakeSlack();
  slack.failNext("post", "refused", { code: "not_in_channel" });
  await start([dueFire({ text: "sum" })], { slack });
  await until(() => expect(posts(direct)).toEqual(["You said: sum"]));
  expect(app.slack.messages[0]?.footer).toMatch(/^\*Daily report\*[^]*I am not a member/);
  expect(posts("C1")).toEqual([]);
});

test("a failed fire is asked again by its owner, of the same agent, as it is", async () => {
  await start([dueFire()]);
  app.zone.on("execute_task", failing("agent_failed", {}));
  await until(() => expect(app.slack.messages[0]?.controls).toBeDefined());
  const [answer] = app.slack.messages;
  expect(await press(app, answer?.controls, { label: "Try again", thread: answer?.ts ?? "" })).toBe(200);
  await until(() => expect(app.zone.of("execute_task")).toHaveLength(2));
  const params = { agent: "builtin", text: "agents" };
  expect(app.zone.of("execute_task")[1]).toMatchObject({ params });
  expect(app.zone.of("execute_task")[1]?.params).not.toHaveProperty("fire_id");
});
