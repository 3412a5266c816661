/** Slack's documented answers: a call of each method, and the error that Slack gives it. */
import { inspect } from "node:util";
import { afterAll, expect, test } from "vitest";
import { startDevSlack } from "../server/start-dev-slack.ts";
import { callWebApi, type Json, input, modal, more, postAsApp, text, USER } from "../testing/dev-slack-for-test.ts";

const [GENERAL, RANDOM, ARCHIVE, SHARED] = ["C0GENERAL01", "C0RANDOM001", "C0ARCHIVE01", "C0SHARED001"] as const;
const [NOWHERE, UNKNOWN] = ["C0NOWHERE01", "1700000000.000100"] as const;
const x = (length: number): string => "x".repeat(length);
const times = <T>(length: number, value: T): T[] => Array.from({ length }, () => value);

const dev = await startDevSlack();
afterAll(() => dev.close());
const { control } = dev;
const write = (channel: string): string => control.postMessage({ channel, text: "written by Alice" }).ts;
const call = async (method: string, args: Json): Promise<Json> => callWebApi(dev, method, args);
const tsOf = async (answer: Promise<Json>): Promise<string> => {
  const { ts, message_ts = ts, error } = await answer;
  if (typeof message_ts !== "string") throw new Error(String(error));
  return message_ts;
};

const hers = write(GENERAL);
const archived = write("old-project");
const own = await postAsApp(dev, GENERAL, { text: "own" });
const gone = await postAsApp(dev, GENERAL, { text: "gone" });
await call("chat.delete", { channel: GENERAL, ts: gone });
const tombstone = await postAsApp(dev, GENERAL, { text: "root" });
await postAsApp(dev, GENERAL, { text: "reply", thread_ts: tombstone });
await call("chat.delete", { channel: GENERAL, ts: tombstone });
const psst = await tsOf(call("chat.postEphemeral", { channel: GENERAL, user: USER, text: "psst" }));

const alice = { recipient_user_id: USER, recipient_team_id: "T0CROSSZONE" };
const question = write("dm");
const thread = { channel: "D0ALICE0001", thread_ts: question };
const started = (args: Json = {}): Promise<string> => tsOf(call("chat.startStream", { ...thread, ...args }));
const TASK = { type: "task_update", id: "t1", title: "Read", status: "complete" };
const chunk = (length: number): Json => ({ type: "markdown_text", text: x(length) });
const dividers = (count: number): Json[] => times(count, { type: "divider" });
const blocks = (count: number): Json => ({ type: "blocks", blocks: dividers(count) });
const [live, empty, ofTasks, ofBlocks, long, ended] = [
  await started({ markdown_text: "a" }),
  await started(),
  await started({ chunks: [TASK] }),
  await started({ chunks: [blocks(50)] }),
  await started({ markdown_text: x(11_000) }),
  await started({ markdown_text: "a" }),
];
await call("chat.stopStream", { channel: thread.channel, ts: ended });
const posted = await postAsApp(dev, thread.channel, { text: "posted" });

const file = control.postMessage({
  channel: "random",
  text: "",
  files: [{ name: "a.txt", mimetype: "text/plain", content: "a" }],
}).files?.[0]?.id;
control.putUser({ id: "U0HIDDEN001", is_hidden: true });
control.putUserGroup({ id: "S0OLD000001", handle: "old", name: "Old", users: [], is_disabled: true });

const TABLE = { type: "table", rows: [[{ type: "raw_text", text: "a" }]] };
const rules = (count: number): string => times(count, "---").join("\n\n");
const markdown = (content: string): Json => ({ type: "markdown", text: content });
const SECTION = { type: "section", text: text(x(2_900)) };
const metadata = { event_type: "a", event_payload: { a: x(17_000) } };

/** The arguments that all calls of a method have, unless a row replaces them. */
const given: Record<string, Json> = {
  "chat.postMessage": { channel: GENERAL },
  "chat.postEphemeral": { channel: GENERAL, text: "a" },
  "chat.update": { channel: GENERAL, ts: own },
  "chat.delete": { channel: GENERAL },
  "chat.getPermalink": { channel: GENERAL },
  "chat.startStream": thread,
  "chat.appendStream": { channel: thread.channel, markdown_text: "b" },
  "chat.stopStream": { channel: thread.channel, markdown_text: "b" },
  "agents.sessions.setStatus": { channel_id: GENERAL, status: "active" },
  "conversations.history": { channel: GENERAL },
  "views.open": { view: modal() },
  "views.update": { view: modal() },
  "views.publish": { user_id: USER, view: { type: "home", blocks: [] } },
};

type Row = [method: string, args: Json, error: string | undefined];

