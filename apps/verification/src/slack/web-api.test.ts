import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { serve } from "@crosszone/testkit/temporary";
import { type BotToken, createSdkLogger } from "./token-clients.ts";
import type { SlackApi, StreamChunk } from "./slack-api.ts";
import type { SlackCallError } from "./slack-call-error.ts";
import { createWebApi } from "./web-api.ts";

interface Call {
  method: string;
  host: string | undefined;
  authorization: string | undefined;
  args: Record<string, string>;
}
type Answer = (response: ServerResponse, call: Call) => void;

const ok =
  (body: object = {}): Answer =>
  (response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify({ ok: true, ...body }));
  };
const says =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

let current = "xoxb-secret";
const token: BotToken = {
  current: () => current,
  renew: () => {
    current = current === "xoxb-secret" ? "xoxb-next" : current;
    return current === "xoxb-next";
  },
};
afterEach(() => {
  current = "xoxb-secret";
});

const silence: Answer = () => undefined;

/** Starts a server in place of slack.com that returns these answers in order; the last one repeats. */
async function connect(
  ...answers: [Answer, ...Answer[]]
): Promise<{ slack: SlackApi; calls: Call[]; remarks: string[] }> {
  const calls: Call[] = [];
  const answerCall = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = {
      method: (request.url ?? "").replace("/api/", ""),
      host: request.headers.host,
      authorization: request.headers.authorization,
      args: Object.fromEntries(new URLSearchParams(await text(request))),
    };
    calls.push(call);
    (answers.length > 1 ? answers.shift() : answers[0])?.(response, call);
  };
  const origin = await serve(answerCall);
  const remarks: string[] = [];
  const apiUrl = `${origin}/api/`;
  const logger = createSdkLogger((_level, remark) => remarks.push(remark));
  // A busy machine must not make an answer late.
  const timeoutMs = answers.includes(silence) ? 200 : 10_000;
  return { slack: createWebApi({ token, apiUrl, logger, timeoutMs, sharingMs: 32 }), calls, remarks };
}

const thread = { channel: "C1", thread_ts: "1.0" };
const mark = { request_id: "r1", correlation_id: "c1", state: "working" } as const;
const failure = async (promise: Promise<unknown>): Promise<SlackCallError> =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error as SlackCallError,
  );

describe("calls to Slack", () => {
  test("S18: a post has its mark and thread, and unfurls nothing", async () => {
    const { slack, calls } = await connect(ok({ ts: "2.0" }));
    expect(await slack.post(thread, { text: "Working on it…", mark })).toEqual({ ts: "2.0" });
    const [{ method, authorization, args } = { args: {} as Record<string, string> }] = calls;
    expect([method, authorization]).toEqual(["chat.postMessage", "Bearer xoxb-secret"]);
    expect(args).toMatchObject({ ...thread, text: "Working on it…", unfurl_links: "false", unfurl_media: "false" });
    expect(JSON.parse(args["metadata"] ?? "")).toEqual({ event_type: "crosszone_task", event_payload: mark });
  });

  test("an edit of a short message has blocks, so that Slack does not show “(edited)” below it, and the new mark", async () => {
    const { slack, calls } = await connect(ok());
    await slack.update(
      { channel: "C1", ts: "2.0" },
      { markdown_text: "**yes**", mark: { ...mark, part: 1, parts: 2 } },
    );
    expect(calls[0]?.args).toMatchObject({ channel: "C1", ts: "2.0", text: "yes" });
    expect(JSON.parse(calls[0]?.args["blocks"] ?? "")).toEqual([{ type: "markdown", text: "**yes**" }]);
    expect(calls[0]?.args["markdown_text"]).toBeUndefined();
    expect(JSON.parse(calls[0]?.args["metadata"] ?? "")).toMatchObject({ event_payload: { part: 1, parts: 2 } });
  });
});

