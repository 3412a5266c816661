import type { SaveScheduleParams, Schedule } from "@crosszone/contracts";
import type { ModalView } from "@slack/web-api";
import { beforeEach, describe, expect, test } from "vitest";
import { hostileAnswers, rawHostile } from "@crosszone/contracts/hostile";
import type { AccessPolicy } from "../policy/rules.ts";
import { labels } from "../testing/ask-in-slack.ts";
import { createFakeSlack, type FakeSlack, member } from "../testing/fake-slack.ts";
import { elementsOf, interact, interactionPayload, press, sendForm, submit } from "../testing/scripted-inputs.ts";
import { scheduleBlocks } from "./home-view.ts";
import { ResponseUrlError } from "../slack/response-urls.ts";
import { failing } from "../testing/scripted-zone.ts";
import { startTestApp, type TestApp, type TestAppOptions, until } from "../testing/start-test-app.ts";

const saved = (more: Partial<Schedule> = {}): Schedule => ({
  name: "daily-report",
  settings: {
    title: "Daily report",
    owner: { team_id: "T1", user_id: "U1" },
    agent: "builtin",
    text: "sum it up",
    cron: "30 9 * * 1-5",
    zone: "Europe/Berlin",
    channel: "C1",
    cap: { fires: 5 },
  },
  state: "active",
  source: "slack",
  next_at: ["2026-12-01T08:30:00Z", "2026-12-02T08:30:00Z", "2026-12-03T08:30:00Z"],
  changed_at: "2026-11-28T10:00:00Z",
  changed_by: "person:U1",
  ...more,
});

let app: TestApp;
let slack: FakeSlack;
async function start(policy: Partial<AccessPolicy> = {}, more: TestAppOptions = {}): Promise<void> {
  app = await startTestApp({ slack, policy, ...more });
  app.zone.on("save_schedule", ({ name }) => ({ schedule: saved({ name }) }));
}
beforeEach(async () => {
  slack = createFakeSlack();
  slack.directory.users["U1"] = { ...member, name: "Ann", tz: "Europe/Berlin" };
});

/** Types a slash command as Slack sends it. */
async function type(text: string, channel_id = "C1"): Promise<void> {
  const form = { command: "/agents", text, api_app_id: "A1", team_id: "T1", user_id: "U1", channel_id };
  const hook = { response_url: "https://hooks.slack.com/commands/1", trigger_id: "12.34" };
  expect((await sendForm(app, { ...form, ...hook })).status).toBe(200);
}

/** Resolves with the modal that was opened last. */
async function opened(): Promise<ModalView> {
  await until(() => expect(slack.modals).not.toEqual([]));
  return slack.modals.at(-1)?.modal as ModalView;
}

const entered = {
  name: { value: "Daily report" },
  agent: { selected_option: { value: "builtin" } },
  answer: { value: "sum it up" },
  when: { selected_option: { value: "weekday" } },
  time: { selected_time: "09:30" },
  cron: { value: null },
  zone: { value: "Europe/Berlin" },
  channel: { selected_conversation: "C1" },
  fires: { value: "5" },
  tokens: { value: "1000" },
};

describe("/agents schedule", () => {
  test("opens a modal in the person's time zone, and its submit says when it fires next", async () => {
    await start();
    await type("schedule");
    const modal = await opened();
    expect(slack.modals[0]?.by).toBe("12.34");
    expect(JSON.stringify(modal)).toContain('"initial_value":"Europe/Berlin"');
    expect(await submit(app, modal, entered)).toBeUndefined();
    const settings = { ...saved().settings, owner: { team_id: "T1", user_id: "U1", name: "Ann" } };
    const cap = { fires: 5, tokens: 1_000 };
    expect(app.zone.params("save_schedule")).toEqual([
      { name: "daily-report", settings: { ...settings, cap }, replaces: false },
    ]);
    await until(() => expect(slack.notices.map(({ text }) => text)).toEqual([expect.stringContaining("Saved *Daily")]));
    expect(slack.notices[0]?.text.match(/<!date\^/g)).toHaveLength(3);
  });

  test.each([
    ["each day", { when: { selected_option: { value: "day" } } }, "30 9 * * *"],
    ["each Monday", { when: { selected_option: { value: "week" } } }, "30 9 * * 1"],
    ["each hour", { when: { selected_option: { value: "hour" } } }, "30 * * * *"],
    ["by a cron expression", { cron: { value: " 0 7 1 * * " } }, "0 7 1 * *"],
  ])("saves what fires %s", async (_, more, cron) => {
    await start();
    await type("schedule", "DU1");
    await submit(app, await opened(), { ...entered, ...more, channel: { selected_conversation: null } });
    await until(() => expect(app.zone.of("save_schedule")).toHaveLength(1));
    const [{ params } = { params: {} }] = app.zone.of("save_schedule");
    const { settings } = params as Partial<SaveScheduleParams>;
    expect(settings).toMatchObject({ cron, cap: { fires: 5 } });
    expect(settings).not.toHaveProperty("channel");
  });

  test("shows what is wrong at its field, and what has no field at the question", async () => {
    await start();
    await type("schedule");
    const problems = [{ pointer: "/name", message: "must be new" }];
    app.zone.on("save_schedule", failing("invalid_params", { problems }));
    const errors = { name: "It must be new." };
    expect(await submit(app, await opened(), entered)).toEqual({ response_action: "errors", errors });
    app.zone.on("save_schedule", failing("unknown_agent", { agent: "builtin" }));
    expect(await submit(app, await opened(), entered)).toMatchObject({ errors: { answer: expect.any(String) } });
  });

  test("is not for a person whom the policy denies", async () => {
    await start({ allowed_users: new Set(["U2"]) });
    await type("schedule");
    await until(() => expect(app.commandReplies).toHaveLength(1));
    expect(app.commandReplies[0]?.reply).toContain("You are not on the list");
    expect(slack.modals).toEqual([]);
  });
});

