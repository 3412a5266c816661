import { expect, test } from "vitest";
import type { DevSlack } from "../server/dev-slack.ts";
import { callWebApi, devSlackForTest, type Json } from "../testing/dev-slack-for-test.ts";

async function get(dev: DevSlack, path: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${dev.url}/control${path}`);
  return { status: response.status, body: await response.json() };
}

async function post(dev: DevSlack, path: string, given: unknown): Promise<{ status: number; body: Json }> {
  const headers = { "content-type": "application/json" };
  const body = typeof given === "string" ? given : JSON.stringify(given);
  const response = await fetch(`${dev.url}/control${path}`, { method: "POST", headers, body });
  return { status: response.status, body: (await response.json()) as Json };
}

test("a person writes and reads over HTTP, reacts, edits and deletes", async () => {
  const dev = await devSlackForTest();
  const { body } = await post(dev, "/messages", { channel: "#general", user: "bob", text: "@Crosszone hi" });
  expect(body).toMatchObject({ message: { channel: "C0GENERAL01", text: "<@U0CROSSZONE> hi" } });
  const { ts } = body["message"] as { ts: string };
  const place = { channel: "general", ts, user: "bob" };
  await post(dev, "/reactions", { ...place, reaction: "+1" });
  await post(dev, "/messages/edit", { ...place, text: "bye" });
  await post(dev, "/messages", { channel: "general", text: "reply", thread_ts: ts });
  await post(dev, "/messages", { channel: "general", text: "elsewhere" });
  const root = { text: "bye", reactions: [{ name: "+1", users: ["U0BOB000001"], count: 1 }] };
  const messages = [root, { thread_ts: ts, text: "reply" }];
  const all = [...messages, { text: "elsewhere" }];
  expect(await get(dev, "/messages?channel=general")).toMatchObject({ status: 200, body: { messages: all } });
  expect(await get(dev, `/messages?channel=C0GENERAL01&thread_ts=${ts}`)).toMatchObject({ body: { messages } });
  expect(await post(dev, "/messages/delete", place)).toEqual({ status: 200, body: {} });
  expect(await post(dev, "/messages/delete", place)).toMatchObject({ status: 403 });
});

test("the workspace, the traffic and a file can be read; a browser runs no file", async () => {
  const dev = await devSlackForTest();
  expect(await get(dev, "/workspace")).toEqual({ status: 200, body: dev.workspace });
  const files = [{ name: "a.html", mimetype: "text/html", content: "<script>1</script>" }];
  const { id } = dev.control.postMessage({ channel: "dm", text: "", files }).files?.[0] ?? {};
  const file = await fetch(`${dev.url}/control/files/${id}`);
  expect(await file.text()).toBe("<script>1</script>");
  expect(file.headers.get("content-disposition")).toMatch(/^attachment/);
  expect(file.headers.get("content-security-policy")).toContain("sandbox");
  expect(await get(dev, "/files/F0NOWHERE01")).toMatchObject({ status: 404 });
  await dev.control.idle();
  expect(await get(dev, "/traffic")).toMatchObject({ body: { traffic: [{ kind: "event", name: "message" }] } });
});

test("people and conversations are added and changed, and Slack's methods know them at once", async () => {
  const dev = await devSlackForTest();
  const { control } = dev;
  const added = control.putUser({ id: "U0NEWGUEST1", name: "nils", is_ultra_restricted: true });
  expect(added).toMatchObject({ id: "U0NEWGUEST1", real_name: "U0NEWGUEST1", is_bot: false });
  control.putUser({ id: "U0BOB000001", deleted: true, display_name: "" });
  const members = ["U0NEWGUEST1", "U0BOB000001", "U0CROSSZONE"];
  control.putChannel({ id: "C0PENDING01", name: "soon", members, is_pending_ext_shared: true });
  expect(() => control.putChannel({ id: "C0NEW000001", members: ["U0NOBODY001"] })).toThrow("unknown user U0NOBODY");
  const userInfo = async (user: string) => (await callWebApi(dev, "users.info", { user }))["user"];
  expect(await userInfo("U0NEWGUEST1")).toMatchObject({ is_ultra_restricted: true, team_id: "T0CROSSZONE" });
  expect(await userInfo("U0BOB000001")).toMatchObject({ deleted: true, name: "bob", profile: { display_name: "" } });
  const channel = { is_pending_ext_shared: true, is_ext_shared: false, is_member: true };
  expect(await callWebApi(dev, "conversations.info", { channel: "C0PENDING01" })).toMatchObject({ channel });
  expect(control.postMessage({ channel: "soon", user: "nils", text: "hi" })).toMatchObject({ user: "U0NEWGUEST1" });
});

test("L9: faults, sockets and the app's limits are set over HTTP", async () => {
  const dev = await devSlackForTest();
  const fault = { method: "auth.test", kind: "error", error: "account_inactive" };
  expect(await post(dev, "/faults", fault)).toEqual({ status: 200, body: fault });
  expect(await callWebApi(dev, "auth.test")).toMatchObject({ error: "account_inactive" });
  const mode = { enabled: true, hello: false, most: 2, half_open: false };
  expect(await post(dev, "/socket-mode", { hello: false, most: 2 })).toEqual({ status: 200, body: mode });
  expect(await post(dev, "/sockets/disconnect", { reason: "warning" })).toEqual({ status: 200, body: {} });
  expect(await post(dev, "/sockets/frame", { frame: "null" })).toEqual({ status: 200, body: {} });
  const later = { channel: "dm", text: "later", after_ms: 1 };
  const { body } = await post(dev, "/messages/schedule", later);
  expect(body).toMatchObject({ message: { text: "later" } });
  expect(await post(dev, "/app", { unlisted: true })).toEqual({ status: 200, body: {} });
  const channel = "D0ALICE0001";
  const { ts } = body["message"] as { ts: string };
  for (let count = 0; count < 20; count += 1) dev.control.postMessage({ channel, thread_ts: ts, text: `${count}` });
  const read = () => callWebApi(dev, "conversations.replies", { channel, ts, limit: 200 });
  const page = await read();
  expect([(page["messages"] as unknown[]).length, page["has_more"]]).toEqual([15, true]);
  expect(await read()).toMatchObject({ ok: false, error: "ratelimited" });
});

const file = { name: "a", mimetype: "x\r\ny", content: "" };
const onMessage = { channel: "general", ts: "1", user: "bob" };

test.each<[path: string, body: unknown, status: number, words: RegExp]>([
  ["/messages", { channel: "general", text: "hi", color: "red" }, 400, /color/],
  ["/messages", { channel: "general", user: "nobody", text: "hi" }, 404, /user nobody not found/],
  ["/messages", { channel: "leads", user: "chiyo", text: "hi" }, 403, /not a member of this channel/],
  ["/messages", { channel: "general", text: " " }, 400, /must not be empty/],
  ["/messages", { channel: "dm", text: "", files: [file] }, 400, /media type/],
  ["/stop", {}, 400, /channel.*thread_ts.*user/],
  ["/channels/app", { channel: "nowhere" }, 404, /channel nowhere not found/],
  ["/outage", { kind: "over" }, 400, /kind/],
  ["/faults", { method: "auth.test", kind: "slow" }, 400, /kind/],
  ["/sockets/disconnect", { reason: "bored" }, 400, /reason/],
  ["/shortcuts", { ...onMessage, callback_id: "ask" }, 404, /not found/],
  ["/act", "{", 400, /JSON/],
  ["/act", { ...onMessage, action_id: "more", values: [] }, 400, /values/],
  ["/views/submit", { user: "alice", view_id: "V0VIEW" }, 404, /not the top one/],
  ["/views/close", { user: "alice", view_id: "V0VIEW" }, 404, /not the top one/],
  ["/agent-exchanges", { at: "now" }, 400, /at: .*agent_name|agent_name.*at: /],
])("POST %s with %j: %i, in words", async (...[path, body, status, words]) => {
  const answer = await post(await devSlackForTest(), path, body);
  expect(answer).toMatchObject({ status, body: { error: { message: expect.stringMatching(words) } } });
});

test("the stream has the outage, and every change from now on", async () => {
  const dev = await devSlackForTest();
  const stream = await fetch(`${dev.url}/control/stream`);
  expect(stream.headers.get("content-type")).toBe("text/event-stream");
  const { ts } = dev.control.postMessage({ channel: "dm", text: "one" });
  dev.control.deleteMessage({ channel: "D0ALICE0001", ts, user: "alice" });
  const outage = { kind: "lost_events" };
  expect(await post(dev, "/outage", outage)).toMatchObject({ status: 200, body: outage });
  const user = { id: "U0BOB000001", name: "bob", deleted: true };
  expect(await post(dev, "/people", { id: user.id, deleted: true })).toMatchObject({ status: 200, body: { user } });
  const added = await post(dev, "/channels/app", { channel: "#random" });
  const channel = { id: "C0RANDOM001", members: expect.arrayContaining(["U0ALICE0001", "U0CROSSZONE"]) as string[] };
  expect(added).toMatchObject({ status: 200, body: { channel } });
  let received = "";
  for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    received += chunk;
    if (received.includes('"type":"channel"') && received.includes('"type":"traffic"')) break;
  }
  const events = received
    .split("\n\n")
    .flatMap((part) => (part.startsWith("data: ") ? [JSON.parse(part.slice(6))] : []));
  expect(events.filter(({ type }) => type !== "traffic")).toMatchObject([
    { type: "outage", outage: { kind: "none" } },
    { type: "message", message: { ts, text: "one" } },
    { type: "message_deleted", channel: "D0ALICE0001", ts },
    { type: "outage", outage },
    { type: "user", user },
    { type: "channel", channel },
  ]);
});

test("an exchange with an agent is shown as traffic, with the operation and the problem", async () => {
  const dev = await devSlackForTest();
  const at = "2026-03-02T09:15:00.250Z";
  const agent = { agent_name: "counter", correlation_id: "c1", operation: "send", protocol: "a2a-1.0" };
  const exchange = { ...agent, at, duration_ms: 7 };
  await post(dev, "/agent-exchanges", { ...exchange, request: { method: "SendMessage" }, status: 200, response: {} });
  await post(dev, "/agent-exchanges", { ...exchange, problem: "The agent takes no connections." });
  expect(dev.control.traffic()).toMatchObject([
    { kind: "agent", name: "counter: SendMessage", status: 200, ms: 7, verdict: "a2a-1.0, c1" },
    { kind: "agent", name: "counter: event", status: 0, verdict: "The agent takes no connections.", request: null },
  ]);
});