const ofStreams = (method: string): Row[] => [
  [method, { ts: posted }, "message_not_in_streaming_state"],
  [method, { ts: ended }, "message_not_in_streaming_state"],
  [method, { ts: question }, "message_not_owned_by_app"],
  [method, { ts: UNKNOWN }, "message_not_found"],
  [method, { ts: ofTasks }, "streaming_mode_mismatch"],
  [method, { ts: long, markdown_text: x(1_001) }, "msg_too_long"],
  [method, { ts: empty, markdown_text: "" }, "no_text"],
  [method, { ts: ofBlocks, markdown_text: "", chunks: [blocks(1)] }, "msg_blocks_too_many"],
];

const rows: Row[] = [
  ["chat.unfurl", {}, "unknown_method"],
  ["auth.test", { token: "" }, "not_authed"],
  ["auth.test", { token: "xoxb-not-a-token" }, "invalid_auth"],
  ["apps.connections.open", {}, "not_allowed_token_type"],
  ["chat.postMessage", {}, "no_text"],
  ["chat.postMessage", { channel: NOWHERE, text: "a" }, "channel_not_found"],
  ["chat.postMessage", { channel: RANDOM, text: "a" }, "not_in_channel"],
  ["chat.postMessage", { channel: ARCHIVE, text: "a" }, "is_archived"],
  ["chat.postMessage", { channel: "U0GONE00001", text: "a" }, "user_disabled"],
  ["chat.postMessage", { channel: "D0GONE00001", text: "a" }, "user_disabled"],
  ["chat.postMessage", { channel: "U0HIDDEN001", text: "a" }, "user_not_visible"],
  ["chat.postMessage", { text: "a", thread_ts: "0" }, "invalid_thread_ts"],
  ["chat.postMessage", { text: "a", reply_broadcast: true }, "invalid_arguments"],
  ["chat.postMessage", { text: "a", markdown_text: "a" }, "markdown_text_conflict"],
  ["chat.postMessage", { markdown_text: x(12_001) }, "msg_too_long"],
  ["chat.postMessage", { markdown_text: rules(51) }, "invalid_blocks"],
  ["chat.postMessage", { blocks: [markdown(rules(51))] }, "invalid_blocks"],
  ["chat.postMessage", { blocks: "none" }, "invalid_blocks_format"],
  ["chat.postMessage", { text: "a", metadata: "no" }, "invalid_metadata_format"],
  ["chat.postMessage", { text: "a", metadata: { event_type: "" } }, "invalid_metadata_schema"],
  ["chat.postMessage", { text: "a", metadata }, "metadata_too_large"],
  ["chat.postMessage", { attachments: [{ blocks: [{ type: "a" }] }] }, "invalid_attachments"],
  ["chat.postMessage", { attachments: times(2, { blocks: [TABLE] }) }, "invalid_attachments"],
  ["chat.postMessage", { attachments: times(101, { text: "a" }) }, "too_many_attachments"],
  ["chat.postEphemeral", { user: "U0STRANGER1" }, "user_not_in_channel"],
  ["chat.postEphemeral", { user: "U0PARTNER01" }, "user_not_in_channel"],
  ["chat.postEphemeral", { user: "U0GONE00001" }, "user_not_in_channel"],
  ["chat.postEphemeral", { user: "U0NOBODY001" }, "user_not_found"],
  ["chat.update", { ts: hers, text: "b" }, "cant_update_message"],
  ["chat.update", { ts: UNKNOWN, text: "b" }, "message_not_found"],
  ["chat.update", { ts: gone, text: "b" }, "message_not_found"],
  ["chat.update", { ts: tombstone, text: "b" }, "message_not_found"],
  ["chat.update", { ts: psst, text: "b" }, "message_not_found"],
  ["chat.update", { channel: ARCHIVE, ts: archived, text: "b" }, "is_inactive"],
  ["chat.update", { channel: thread.channel, ts: live, text: "b" }, "streaming_state_conflict"],
  ["chat.update", {}, "no_text"],
  ["chat.update", { text: x(4001) }, "msg_too_long"],
  ["chat.update", { text: x(4000) }, undefined],
  ["chat.update", { text: "千".repeat(1334) }, "msg_too_long"],
  ["chat.update", { text: "千".repeat(1333) }, undefined],
  ["chat.update", { markdown_text: rules(51) }, "invalid_blocks"],
  ["chat.update", { blocks: [markdown(rules(51))] }, "invalid_blocks"],
  ["chat.delete", { ts: hers }, "cant_delete_message"],
  ["chat.delete", { ts: gone }, "message_not_found"],
  ["chat.delete", { ts: tombstone }, "message_not_found"],
  ["chat.getPermalink", { message_ts: gone }, "message_not_found"],
  ["chat.startStream", { channel: "D0NOWHERE01" }, "channel_not_found"],
  ["chat.startStream", { thread_ts: "" }, "invalid_thread_ts"],
  ["chat.startStream", { markdown_text: "a", chunks: [] }, "cannot_provide_both_markdown_text_and_chunks"],
  ["chat.startStream", { recipient_user_id: USER }, "missing_recipient_team_id"],
  ["chat.startStream", { chunks: [{ type: "text", text: "a" }] }, "invalid_chunks"],
  ["chat.startStream", { chunks: [{ ...TASK, title: "" }] }, "invalid_chunks"],
  ["chat.startStream", { chunks: [{ type: "blocks", blocks: [{ type: "header" }] }] }, "invalid_blocks"],
  ["chat.startStream", { chunks: [blocks(25), blocks(26)] }, "msg_blocks_too_many"],
  ["chat.startStream", { markdown_text: rules(51) }, "msg_blocks_too_many"],
  ["chat.startStream", { markdown_text: x(12_001) }, "msg_too_long"],
  ["chat.startStream", { chunks: [chunk(1), { ...TASK, output: x(12_000) }] }, "msg_too_long"],
  ["chat.startStream", { channel: GENERAL, thread_ts: hers }, "missing_recipient_user_id"],
  ["chat.startStream", { channel: GENERAL, thread_ts: hers, recipient_user_id: USER }, "missing_recipient_team_id"],
  ["chat.startStream", { channel: GENERAL, ...alice, recipient_user_id: "U0NOBODY001" }, "user_not_found"],
  ["chat.startStream", { channel: GENERAL, thread_ts: UNKNOWN, ...alice }, "invalid_thread_ts"],
  ["chat.startStream", { channel: SHARED, ...alice }, "channel_type_not_supported"],
  ["chat.startStream", { channel: ARCHIVE, ...alice }, "is_archived"],
  ["chat.startStream", { channel: RANDOM, ...alice }, "not_in_channel"],
  ...ofStreams("chat.appendStream"),
  ...ofStreams("chat.stopStream"),
  ["chat.stopStream", { ts: live, blocks: "none" }, "invalid_blocks_format"],
  ["chat.stopStream", { ts: live, blocks: dividers(51) }, "msg_blocks_too_many"],
  ["chat.stopStream", { ts: live, metadata: { event_type: "" } }, "invalid_metadata_schema"],
  ["chat.stopStream", { ts: live, session_status: "done" }, "invalid_arguments"],
  ["chat.stopStream", { ts: live }, undefined],
  ["agents.sessions.setStatus", { thread_ts: UNKNOWN }, "invalid_thread_ts"],
  ["agents.sessions.setStatus", { thread_ts: hers, title: x(201) }, "invalid_arguments"],
  ["agents.sessions.setStatus", { thread_ts: hers, status: "busy" }, "invalid_arguments"],
  ["conversations.info", { channel: "general" }, "channel_not_found"],
  ["conversations.info", {}, "invalid_arguments"],
  ["conversations.history", { channel: RANDOM }, "not_in_channel"],
  ["conversations.history", { channel: NOWHERE }, "channel_not_found"],
  ["conversations.history", { oldest: "yesterday" }, "invalid_ts_oldest"],
  ["conversations.history", { latest: "tomorrow" }, "invalid_ts_latest"],
  ["conversations.history", { limit: 0 }, "invalid_limit"],
  ["conversations.history", { cursor: "next" }, "invalid_cursor"],
  ["conversations.replies", { channel: GENERAL, ts: UNKNOWN }, "thread_not_found"],
  ["conversations.open", { users: "U0NOBODY001" }, "user_not_found"],
  ["conversations.open", { users: "U0GONE00001" }, "user_disabled"],
  ["conversations.open", { users: "U0HIDDEN001" }, "user_not_visible"],
  ["users.conversations", { types: "public" }, "invalid_types"],
  ["users.info", { user: "U0NOBODY001" }, "user_not_found"],
  ["users.info", { user: "U0HIDDEN001" }, "user_not_visible"],
  ["bots.info", { bot: "B0NOBODY001" }, "bot_not_found"],
  ["team.info", { team: "T0OTHERTEAM" }, "team_not_found"],
  ["team.info", { team: "T0PARTNERS1" }, undefined],
  ["usergroups.users.list", { usergroup: "S0NOWHERE01" }, "no_such_subteam"],
  ["usergroups.users.list", { usergroup: "S0OLD000001" }, "no_such_subteam"],
  ["files.getUploadURLExternal", { filename: "a.txt", length: 0 }, "missing_argument"],
  ["files.completeUploadExternal", { files: [{ id: file }] }, "file_not_found"],
  ["files.info", { file }, "file_not_found"],
  ["files.info", { file: "F0NOWHERE01" }, "file_not_found"],
  ["views.open", { trigger_id: "1.2.abc" }, "invalid_trigger_id"],
  ["views.open", { view: modal({ private_metadata: x(250_000) }) }, "view_too_large"],
  ["views.update", { external_id: "yours" }, "not_found"],
  ["views.update", { view_id: "V0NOWHERE01" }, "not_found"],
  ["views.publish", { user_id: "U0NOBODY001" }, "user_not_found"],
  ["views.publish", { view: { type: "home", blocks: times(90, SECTION) } }, "view_too_large"],
];