test("/agents schedules lists the person's own, each with what its owner can do", async () => {
  await start();
  const paused = saved({ name: "b", state: "paused", paused_reason: "5 failures", next_at: [] });
  const ofFile = saved({ name: "c", source: "file", changed_by: "token:c*i*" });
  app.zone.on("list_schedules", () => ({ schedules: [saved(), paused, ofFile] }));
  await type("schedules");
  await until(() => expect(app.commandReplies).toHaveLength(1));
  expect(app.zone.params("list_schedules")).toEqual([{ team_id: "T1", user_id: "U1" }]);
  const below = app.commandReplies[0]?.below;
  expect(JSON.stringify(below)).toContain("in <#C1>");
  expect(JSON.stringify(below)).toContain("Paused: 5 failures.");
  expect(labels({ blocks: below } as never)).toEqual([
    "Pause",
    "Run now",
    "Remove",
    "Resume",
    "Remove",
    "Pause",
    "Run now",
  ]);
  expect(JSON.stringify(below)).toContain("last changed by token c*i*");
  app.zone.on("change_schedule", () => ({ schedule: saved() }));
  await press(app, below, { label: "Resume" });
  await until(() => expect(app.commandReplies[1]?.reply).toMatch(/^Resumed\. Next: /));
  const change = { name: "b", change: "resume", team_id: "T1", user_id: "U1" };
  expect(app.zone.params("change_schedule")).toEqual([change]);
  await type("help");
  await until(() => expect(app.commandReplies[2]?.reply).toContain("/agents schedule"));
});

test.each([
  ["in the conversation", undefined, () => slack.notices[0]?.blocks],
  ["in a direct message", "not_in_channel", () => slack.messages.find(({ channel }) => channel === "DU1")?.blocks],
])("W31, W24: a list that its URL refuses arrives %s, with its buttons", async (_where, code, blocks) => {
  await start({}, { responseUrls: { answer: () => Promise.reject(new ResponseUrlError("http_404")) } });
  app.zone.on("list_schedules", () => ({ schedules: [saved()] }));
  if (code !== undefined) slack.failNext("tell", "refused", { code });
  await type("schedules");
  await until(() => expect(labels({ blocks: blocks() } as never)).toEqual(["Pause", "Run now", "Remove"]));
  expect(JSON.stringify(blocks())).toContain("Your schedules:");
  expect(app.logged("command_answer_lost")).toEqual([]);
});

const messageOfBob = { ts: "5.0", thread_ts: "5.0", user: "U2", text: "the printer burns" };
const reaction = (more: object = {}) => ({
  type: "reaction_added",
  user: "U1",
  reaction: "ticket",
  item_user: "U2",
  item: { type: "message", channel: "C1", ts: "5.0" },
  ...more,
});
const asked = () => app.zone.params("execute_task");

describe("a reaction", () => {
  beforeEach(async () => {
    slack.say(messageOfBob);
    slack.directory.users["U2"] = { ...member, name: "Bob" };
    await start({ reactions: new Map([["ticket", "builtin"]]) });
  });

  test.each([
    ["another name", { reaction: "tada" }],
    ["the app's own message", { item_user: "UBOT" }],
    ["the app itself", { user: "UBOT" }],
    ["a file", { item: { type: "file", file: "F1" } }],
  ])("of %s asks nothing", async (_, more) => {
    await app.deliver(reaction(more));
    await app.deliver(reaction({ user: "U3" }));
    await until(() => expect(asked()).toMatchObject([{ user_id: "U3" }]));
  });

  test("of a bot asks nothing and says nothing", async () => {
    slack.directory.users["U7"] = { ...member, bot: true };
    await app.deliver(reaction({ user: "U7" }));
    await until(() => expect(app.logged("policy_denied")).not.toEqual([]));
    await until(() => expect(app.logged("answer_pressed")).not.toEqual([]));
    expect([slack.notices, slack.answers()]).toEqual([[], []]);
  });
});

