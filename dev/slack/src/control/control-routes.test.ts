import { expect, test } from "vitest";
import type { DevSlack } from "../server/dev-slack.ts";
import { callWebApi, devSlackForTest, recordingApp, modal, modalsForTest } from "../testing/dev-slack-for-test.ts";

async function post(
  dev: DevSlack,
  path: string,
  body: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${dev.url}/control${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function get(dev: DevSlack, path: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${dev.url}/control${path}`);
  return { status: response.status, body: await response.json() };
}

test("a person writes and reads over HTTP, edits and deletes", async () => {
  const dev = await devSlackForTest();
  const posted = await post(dev, "/messages", { channel: "#general", user: "bob", text: "@Crosszone hi" });
  expect(posted).toMatchObject({
    status: 200,
    body: { message: { channel: "C0GENERAL01", text: "<@U0CROSSZONE> hi" } },
  });
  const { ts } = posted.body["message"] as { ts: string };
  const place = { channel: "general", ts, user: "bob" };
  expect(await post(dev, "/messages/edit", { ...place, text: "bye" })).toMatchObject({
    body: { message: { text: "bye" } },
  });
  const liked = [{ name: "+1", users: ["U0BOB000001"], count: 1 }];
  expect(await post(dev, "/reactions", { ...place, reaction: "+1" })).toMatchObject({
    body: { message: { reactions: liked } },
  });
  await post(dev, "/messages", { channel: "general", user: "alice", text: "reply", thread_ts: ts });
  await post(dev, "/messages", { channel: "general", user: "alice", text: "elsewhere" });
  expect(await get(dev, "/messages?channel=general")).toMatchObject({
    body: { messages: [{ text: "bye" }, { text: "reply" }, { text: "elsewhere" }] },
  });
  const thread = await get(dev, `/messages?channel=C0GENERAL01&thread_ts=${ts}`);
  expect(thread).toMatchObject({ body: { messages: [{ text: "bye" }, { thread_ts: ts, text: "reply" }] } });
  expect(await post(dev, "/messages/delete", place)).toEqual({ status: 200, body: {} });
  expect(await post(dev, "/messages/delete", place)).toMatchObject({ status: 403 });
});

test("the workspace, the traffic and a file can be read", async () => {
  const dev = await devSlackForTest();
  expect(await get(dev, "/workspace")).toEqual({ status: 200, body: dev.workspace });
  const files = [{ name: "a.html", mimetype: "text/html", content: "<script>1</script>" }];
  const posted = await post(dev, "/messages", { channel: "dm", text: "", files });
  const { id } = (posted.body["message"] as { files: { id: string }[] }).files[0] ?? { id: "" };
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
  const added = dev.control.putUser({ id: "U0NEWGUEST1", name: "nils", is_ultra_restricted: true });
  expect(added).toMatchObject({ id: "U0NEWGUEST1", real_name: "U0NEWGUEST1", is_bot: false });
  dev.control.putUser({ id: "U0BOB000001", deleted: true, display_name: "" });
  const members = ["U0NEWGUEST1", "U0BOB000001", "U0CROSSZONE"];
  dev.control.putChannel({ id: "C0PENDING01", name: "soon", members, is_pending_ext_shared: true });
  expect(() => dev.control.putChannel({ id: "C0NEW000001", members: ["U0NOBODY001"] })).toThrow(
    "unknown user U0NOBODY",
  );
  const userInfo = async (user: string) => (await callWebApi(dev, "users.info", { user }))["user"];
  expect(await userInfo("U0NEWGUEST1")).toMatchObject({ is_ultra_restricted: true, team_id: "T0CROSSZONE" });
  expect(await userInfo("U0BOB000001")).toMatchObject({ deleted: true, name: "bob", profile: { display_name: "" } });
  expect(await callWebApi(dev, "conversations.info", { channel: "C0PENDING01" })).toMatchObject({
    channel: { is_pending_ext_shared: true, is_ext_shared: false, is_member: true },
  });
  expect(await post(dev, "/messages", { channel: "soon", user: "nils", text: "hi" })).toMatchObject({ status: 200 });
});

test.each([
  { path: "/messages", body: { channel: "general", text: "hi", color: "red" }, status: 400, message: /color/ },
  {
    path: "/messages",
    body: { channel: "general", user: "nobody", text: "hi" },
    status: 404,
    message: /user nobody not found/,
  },
  {
    path: "/messages",
    body: { channel: "leads", user: "chiyo", text: "hi" },
    status: 403,
    message: /not a member of this channel/,
  },
  { path: "/messages", body: { channel: "general", text: " " }, status: 400, message: /must not be empty/ },
  {
    path: "/messages",
    body: { channel: "dm", text: "", files: [{ name: "a", mimetype: "x\r\ny", content: "" }] },
    status: 400,
    message: /media type/,
  },
  { path: "/stop", body: {}, status: 400, message: /channel.*thread_ts.*user/ },
  { path: "/outage", body: { kind: "over" }, status: 400, message: /kind/ },
  {
    path: "/shortcuts",
    body: { channel: "general", ts: "1", user: "bob", callback_id: "ask" },
    status: 404,
    message: /not found/,
  },
  { path: "/act", body: "{", status: 400, message: /JSON/ },
])("POST $path with $body: $status, in words", async ({ path, body, status, message }) => {
  const dev = await devSlackForTest();
  const answer = await post(dev, path, body);
  expect(answer).toMatchObject({ status, body: { error: { message: expect.stringMatching(message) } } });
});

test("forge and replay return the app's status and its duration", async () => {
  const app = await recordingApp((response, count) => response.writeHead(count === 1 ? 200 : 401).end());
  const dev = await devSlackForTest({ eventsUrl: app.url });
  await post(dev, "/messages", { channel: "dm", text: "hi" });
  await dev.control.idle();
  const answer = { status: 401, ms: expect.any(Number) };
  expect(await dev.control.forge({ kind: "wrong_secret", text: "evil" })).toEqual(answer);
  expect(await dev.control.replay()).toEqual(answer);
  const [first, forged, replayed] = app.requests;
  expect(replayed?.body).toBe(first?.body);
  expect(replayed?.headers["x-slack-signature"]).toBe(first?.headers["x-slack-signature"]);
  expect(forged?.body).toContain("evil");
});

test("the stream has the outage, and every change from now on", async () => {
  const dev = await devSlackForTest();
  const stream = await fetch(`${dev.url}/control/stream`);
  expect(stream.headers.get("content-type")).toBe("text/event-stream");
  const { ts } = dev.control.postMessage({ channel: "dm", text: "one" });
  dev.control.deleteMessage({ channel: "D0ALICE0001", ts, user: "alice" });
  const outage = { kind: "lost_events", calls: "drop" };
  expect(await post(dev, "/outage", { kind: "lost_events" })).toMatchObject({ status: 200, body: outage });
  const user = { id: "U0BOB000001", name: "bob", deleted: true };
  expect(await post(dev, "/people", { id: user.id, deleted: true })).toMatchObject({ status: 200, body: { user } });
  let received = "";
  for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    received += chunk;
    if (received.includes('"type":"user"') && received.includes('"type":"traffic"')) break;
  }
  const events = received
    .split("\n\n")
    .flatMap((part) => (part.startsWith("data: ") ? [JSON.parse(part.slice(6))] : []));
  expect(events.filter(({ type }) => type !== "traffic")).toMatchObject([
    { type: "outage", outage: { kind: "none", calls: "drop" } },
    { type: "message", message: { ts, text: "one" } },
    { type: "message_deleted", channel: "D0ALICE0001", ts },
    { type: "outage", outage },
    { type: "user", user },
  ]);
});

test("an exchange with an agent is shown as traffic, with the operation and the problem", async () => {
  const dev = await devSlackForTest();
  const exchange = {
    agent_name: "counter",
    correlation_id: "c1",
    at: "2026-03-02T09:15:00.250Z",
    operation: "send",
    protocol: "a2a-1.0",
    duration_ms: 7,
  };
  await post(dev, "/agent-exchanges", { ...exchange, request: { method: "SendMessage" }, status: 200, response: {} });
  await post(dev, "/agent-exchanges", { ...exchange, problem: "The agent takes no connections." });
  expect(dev.control.traffic()).toMatchObject([
    { kind: "agent", name: "counter: SendMessage", status: 200, ms: 7, verdict: "a2a-1.0, c1" },
    { kind: "agent", name: "counter: event", status: 0, verdict: "The agent takes no connections.", request: null },
  ]);
  expect(await post(dev, "/agent-exchanges", { ...exchange, at: "now" })).toMatchObject({ status: 400 });
});

test("a person presses a button, and fills in, submits and closes a modal, over HTTP", async () => {
  const { dev, place, press, sent } = await modalsForTest();
  expect(await post(dev, "/act", { ...place, user: "alice", action_id: "more" })).toMatchObject({
    status: 200,
    body: { status: 200 },
  });
  const open = async () =>
    callWebApi(dev, "views.open", { trigger_id: await press(), view: modal({ notify_on_close: true }) });
  await open();
  const view = { user: "alice", view_id: dev.control.views("alice")[0]?.id };
  expect(await get(dev, "/views?user=alice")).toMatchObject({ body: { views: [{ id: view.view_id }], warnings: [] } });
  expect(await post(dev, "/views/submit", view)).toMatchObject({
    status: 400,
    body: { error: { message: "reason: required" } },
  });
  await post(dev, "/act", { ...view, action_id: "typed", value: "because" });
  expect(await post(dev, "/views/submit", view)).toMatchObject({ body: { status: 200 } });
  await open();
  const again = { ...view, view_id: dev.control.views("alice")[0]?.id };
  expect(await post(dev, "/views/close", again)).toMatchObject({ body: { status: 200 } });
  expect(sent().at(-1)).toMatchObject({ type: "view_closed" });
  expect(await post(dev, "/act", { ...place, user: "alice", action_id: "more", values: [] })).toMatchObject({
    status: 400,
  });
});