describe("W26: an upload", () => {
  const file = { filename: "a.png", content: "abc", altText: "A chart" };
  /** Answers as the steps of an upload do, then each look at the file. */
  const steps = (...looks: Answer[]): [Answer, ...Answer[]] => {
    const link: Answer = (response, call) =>
      ok({ upload_url: `http://${call.host}/up`, file_id: "F1" })(response, call);
    return [link, says(200, "OK"), ok({ files: [{ id: "F1", title: "a.png" }] }), ...looks];
  };
  const look = (...channels: string[]): Answer => ok({ file: { id: "F1", name: "a.png", channels } });

  test("is looked at until it is shared, and an image has Slack's own member for its text", async () => {
    const { slack, calls } = await connect(...steps(look(), look("C2"), look("C1")));
    await slack.upload({ channel: "C1" }, file);
    expect(calls.map(({ method }) => method)).toEqual([
      "files.getUploadURLExternal",
      "/up",
      "files.completeUploadExternal",
      "files.info",
      "files.info",
      "files.info",
    ]);
    expect(calls[0]?.args).toMatchObject({ filename: "a.png", alt_txt: "A chart" });
    expect(calls[0]?.args).not.toHaveProperty("alt_text");
  });

  test("that is shared nowhere is refused for good; one of which Slack says nothing counts as shared", async () => {
    const { slack } = await connect(...steps(look("C2")));
    const unshared = { failure: "refused", code: "not_shared" };
    expect(await failure(slack.upload({ channel: "C1" }, file))).toMatchObject(unshared);
    const unread = await connect(...steps(ok({ ok: false, error: "missing_scope" })));
    await unread.slack.upload({ channel: "C1" }, file);
  });
});

describe("W3: what would land outside the thread that was asked", () => {
  const methods = (calls: readonly Call[]): string[] => calls.map(({ method }) => method);

  test.each([
    ["deleted at once", [ok()]],
    ["deleted when the rate limit is over", [says(429, "", { "retry-after": "1" }), ok()]],
    ["left to the person who deleted it first", [ok({ ok: false, error: "message_not_found" })]],
  ])("a post is %s, and is refused for good", async (_how, deletions) => {
    for (const message of [{ ts: "2.0" }, { ts: "2.0", thread_ts: "0.9" }]) {
      const { slack, calls } = await connect(ok({ ts: "2.0", message }), ...deletions);
      expect(await failure(slack.post(thread, { text: "private", mark }))).toMatchObject({
        failure: "refused",
        code: "posted_elsewhere",
        cause: undefined,
      });
      expect(methods(calls)).toEqual(["chat.postMessage", ...deletions.map(() => "chat.delete")]);
      expect(calls.at(-1)?.args).toEqual({ channel: "C1", ts: "2.0" });
    }
  });

  test("a post that can't be deleted says so", async () => {
    const { slack } = await connect(
      ok({ ts: "2.0", message: { ts: "2.0" } }),
      ok({ ok: false, error: "missing_scope" }),
    );
    const error = await failure(slack.post(thread, { text: "private", mark }));
    expect([error.code, error.cause]).toMatchObject(["posted_elsewhere", { code: "missing_scope" }]);
  });

  test("a post in its thread, or outside of threads, stays", async () => {
    const { slack, calls } = await connect(
      ok({ ts: "2.0", message: { thread_ts: "1.0" } }),
      ok({ ts: "3.0", message: {} }),
    );
    await slack.post(thread, { text: "hi", mark });
    await slack.post({ channel: "C1" }, { text: "hi", mark });
    expect(methods(calls)).toEqual(["chat.postMessage", "chat.postMessage"]);
  });

  test("a file is not uploaded", async () => {
    const { slack, calls } = await connect(ok({ ok: false, error: "message_not_found" }));
    const error = await failure(slack.upload(thread, { filename: "a.md", content: "private" }));
    expect([error.code, methods(calls)]).toEqual(["posted_elsewhere", ["chat.getPermalink"]]);
    expect(calls[0]?.args).toEqual({ channel: "C1", message_ts: "1.0" });
  });
});