const short = (args: object): string =>
  inspect(args, { maxStringLength: 20, maxArrayLength: 2, breakLength: Infinity });

test.each(rows.map(([method, args, error]) => ({ method, args, shown: short(args), error })))(
  "$method with $shown: $error",
  async ({ method, args, error }) => {
    expect((await call(method, { ...given[method], ...args }))["error"]).toBe(error);
  },
);

test("what is refused changes no conversation", () => {
  const all = control.workspace().channels.flatMap(({ id }) => control.messages({ channel: id }));
  expect(all.filter(({ ts, thread_ts }) => ts > posted && thread_ts !== question)).toMatchObject([{ files: [{}] }]);
});

const home = (members: Json = {}): Json => ({ type: "home", blocks: [], ...members });
const longer = (most: number, at: string): string =>
  `must be less than ${most + 1} characters [json-pointer:/view/${at}]`;
const missing = (name: string): string => `missing required field: ${name} [json-pointer:/view]`;
const wrongType = "must be a valid enum value [json-pointer:/view/type]";
const unknown = (name: string): string => `invalid additional property: ${name} [json-pointer:/view]`;
const noBlocks = "must be a list of blocks [json-pointer:/view/blocks]";
const wide = { type: "actions", elements: [{ ...more, text: text(x(76)) }] };

