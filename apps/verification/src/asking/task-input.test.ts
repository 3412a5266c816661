import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type { Question } from "../inbox/records.ts";
import { questionRecord } from "../testing/test-inbox.ts";
import { createFakeSlack, identity, member, newTs, openChannel, type FakeSlack } from "../testing/fake-slack.ts";
import { createSlackDirectory } from "../policy/slack-directory.ts";
import { closedPolicy } from "../testing/start-test-app.ts";
import type { WorkspaceContext } from "../workspaces/workspaces.ts";
import { readThreadHistory, taskParams, type ThreadHistory } from "./task-input.ts";

const onFailure = vi.fn<(error: unknown) => void>();
const policy = { ...closedPolicy, apps: new Set(["A7"]) };
function read(slack: FakeSlack, more: Partial<Question>, timeoutMs = 1_000): Promise<ThreadHistory> {
  const directory = createSlackDirectory({ slack, identity, now: Date.now, timeoutMs: 1_000 });
  const workspace = { slack, directory, identity } as Partial<WorkspaceContext> as WorkspaceContext;
  return readThreadHistory(workspace, questionRecord(more), { policy, timeoutMs, onFailure });
}

test("of a message that starts a thread and names its files, only the author's name is looked up", async () => {
  const slack = createFakeSlack();
  expect(await read(slack, { files: [{ id: "F1" }] })).toMatchObject({
    messages: [],
    files: [{ id: "F1" }],
    people: [],
  });
  expect(slack.calls).toEqual(["user"]);
});

test("a reply includes earlier messages: at most 200, the root and the newest, without our placeholders", async () => {
  const slack = createFakeSlack();
  slack.say({ ts: "1.0", text: "<@UBOT> root &amp; more" });
  for (let count = 0; count < 450; count += 1)
    slack.say({ ts: newTs(), thread_ts: "1.0", user: "U2", text: `reply ${count}` });
  const mark = { request_id: "r0", correlation_id: "c0", state: "working" } as const;
  await slack.post({ channel: "C1", thread_ts: "1.0" }, { text: "Working on it…", mark });
  const own = { ...mark, state: "done" } as const;
  await slack.post({ channel: "C1", thread_ts: "1.0" }, { markdown_text: "an answer", mark: own });
  const ts = newTs();
  slack.say({ ts, thread_ts: "1.0", text: "the question", files: [{ id: "F9" }] });
  slack.say({ ts: newTs(), thread_ts: "1.0", text: "said later" });
  const { messages, files, people } = await read(slack, { ts });
  expect(messages).toHaveLength(200);
  expect(messages[0]).toMatchObject({ text: "root & more", user: "U1", bot: false });
  expect(messages[1]?.text).toBe("reply 252");
  expect(messages.at(-1)).toMatchObject({ text: "an answer", bot: true });
  expect(files).toEqual([{ id: "F9" }]);
  expect(new Set(people)).toEqual(new Set(["U1", "U2"]));
});

test.each([
  ["a person", { text: "x".repeat(9_000) }, 12],
  ["others, in its messages", { text: "see", attachments: [{ is_share: true, text: "x".repeat(9_000) }] }, 11],
])(
  "W2: a thread is cut to the size that the zone link accepts, whether it is long by words of %s",
  async (...given) => {
    const [, said, count] = given;
    const slack = createFakeSlack();
    slack.say({ ts: "1.0", text: "root" });
    for (let replies = 0; replies < 20; replies += 1) slack.say({ ts: newTs(), thread_ts: "1.0", ...said });
    expect((await read(slack, { ts: newTs() })).messages).toHaveLength(count);
  },
);

test("a mention without files is looked up, but only that message", async () => {
  const slack = createFakeSlack();
  slack.say({ ts: "1.0", text: "look", files: [{ id: "F1", name: "a.txt" }] });
  expect(await read(slack, { files_unknown: true })).toMatchObject({
    messages: [],
    files: [{ id: "F1", name: "a.txt" }],
    people: [],
  });
  expect(slack.calls).toEqual(["replies", "user"]);
});

test("the lookup ends when Slack fails or is too slow, and each failure is reported once", async () => {
  const slack = createFakeSlack();
  slack.failNext("replies", "unavailable");
  expect((await read(slack, { ts: "2.0" })).messages).toEqual([]);
  expect(onFailure.mock.calls).toMatchObject([[{ name: "SlackCallError" }]]);
  const hanging = { ...slack, replies: () => new Promise<never>(() => undefined) };
  expect((await read(hanging, { ts: "2.0" }, 30)).messages).toEqual([]);
  expect(onFailure.mock.calls).toMatchObject([[{ name: "SlackCallError" }], [{ name: "TimeLimitError" }]]);
});

const unread = { what: "The messages of this thread after this one", why: "Slack did not return them." };

test("W30: of a long thread, the root says how many messages after it were left out", async () => {
  const slack = createFakeSlack();
  slack.say({ ts: "1.0", text: "root", attachments: [{}] });
  for (let count = 0; count < 429; count += 1) slack.say({ ts: newTs(), thread_ts: "1.0", text: `reply ${count}` });
  const { messages } = await read(slack, { ts: newTs() });
  expect([messages.length, messages[1]?.text]).toEqual([200, "reply 230"]);
  expect(messages[0]?.unreadable).toMatchObject([
    { what: "An attachment" },
    { what: "The next 230 messages of this thread", why: "Only the first message and the newest ones fit." },
  ]);
  expect(messages.slice(1).every(({ unreadable }) => unreadable === undefined)).toBe(true);
});

