import { expect, test } from "vitest";
import {
  answerAt,
  callWebApi,
  devSlackForTest,
  interactionOf,
  type Json,
  modal,
  recordingApp,
  text,
} from "../testing/dev-slack-for-test.ts";

const shortcut = { name: "Ask about this", type: "message", callback_id: "ask", description: "Asks" };
const manifest = {
  features: { shortcuts: [shortcut, { ...shortcut, type: "global", callback_id: "anywhere" }] },
  oauth_config: { scopes: { bot: ["commands", "chat:write"] } },
  settings: { interactivity: { is_enabled: true } },
};

async function shortcutForTest(answer?: Parameters<typeof recordingApp>[0], ackTimeoutMs = 3_000) {
  const app = await recordingApp(answer);
  const dev = await devSlackForTest({ manifest, ackTimeoutMs });
  const message = dev.control.postMessage({ channel: "random", user: "bob", text: "Who knows?" });
  await dev.control.idle();
  dev.setEventsUrl(app.url);
  const run = { channel: "random", user: "alice", ts: message.ts, callback_id: "ask" };
  return { dev, message, run, sent: () => app.requests.map(interactionOf) };
}

test("a message shortcut is sent with Slack's members, also where the app is not, and opens one modal", async () => {
  const { dev, message, run, sent } = await shortcutForTest();
  expect(await dev.control.runShortcut(run)).toEqual({ status: 200, ms: expect.any(Number) });
  const { team } = dev.workspace;
  const [payload = {}] = sent();
  expect(payload).toEqual({
    type: "message_action",
    token: expect.any(String),
    action_ts: expect.stringMatching(/^\d{10}\.\d{6}$/),
    team: { id: team.id, domain: team.domain },
    user: { id: "U0ALICE0001", username: "alice", name: "alice", team_id: team.id },
    channel: { id: "C0RANDOM001", name: "random" },
    is_enterprise_install: false,
    enterprise: null,
    callback_id: "ask",
    trigger_id: expect.stringMatching(/^\d+\.\d+\.[0-9a-f]+$/),
    response_url: expect.stringContaining(`${dev.url}/app/${team.id}/`),
    message_ts: message.ts,
    message: expect.objectContaining({ type: "message", user: "U0BOB000001", ts: message.ts, text: "Who knows?" }),
  });
  const { trigger_id } = payload;
  expect(await callWebApi(dev, "views.open", { trigger_id, view: modal() })).toMatchObject({ ok: true });
  expect(dev.control.views("alice")).toHaveLength(1);
  expect(await answerAt(payload["response_url"], { text: "done" })).toEqual([200, "ok"]);
  expect(dev.control.messages({ channel: "random" }).at(-1)).toMatchObject({
    text: "done",
    ephemeral_for: "U0ALICE0001",
  });
  expect(JSON.stringify(dev.control.traffic())).not.toContain("/app/T0");
});

test.each([
  ["does not answer in time", () => undefined, "operation_timeout"],
  ["fails", (response) => response.writeHead(500).end(), "dispatch_failed"],
] as [string, Parameters<typeof recordingApp>[0], string][])(
  "a shortcut of an app that %s is a warning",
  async (_what, answer, warning) => {
    const { dev, run } = await shortcutForTest(answer, 50);
    expect(await dev.control.runShortcut(run)).toMatchObject({ warning });
    expect(dev.control.warnings()).toMatchObject([{ user: "U0ALICE0001", type: "message_action", on: run.ts }]);
  },
);

test.each<[string, Json, number]>([
  ["that is not declared", { callback_id: "other" }, 404],
  ["that is global", { callback_id: "anywhere" }, 404],
  ["of no message", { ts: "1790000000.000100" }, 404],
  ["where the person is not", { user: "paula" }, 403],
])("a shortcut %s is refused", async (_what, members, status) => {
  const { dev, run, sent } = await shortcutForTest();
  await expect(dev.control.runShortcut({ ...run, ...members })).rejects.toMatchObject({ status });
  expect(sent()).toEqual([]);
});

const place = (filter: Json = {}, rest: Json = {}): Json => ({
  type: "input",
  block_id: "place",
  label: text("Where?"),
  element: {
    type: "conversations_select",
    action_id: "place",
    default_to_current_conversation: true,
    ...filter,
    ...rest,
  },
});

test.each<[string, string, Json, unknown]>([
  ["a channel", "random", {}, "C0RANDOM001"],
  ["a direct message", "D0ALICE0001", {}, "D0ALICE0001"],
  ["a direct message, which the filter excludes", "D0ALICE0001", { filter: { exclude_bot_users: true } }, null],
  [
    "a shared channel, which the filter excludes",
    "partners",
    { filter: { exclude_external_shared_channels: true } },
    null,
  ],
  ["a private channel, which the filter excludes", "leads", { filter: { include: ["public"] } }, null],
  ["a channel, but starts with another one", "random", { initial_conversation: "C0GENERAL01" }, "C0GENERAL01"],
])("a modal opened in %s offers what the person can see", async (...[, channel, members, selected]) => {
  const { dev, run, sent } = await shortcutForTest();
  const { ts } = dev.control.postMessage({ channel, text: "here" });
  await dev.control.runShortcut({ ...run, channel, ts });
  const trigger_id = sent().at(-1)?.["trigger_id"];
  const { view } = await callWebApi(dev, "views.open", { trigger_id, view: modal({ blocks: [place(members)] }) });
  expect(view).toMatchObject({ state: { values: { place: { place: { selected_conversation: selected } } } } });
  const choose = (value: string) =>
    dev.control.act({ user: "alice", view_id: String((view as Json)["id"]), action_id: "place", value });
  for (const hidden of ["C0ARCHIVE01", "D0CHIYO0001"]) await expect(choose(hidden)).rejects.toThrow("does not offer");
  await choose("C0GENERAL01");
});