test.each<[method: string, problems: string | string[], view: unknown]>([
  ["views.open", longer(24, "title/text"), modal({ title: text(x(25)) })],
  ["views.open", longer(24, "submit/text"), modal({ submit: text(x(25)) })],
  ["views.open", longer(24, "close/text"), modal({ close: text(x(25)) })],
  ["views.open", longer(3_000, "private_metadata"), modal({ private_metadata: x(3_001) })],
  ["views.open", longer(255, "callback_id"), modal({ callback_id: x(256) })],
  ["views.open", longer(75, "blocks/0/elements/0/text/text"), modal({ blocks: [wide] })],
  ["views.open", missing("submit"), modal({ submit: undefined, blocks: [input("a")] })],
  ["views.open", missing("title"), modal({ title: undefined })],
  ["views.open", wrongType, modal({ type: "home" })],
  ["views.open", unknown("colour"), modal({ colour: "red" })],
  ["views.open", ["must be an object [json-pointer:/view]", noBlocks], "view"],
  ["views.open", "missing required field: trigger_id", modal()],
  ["views.update", "missing required field: view_id or external_id", modal()],
  ["views.publish", wrongType, home({ type: "modal" })],
  ["views.publish", unknown("title"), home({ title: text("Home") })],
  ["views.publish", "no more than 100 items allowed [json-pointer:/view/blocks]", home({ blocks: dividers(101) })],
  ["views.publish", 'unsupported type: "markdown" [json-pointer:/view/blocks/0]', home({ blocks: [markdown("x")] })],
  ["views.publish", longer(3_000, "private_metadata"), home({ private_metadata: x(3_001) })],
])("%s names the problems of a view: %s", async (method, problems, view) => {
  const answer = await call(method, { user_id: USER, view });
  expect(answer).toMatchObject({ ok: false, error: "invalid_arguments", errors: [problems].flat() });
});

test.each<[method: string, args: Json, needed: string | undefined]>([
  ["chat.postMessage", { channel: GENERAL, text: "hi" }, undefined],
  ["conversations.info", { channel: "D0BOB000001" }, undefined],
  ["conversations.info", { channel: GENERAL }, "channels:read"],
  ["users.conversations", { types: "private_channel" }, "groups:read"],
  ["users.info", { user: USER }, "users:read"],
  ["usergroups.users.list", { usergroup: "S0NOWHERE01" }, "usergroups:read"],
])("%s with %j, of a token with other scopes, lacks %s", async (method, args, needed) => {
  const poor = await startDevSlack({ scopes: ["chat:write", "im:read"] });
  const answer = await callWebApi(poor, method, args);
  await poor.close();
  const refusal = { ok: false, error: "missing_scope", needed, provided: "chat:write,im:read" };
  expect(answer).toMatchObject(needed === undefined ? { ok: true } : refusal);
});