describe("responses of Slack", () => {
  test("the bot's identity; a token that is not a bot's is refused", async () => {
    const bot = { team_id: "T1", user_id: "UBOT", bot_id: "BBOT", enterprise_id: "E1" };
    const { slack } = await connect(ok(bot), ok({ team_id: "T1", user_id: "U1" }));
    expect(await slack.identity()).toEqual({ team_id: "T1", bot_user_id: "UBOT", bot_id: "BBOT", enterprise_id: "E1" });
    expect(await failure(slack.identity())).toMatchObject({ failure: "refused", code: "not_a_bot_token" });
  });

  test("the app id of a bot; a bot without an app is refused", async () => {
    const { slack, calls } = await connect(ok({ bot: { id: "BBOT", app_id: "A1" } }), ok({ bot: { id: "BBOT" } }));
    const bot = { bot_id: "BBOT", bot_user_id: "UBOT", team_id: "T1" };
    expect(await slack.appOf(bot)).toBe("A1");
    expect(calls[0]).toMatchObject({ method: "bots.info", args: { bot: "BBOT", team_id: "T1" } });
    expect(await failure(slack.appOf(bot))).toMatchObject({ failure: "refused", code: "no_app_id" });
  });

  test("replies with their files and our marks; entries that are not messages are dropped", async () => {
    const metadata = { event_type: "crosszone_task", event_payload: mark };
    const files = [{ id: "F1", name: "a.txt", mimetype: "text/plain", size: 3, url_private: "https://x" }, "junk"];
    const messages = [
      { ts: "1.0", user: "U1", text: "hi", files },
      { ts: "2.0", bot_id: "B", metadata },
      { text: "no ts" },
    ];
    const { slack, calls } = await connect(ok({ messages, response_metadata: { next_cursor: "more" } }));
    expect(await slack.replies({ ...thread, limit: 5, latest: "9.0" })).toEqual({
      messages: [
        {
          ts: "1.0",
          user: "U1",
          raw: messages[0],
          files: [{ id: "F1", name: "a.txt", mime_type: "text/plain", size: 3 }],
        },
        { ts: "2.0", bot_id: "B", raw: messages[1], files: [], mark },
      ],
      next_cursor: "more",
    });
    expect(calls[0]?.args).toMatchObject({
      channel: "C1",
      ts: "1.0",
      limit: "5",
      latest: "9.0",
      include_all_metadata: "true",
    });
  });
});

describe("people, channels and teams", () => {
  const bare = { team_id: "T1", deleted: false, is_bot: false };
  test.each<[string, object, object]>([
    ["a member", bare, { team_id: "T1", deleted: false, bot: false, guest: false, stranger: false }],
    ["a guest of several channels", { ...bare, is_restricted: true }, { guest: true }],
    ["a guest of one channel", { ...bare, is_ultra_restricted: true }, { guest: true }],
    ["a stranger", { ...bare, team_id: "T2", is_stranger: true }, { team_id: "T2", stranger: true }],
    ["a deactivated bot", { ...bare, deleted: true, is_bot: true }, { deleted: true, bot: true }],
  ])("%s", async (_what, user, expected) => {
    const { slack, calls } = await connect(ok({ user }));
    expect(await slack.user("U1")).toMatchObject(expected);
    expect(calls[0]).toMatchObject({ method: "users.info", args: { user: "U1" } });
  });

  test.each<[object, object]>([
    [{ is_archived: false }, { archived: false, shared: false }],
    [{ is_archived: true }, { archived: true, shared: false }],
    [{ is_archived: false, is_ext_shared: true }, { shared: true }],
    [{ is_archived: false, is_pending_ext_shared: true }, { shared: true }],
  ])("a channel with %j", async (channel, expected) => {
    const { slack } = await connect(ok({ channel }));
    expect(await slack.channel("C1")).toMatchObject(expected);
  });

  test.each<["team" | "user" | "channel", string]>([
    ["team", "team_not_found"],
    ["user", "user_not_found"],
    ["channel", "channel_not_found"],
  ])("a missing %s resolves to undefined; a missing scope rejects", async (what, code) => {
    const { slack } = await connect(ok({ ok: false, error: code }), ok({ ok: false, error: "missing_scope" }));
    expect(await slack[what]("X1")).toBeUndefined();
    expect(await failure(slack[what]("X1"))).toMatchObject({ failure: "refused", code: "missing_scope" });
  });

  test.each([true, false])("an ephemeral message, in an existing thread: %s", async (in_thread) => {
    const { slack, calls } = await connect(ok({ message_ts: "3.0" }));
    await slack.tell({ ...thread, in_thread, user_id: "U1" }, "No.");
    expect(calls[0]).toMatchObject({ method: "chat.postEphemeral", args: { channel: "C1", user: "U1", text: "No." } });
    expect(calls[0]?.args["thread_ts"]).toBe(in_thread ? "1.0" : undefined);
  });
});

describe("a token that Slack no longer accepts", () => {
  const refusing =
    (code: string): Answer =>
    (response, call) =>
      (call.authorization === "Bearer xoxb-next" ? ok({ ts: "2.0" }) : ok({ ok: false, error: code }))(response, call);

  test.each(["invalid_auth", "token_revoked", "token_expired", "account_inactive"])(
    "S15: %s: the call is made with the next token",
    async (code) => {
      const { slack, calls } = await connect(refusing(code));
      expect(await slack.post(thread, { text: "hi", mark })).toEqual({ ts: "2.0" });
      await slack.update({ channel: "C1", ts: "2.0" }, { text: "hi", mark });
      expect(calls.map(({ authorization }) => authorization)).toEqual([
        "Bearer xoxb-secret",
        "Bearer xoxb-next",
        "Bearer xoxb-next",
      ]);
    },
  );
});