describe("the shortcut on a message", () => {
  const shortcut = (channel: string, message: object = messageOfBob) =>
    interact(
      app,
      interactionPayload({
        type: "message_action",
        api_app_id: undefined,
        callback_id: "ask_about",
        container: undefined,
        channel: { id: channel },
        message,
      }),
    );
  const values = { agent: { selected_option: { value: "builtin" } }, answer: { value: "agents" } };
  beforeEach(() => start());

  test.each([
    ["the app does not see its channel", () => void (slack.directory.channels["C2"] = undefined)],
    ["the app is no member", () => slack.failNext("post", "refused", { code: "not_in_channel" })],
  ])("is answered in the person's direct messages where %s", async (_, prepare) => {
    prepare();
    for (let calls = 0; calls < 2; calls += 1) slack.failNext("replies", "refused", { code: "not_in_channel" });
    await shortcut("C2");
    await submit(app, await opened(), values);
    await until(() => expect(slack.messages.filter(({ channel }) => channel === "DU1")).toHaveLength(2));
    expect(slack.messages[0]?.text).toContain("https://acme.slack.example/archives/C2/p50");
    expect(asked()).toMatchObject([{ channel: "DU1", others: [{ text: "the printer burns", user: "U2" }] }]);
    expect(await app.acts()).toEqual([]);
  });

  const alert = { type: "message", subtype: "bot_message", bot_id: "B9", ts: "5.0", text: "" };
  const section = (text: string) => ({ type: "section", text: { type: "mrkdwn", text } });
  const others = () => asked()[0]?.["others"] as { text: string; author?: string }[];

  test.each<[string, object, RegExp]>([
    ["attachments", { attachments: [{ title: "DiskFull on node 7", text: "91% used" }] }, /^DiskFull.*\n+91% used$/s],
    ["blocks", { blocks: [section("*Disk* is full")] }, /^\*Disk\* is full$/],
    ["1,500 characters", { text: "word ".repeat(300).trim() }, /^(word ?){300}$/],
    ["20 attachments", { attachments: Array.from({ length: 20 }, (_, at) => ({ text: `line ${at}` })) }, /line 19$/],
  ])("W23: where the app can't read it, the message of an app is what Slack passed on: %s", async (_, more, text) => {
    slack.directory.channels["C2"] = undefined;
    await shortcut("C2", { ...alert, username: "Alertmanager", ...more });
    const form = await opened();
    expect(form.private_metadata?.length).toBeLessThan(300);
    await submit(app, form, values);
    await until(() => expect(asked()).toHaveLength(1));
    expect(others()).toEqual([
      expect.objectContaining({ text: expect.stringMatching(text) as string, author: "Alertmanager" }),
    ]);
    expect(asked()[0]).not.toHaveProperty("unreadable");
  });

  test("W23: its files are named, and what is too long to keep is said", async () => {
    slack.directory.channels["C2"] = undefined;
    const files = [{ id: "F1", name: "node-7.log", mimetype: "text/plain", size: 9 }];
    const blocks = Array.from({ length: 200 }, () => section("x".repeat(3_000)));
    await shortcut("C2", { ...alert, text: "Disk is full", blocks, files });
    await submit(app, await opened(), values);
    await until(() => expect(asked()).toHaveLength(1));
    expect(others()).toMatchObject([{ text: "Disk is full" }]);
    expect(asked()[0]).toMatchObject({
      attachments: [{ name: "node-7.log", others: true }],
      unreadable: [{ what: "The blocks and attachments of the message", why: "They are too long to pass on." }],
    });
  });

  test("W23: what is asked again after a failure has the message too, and odd members of it lose nothing else", async () => {
    slack.directory.channels["C2"] = undefined;
    app.zone.on("execute_task", failing("agent_failed"));
    const odd = {
      attachments: [null, 7, { text: "91% used", fields: null }],
      blocks: null,
      files: [null],
      thread_ts: 5,
    };
    await shortcut("C2", { ...alert, ...odd });
    await submit(app, await opened(), values);
    await until(() => expect(slack.answers().at(-1)?.mark?.state).toBe("failed"));
    const { controls, thread_ts } = slack.answers().at(-1) ?? {};
    const container = { type: "message", channel_id: "DU1", message_ts: "1.1", thread_ts };
    const again = elementsOf(controls).find(({ text }) => text?.text === "Try again");
    await interact(app, interactionPayload({ container, actions: [again] }));
    await until(() => expect(asked()).toHaveLength(2));
    for (const one of asked()) expect(one["others"]).toMatchObject([{ text: "91% used" }]);
  });
});

test("X34: the channel of a schedule was mrkdwn: no member of a listed schedule is markup, mentions or turns text around", () => {
  const { schedules } = hostileAnswers().get("/schedules") as { schedules: Schedule[] };
  const shown = scheduleBlocks(schedules, "id").flatMap((block) =>
    block.type === "section" ? [block.text?.text] : [],
  );
  expect(shown.join()).toContain("evil");
  // Our own, which breaks addresses and mentions.
  expect(shown.join().replaceAll("\u200B", "")).not.toMatch(rawHostile);
  expect(shown.join()).not.toMatch(/<(?!!date)/);
});
