import type { App } from "@slack/bolt";
import { expect, test } from "vitest";
import { slackSignature } from "../events/signed-request.ts";
import type { Message } from "../protocol/workspace.ts";
import type { DevSlack } from "../server/dev-slack.ts";
import {
  actions,
  answerAt,
  approve,
  boltAppForTest,
  callWebApi,
  type Json,
  devSlackForTest,
  postedForTest,
  type PostedOptions,
  socketModeAppForTest,
} from "../testing/dev-slack-for-test.ts";

const ALICE = "U0ALICE0001";

/** A local Slack in which Alice types commands, and what the app gets. */
async function commandsForTest(options: PostedOptions = {}) {
  const { dev, requests } = await postedForTest([], options);
  const type = (text = "/agents", members: Json = {}) =>
    dev.control.runCommand({ channel: "leads", user: "alice", text, ...members });
  const form = (): Record<string, string> => Object.fromEntries(new URLSearchParams(requests.at(-1)?.body));
  return { dev, requests, type, form, shown: () => dev.control.messages({ channel: "leads" }) };
}

test("a slash command is sent once, as a signed form with all of Slack's members, and is no message", async () => {
  const { dev, requests, type, form, shown } = await commandsForTest();
  const run = await type("/agents  two words ", { channel: "general" });
  expect(run).toMatchObject({ status: 200, message: { user: ALICE } });
  const [request, ...others] = requests;
  expect(request?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
  const timestamp = Number(request?.headers["x-slack-request-timestamp"]);
  const signature = slackSignature(dev.signingSecret, timestamp, request?.body ?? "");
  expect(request?.headers["x-slack-signature"]).toBe(signature);
  expect(form()).toEqual({
    token: expect.any(String),
    team_id: dev.workspace.team.id,
    team_domain: dev.workspace.team.domain,
    channel_id: "C0GENERAL01",
    channel_name: "general",
    user_id: ALICE,
    user_name: "alice",
    command: "/agents",
    text: "two words",
    api_app_id: dev.workspace.app.app_id,
    is_enterprise_install: "false",
    response_url: expect.stringContaining(`${dev.url}/commands/${dev.workspace.team.id}/`),
    trigger_id: expect.any(String),
  });
  expect([others, shown()]).toEqual([[], []]);
});

const bySlack = { user: "USLACKBOT", ephemeral_for: ALICE };
const byApp = { user: "U0CROSSZONE", text: "hi" };
const failed = (error: string): Partial<Message> => ({
  ...bySlack,
  text: `/agents failed with the error "${error}"`,
});
const unknown = (command: string): Partial<Message> => ({
  ...bySlack,
  text: expect.stringContaining(`${command} is not a valid command.`) as string,
});

test.each<[what: string, PostedOptions, said: Partial<Message>, members?: Json]>([
  ["that is answered with text", { answer: (response) => response.end("hi") }, { ...byApp, ephemeral_for: ALICE }],
  [
    "that is answered with JSON",
    { answer: (response) => response.end('{"text":"hi"}') },
    { ...byApp, ephemeral_for: ALICE },
  ],
  [
    "that is answered for all",
    { answer: (response) => response.end('{"text":"hi","response_type":"in_channel"}') },
    byApp,
  ],
  ["that is not answered in time", { answer: () => undefined, ackTimeoutMs: 50 }, failed("operation_timeout")],
  ["that the app refuses", { answer: (response) => response.writeHead(401).end() }, failed("dispatch_failed")],
  ["that is answered badly", { answer: (response) => response.end('{"txt":"hi"}') }, failed("dispatch_failed")],
  ["without its scope", { scopes: ["chat:write"] }, unknown("/agents")],
  ["that is not the app's", {}, unknown("/weather"), { text: "/weather Tokyo" }],
  ["in a thread", {}, { ...bySlack, text: "/agents is not supported in threads. Sorry!" }, { thread_ts: "1.1" }],
])("a command %s says so once", async (...[, options, said, members]) => {
  const { requests, type, shown } = await commandsForTest(options);
  await type("/agents", members);
  expect(shown()).toMatchObject([said]);
  expect(shown()[0]?.ephemeral_for).toBe(said.ephemeral_for);
  const sent = requests.filter(({ body }) => body.includes("command="));
  expect(sent).toHaveLength(options.answer === undefined ? 0 : 1);
});

test.each([
  ["no command", { text: "agents" }, 400],
  ["a lone slash", { text: "/ agents" }, 400],
  ["a place where the person is not", { channel: "D0CHIYO0001", user: "bob" }, 403],
])("a command is refused for %s", async (_what, members, status) => {
  const { type } = await commandsForTest();
  await expect(type("/agents", members)).rejects.toMatchObject({ status });
});

const refused = (status: number, error: string): [number, string] => [status, JSON.stringify({ ok: false, error })];

test("a response_url takes five answers, each for who typed the command alone, and no sixth", async () => {
  const { type, form, shown } = await commandsForTest();
  await type();
  const at = form()["response_url"];
  for (let count = 1; count <= 5; count += 1) expect(await answerAt(at, { text: `${count}` })).toEqual([200, "ok"]);
  expect(await answerAt(at, { text: "6" })).toEqual(refused(404, "used_url"));
  const forAlice = ["1", "2", "3", "4", "5"].map((text) => ({ text, ephemeral_for: ALICE }));
  expect(shown()).toMatchObject(forAlice);
});

test.each<[string, Json, [number, string], PostedOptions?]>([
  ["no content", {}, refused(400, "no_text")],
  ["an unknown block", { blocks: [{ type: "bogus" }] }, refused(400, "invalid_blocks")],
  ["an unknown member", { txt: "hi" }, refused(400, "invalid_payload")],
  ["no message to replace", { text: "x", replace_original: true }, refused(400, "invalid_payload")],
  ["an answer after its time", { text: "1" }, refused(404, "expired_url"), { responseUrlLifetimeMs: 0 }],
])("a response_url refuses %s", async (...[, payload, answer, options]) => {
  const { dev, type, form, shown } = await commandsForTest(options);
  await type();
  expect(await answerAt(form()["response_url"], payload)).toEqual(answer);
  expect(await answerAt(`${dev.url}/commands/T1/2/3`, payload)).toEqual(refused(404, "invalid_url"));
  expect(shown()).toEqual([]);
});

/** Presses a button of a message, or of one that only Alice sees; `at` is the response URL. */
async function pressed(isEphemeral = false) {
  const use = await postedForTest([actions(approve)]);
  const { dev, place, last } = use;
  const only = { channel: place.channel, user: ALICE, text: "Only you", blocks: [actions(approve)] };
  const ts = isEphemeral ? String((await callWebApi(dev, "chat.postEphemeral", only))["message_ts"]) : place.ts;
  await use.act({ ts, action_id: "approve" });
  const shown = () => dev.control.messages(place).map((one) => [one.text, one.ephemeral_for, one.blocks?.length ?? 0]);
  return { ...use, ts, at: last()["response_url"], shown };
}

test("the response_url of a press posts for the person alone or for all, replaces and deletes the message", async () => {
  const { at, shown } = await pressed();
  expect(await answerAt(at, { text: "for you" })).toEqual([200, "ok"]);
  await answerAt(at, { text: "for all", response_type: "in_channel" });
  await answerAt(at, { text: "Approved by Alice", replace_original: true });
  const others = [
    ["for you", ALICE, 0],
    ["for all", undefined, 0],
  ];
  expect(shown()).toEqual([["Approved by Alice", undefined, 0], ...others]);
  await answerAt(at, { delete_original: "true" });
  expect(shown()).toEqual(others);
  expect(await answerAt(at, { text: "too late", replace_original: true })).toEqual(refused(400, "message_not_found"));
});

test("an ephemeral message is its person's to press; its response_url replaces and deletes it, without an event", async () => {
  const { dev, at, ts, act, shown, last, requests } = await pressed(true);
  expect(last()).toMatchObject({ container: { is_ephemeral: true } });
  expect(last()).not.toHaveProperty("message");
  await expect(act({ ts, user: "bob", action_id: "approve" })).rejects.toMatchObject({ status: 404 });
  const before = requests.length;
  await answerAt(at, { text: "Decided", replace_original: true });
  expect(shown()[1]).toEqual(["Decided", ALICE, 0]);
  await answerAt(at, { delete_original: true });
  expect(shown()).toHaveLength(1);
  await dev.control.idle();
  expect(requests).toHaveLength(before);
});

async function answers(dev: DevSlack, app: App): Promise<(string | undefined)[]> {
  app.command("/agents", async ({ ack, command, respond }) => {
    await ack({ response_type: "ephemeral", text: `at once: ${command.text}` });
    await respond("later");
  });
  const { message } = await dev.control.runCommand({ channel: "dm", user: "chiyo", text: "/agents こんにちは" });
  await dev.control.waitForMessage(({ text }) => text === "later");
  return dev.control.messages({ channel: message.channel }).map(({ text }) => text);
}

test("a real Bolt app verifies a command over HTTP, and answers at once and later; and over a socket", async () => {
  const [http, socket] = [await devSlackForTest(), await devSlackForTest()];
  expect(await answers(http, await boltAppForTest(http))).toEqual(["at once: こんにちは", "later"]);
  expect(await answers(socket, (await socketModeAppForTest(socket)).app)).toEqual(["at once: こんにちは", "later"]);
});