describe("failures", () => {
  test.each<[string, Answer, object]>([
    [
      "an error code of Slack",
      ok({ ok: false, error: "channel_not_found" }),
      { failure: "refused", code: "channel_not_found" },
    ],
    [
      "an internal error of Slack",
      ok({ ok: false, error: "internal_error" }),
      { failure: "unavailable", code: "internal_error" },
    ],
    ["a rate limit", says(429, "", { "retry-after": "7" }), { failure: "rate_limited", retryAfterMs: 7_000 }],
    ["a server error", says(500, "oops"), { failure: "unavailable", code: "http_500" }],
    ["a page instead of JSON", says(200, "<h1>Sign in</h1>"), { failure: "unavailable", code: "unreadable_answer" }],
    ["silence", silence, { failure: "unavailable", code: "timeout" }],
    ["a dropped connection", (response) => response.destroy(), { failure: "unavailable", code: "und_err_socket" }],
    ["a redirect", says(307, "", { location: "https://example.com/" }), { failure: "unavailable" }],
    ["the end of a stream by its reader", ok({ ok: false, error: "stopped_by_user" }), { failure: "refused" }],
  ])("%s, and a post is not sent twice", async (_what, answer, expected) => {
    const { slack, calls } = await connect(answer);
    const error = await failure(slack.post(thread, { text: "hi", mark }));
    expect(error).toMatchObject({ name: "SlackCallError", method: "chat.postMessage", ...expected });
    expect(calls).toHaveLength(1);
  });

  test("an update is not retried by the client: a late one could undo a newer one", async () => {
    const { slack, calls } = await connect(says(500, ""), ok());
    const error = await failure(slack.update({ channel: "C1", ts: "2.0" }, { text: "hi", mark }));
    expect(error).toMatchObject({ method: "chat.update", failure: "unavailable" });
    expect(calls).toHaveLength(1);
  });

  test("a read is retried by the client", async () => {
    const { slack, calls } = await connect(says(500, ""), ok());
    await slack.replies({ ...thread, limit: 5 });
    expect(calls).toHaveLength(2);
  });

  test("logs of Slack's client contain no message text", async () => {
    const { slack, remarks } = await connect((response) => response.destroy());
    await failure(slack.post(thread, { text: "private words", mark }));
    expect(remarks).toEqual(["http request failed"]);
  });
});

const message = { channel: "C1", ts: "2.0" };
const chunks: StreamChunk[] = [
  { type: "task_update", id: "t", title: "Working on it", status: "in_progress" },
  { type: "markdown_text", text: "Hello" },
];

test("a stream uses chunks from its first call, and names its recipient outside direct messages", async () => {
  const { slack, calls } = await connect(ok({ ts: "2.0" }));
  const recipient = { user_id: "U1", team_id: "T1" };
  expect(await slack.startStream(thread, { chunks, recipient })).toEqual({ ts: "2.0" });
  await slack.startStream(thread, { chunks });
  await slack.appendStream(message, chunks);
  await slack.stopStream(message, { mark, session_status: "processing", chunks });
  await slack.stopStream(message, { mark, session_status: "active" });
  const sent = JSON.stringify(chunks);
  const metadata = JSON.stringify({ event_type: "crosszone_task", event_payload: mark });
  expect(calls.map(({ method, args }) => ({ method, args }))).toEqual([
    {
      method: "chat.startStream",
      args: { ...thread, task_display_mode: "plan", chunks: sent, recipient_user_id: "U1", recipient_team_id: "T1" },
    },
    { method: "chat.startStream", args: { ...thread, task_display_mode: "plan", chunks: sent } },
    { method: "chat.appendStream", args: { ...message, chunks: sent } },
    { method: "chat.stopStream", args: { ...message, metadata, session_status: "processing", chunks: sent } },
    { method: "chat.stopStream", args: { ...message, metadata, session_status: "active" } },
  ]);
});

test("a rate limit of streams delays no other call, and the stream call is not repeated", async () => {
  const { slack, calls } = await connect(says(429, "", { "retry-after": "30" }), ok({ ts: "2.0" }));
  await expect(slack.appendStream(message, chunks)).rejects.toMatchObject({
    method: "chat.appendStream",
    failure: "rate_limited",
    retryAfterMs: 30_000,
  });
  expect(await slack.post(thread, { text: "hi", mark })).toEqual({ ts: "2.0" });
  expect(calls.map(({ method }) => method)).toEqual(["chat.appendStream", "chat.postMessage"]);
});