test("W30: a thread of which nothing could be read is named among what is missing", async () => {
  const slack = createFakeSlack();
  slack.failNext("replies", "rate_limited");
  const record = questionRecord({ ts: "2.0", unreadable: [{ what: "A canvas", why: "It is empty." }] });
  const history = await read(slack, record);
  expect(history.messages).toEqual([]);
  const asked = { text: record.text, agent: undefined, contextId: "c" };
  const params = taskParams(record, asked, { history, files: { attachments: [], thread: [] }, botToken: "czh" });
  expect(params.unreadable).toMatchObject([{ what: "A canvas" }, { what: "The earlier messages of this thread" }]);
  expect((await read(slack, { ts: "1.0" })).missing).toEqual([]);
});

test("messages that were read in time are used, and no further page is requested", async () => {
  const second = Promise.withResolvers<void>();
  const replies = vi.fn<FakeSlack["replies"]>(async ({ cursor = "1" }) => {
    if (cursor !== "1") await second.promise;
    const messages = [{ ts: "1.0", raw: { user: "U1", text: "root" }, files: [], user: "U1" }];
    return { messages, ...(cursor !== "5" && { next_cursor: String(Number(cursor) + 1) }) };
  });
  const { messages } = await read({ ...createFakeSlack(), replies }, { ts: "2.0" }, 30);
  expect(messages).toMatchObject([{ text: "root", unreadable: [unread] }]);
  second.resolve();
  await nextTurn();
  expect(replies).toHaveBeenCalledTimes(2);
});

test("W2, W8, W9: a thread carries the words of apps, of others and of quotations, with names and files", async () => {
  const slack = createFakeSlack();
  slack.directory.users["U2"] = { ...member, name: "Bob Carter" };
  slack.directory.users["U1"] = { ...member, name: "Alice" };
  slack.directory.channels["C7"] = { ...openChannel, name: "random" };
  const attachments = [
    { title: "[FIRING:1] batch-job", text: "It failed.", fields: [{ title: "severity", value: "high" }] },
  ];
  slack.say({ ts: "1.0", text: "", user: "", bot_id: "B9", username: "Alertmanager", attachments });
  const forwarded = { is_share: true, author_id: "U2", author_name: "Bob", channel_id: "C7", text: "ask <@U1>" };
  const file = { id: "F1", name: "sales.csv", mimetype: "text/csv", size: 9 };
  slack.say({
    ts: "2.0",
    thread_ts: "1.0",
    user: "U2",
    text: "&gt; hm\n<@U1>",
    files: [file],
    attachments: [forwarded],
  });
  const others = [{ kind: "forwarded", text: "<@U2>", channel: "<#C7>" }];
  const unreadable = [{ what: "A canvas", why: "It is empty." }];
  const record = questionRecord({
    ts: "3.0",
    thread_ts: "1.0",
    text: "who is <@U2>?",
    others,
    unreadable,
    has_quotes: true,
  });
  const history = await read(slack, record);
  expect(history.messages).toEqual([
    {
      ts: "1.0",
      bot: false,
      app: true,
      name: "Alertmanager",
      text: "[FIRING:1] batch-job\n\nIt failed.\n\nseverity: high",
    },
    {
      ts: "2.0",
      bot: false,
      user: "U2",
      name: "Bob Carter",
      text: "> hm\n\n<@U1|Alice>",
      has_quotes: true,
      others: [{ kind: "forwarded", text: "ask <@U1|Alice>", author: "Bob", user: "U2", channel: "#random" }],
      files: [{ id: "F1", name: "sales.csv", mime_type: "text/csv", size: 9 }],
    },
  ]);
  const asked = { text: record.text, agent: undefined, contextId: "c" };
  const sent = { history, files: { attachments: [], thread: history.messages }, botToken: "czh" };
  const params = taskParams(record, asked, sent);
  expect(params).toMatchObject({ user_name: "Alice", text: "who is <@U2|Bob Carter>?", has_quotes: true, unreadable });
  expect(params.others).toEqual([{ kind: "forwarded", text: "<@U2|Bob Carter>", channel: "#random" }]);
  const offered = taskParams({ ...record, offered_by: "case" }, asked, sent);
  expect(offered.text).toBe("who is <@U2>?");
});

test("W8, W13: a post with a person's own token is the person's if the policy lists the app, else another app's", async () => {
  const slack = createFakeSlack();
  slack.directory.users["U1"] = { ...member, name: "Alice" };
  for (const app_id of ["A7", "A8"]) {
    const post = { user: "U1", bot_id: "B7", text: "Shipped.", bot_profile: { name: "Release bot", app_id } };
    slack.say({ ts: newTs(), thread_ts: "1.0", ...post });
  }
  const { messages } = await read(slack, { ts: newTs() });
  expect(messages.map(({ user, name, app }) => ({ user, name, app }))).toEqual([
    { user: "U1", name: "Alice" },
    { user: "U1", name: "Release bot", app: true },
  ]);
});
