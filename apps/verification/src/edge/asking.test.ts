// suite: both
import { someOf } from "@crosszone/testkit/cpu";
import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { InboxFullError } from "../inbox/record-ends.ts";
import { ThreadStore } from "../inbox/thread-store.ts";
import { createTestInbox, openTestDatabase } from "../testing/test-inbox.ts";
import { member } from "../testing/fake-slack.ts";
import {
  changed,
  channelMessage,
  directMessage,
  edited,
  mention,
  type MessageEvent,
  replyTo,
  startTestApp,
  type TestApp,
  until,
} from "../testing/start-test-app.ts";

let app: TestApp;

/** The event of a deleted message; one with replies stays as a tombstone. */
const deleted = (before: MessageEvent, previous_message: MessageEvent | undefined = before): MessageEvent => ({
  ...directMessage("", { subtype: "message_deleted", hidden: true, channel: before["channel"] }),
  channel_type: before["channel_type"],
  deleted_ts: before.ts,
  previous_message,
});
const tombstone = (before: MessageEvent): MessageEvent =>
  changed(before, { subtype: "tombstone", user: "USLACKBOT", text: "This message was deleted.", hidden: true });

const verdicts = (): unknown[] => app.logs.flatMap(({ verdict }) => (verdict === undefined ? [] : [verdict]));
const texts = (): string[] => app.slack.answers().map(({ text }) => text);
const answered = (count: number): Promise<void> =>
  until(() => expect(app.slack.answers().filter(({ mark }) => mark?.state !== "working")).toHaveLength(count));
async function startSlow(text = "slow"): Promise<MessageEvent> {
  const question = mention(text);
  await app.startSlow(question);
  return question;
}

describe("a mention that comes as several events at once", () => {
  const note = { id: "F1", name: "note.txt", mimetype: "text/plain", size: 4 };
  const deliverAll = async (question: MessageEvent): Promise<number[]> => {
    const twin = { ...question, type: "message", subtype: "file_share", files: [note] };
    const once = { event_id: "EvOnce" };
    return Promise.all([app.deliver(question, once), app.deliver(twin), app.deliver(question, once)]);
  };

  test("S4: it is stored once, and a quick answer asks Slack neither for its files nor for a status", async () => {
    app = await startTestApp({ limits: { SHOW_WORK_AFTER_MS: 10_000 } });
    const accept = vi.spyOn(app.deps.inbox, "accept");
    expect(await deliverAll(mention("read it"))).toEqual([200, 200, 200]);
    await answered(1);
    await app.idle();
    expect(accept).toHaveBeenCalledTimes(1);
    expect(verdicts().filter((verdict) => verdict === "duplicate")).toHaveLength(2);
    expect(app.zone.of("execute_task").map(({ params }) => params["attachments"])).toMatchObject([[{ id: "F1" }]]);
    expect(app.slack.calls).not.toContain("replies");
    expect(app.slack.statuses).toEqual([]);
  });

  test("S5: the next one is stored if the first was not", async () => {
    app = await startTestApp();
    vi.spyOn(app.deps.inbox, "accept").mockRejectedValueOnce(new InboxFullError("full"));
    expect(await deliverAll(mention("read it"))).toEqual([503, 200, 200]);
    await answered(1);
    await app.idle();
    expect([app.asked(), app.slack.statuses]).toEqual([["read it"], ["processing", "active"]]);
  });

  test("S4: one that does not show the mention is ignored, and not the one that does", async () => {
    app = await startTestApp();
    const hidden = channelMessage("hi");
    expect(await app.say(hidden, { ...hidden, type: "app_mention" })).toEqual(["not_addressed", "accepted"]);
  });

  test("W3: a deletion that was not stored is stored when it comes again", async () => {
    app = await startTestApp();
    const question = await startSlow();
    const [gone, once] = [deleted(question), { event_id: "EvGone" }];
    const accept = vi.spyOn(app.deps.inbox, "accept");
    accept.mockResolvedValueOnce("duplicate").mockRejectedValueOnce(new InboxFullError("full"));
    expect([await app.deliver(gone, once), await app.deliver(gone, once)]).toEqual([503, 200]);
    await until(() => expect(app.zone.of("cancel_task")).toHaveLength(1));
  });
});

describe("a deleted message", () => {
  test.each([
    ["deleted", deleted],
    ["deleted with replies", tombstone],
  ])("W3: %s while it runs: the task is canceled, and nothing of the question stays in Slack", async (_how, remove) => {
    app = await startTestApp();
    const question = await startSlow("secret question");
    await until(() => expect(app.slack.answers()).toHaveLength(1));
    expect(await app.say(remove(question))).toEqual(["accepted"]);
    await until(() => expect(app.zone.of("cancel_task")).toHaveLength(1));
    await app.idle();
    expect([app.slack.messages, app.slack.notices]).toEqual([[], []]);
    const ended = app.logs.find(({ event, kind_of_record }) => event === "question_done" && kind_of_record === "ask");
    expect(ended).toMatchObject({ outcome: "withdrawn" });
  });

  test("W3: a deletion that arrives first wins: the message is never asked", async () => {
    app = await startTestApp();
    const question = mention("secret question");
    const direct = directMessage("secret question");
    const bare = { ...deleted(direct), previous_message: undefined };
    const events = [deleted(question), question, { ...question, type: "message" }, bare, direct];
    expect(await app.say(...events)).toEqual(["accepted", "duplicate", "duplicate", "accepted", "duplicate"]);
    await app.idle();
    expect([app.asked(), app.slack.messages, app.slack.notices]).toEqual([[], [], []]);
  });

  test("W3: a deleted question that waits is never asked, and the one that runs goes on", async () => {
    app = await startTestApp();
    const question = await startSlow();
    const second = replyTo(`<@UBOT> and the second one`, question);
    expect(await app.say(second, deleted(second))).toEqual(["accepted", "accepted"]);
    app.zone.on("get_async_task_result", () => ({ status: "success", response_text: "the first answer" }));
    await until(() => expect(texts()).toEqual(["the first answer"]));
    await app.idle();
    expect([app.asked(), app.slack.notices]).toEqual([["slow"], []]);
  });

  test("W3: a deletion is stopped whatever the policy says of its author by then", async () => {
    app = await startTestApp();
    const question = await startSlow();
    app.slack.directory.users["U1"] = undefined;
    await app.say(deleted(question));
    await until(() => expect(app.zone.of("cancel_task")).toHaveLength(1));
    await app.idle();
    expect(app.slack.messages).toEqual([]);
  });

  test("W3: other deletions change nothing and store nothing: of an answered question, of people's talk, of an answer", async () => {
    app = await startTestApp();
    const question = mention("hi");
    await app.say(question);
    await answered(1);
    await app.idle();
    const talk = channelMessage("lunch?");
    const answer = channelMessage("You said: hi", { user: "UBOT", bot_id: "BBOT" });
    const events = [deleted(question), tombstone(question), deleted(talk), deleted(answer)];
    expect(await app.say(...events)).toEqual(["deleted", "deleted", "deleted", "deleted"]);
    expect(texts()).toEqual(["You said: hi"]);
  });

  test("W3, W4: whatever the order and repetition of its events, a message starts at most one task, and none once it is deleted", async () => {
    app = await startTestApp();
    const kinds = ["message", "mention", "edit", "resent", "deletion", "tombstone"] as const;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 8 }), async (order) => {
        const question = channelMessage(`<@UBOT> order chairs ${Math.random()}`);
        const typo = `${question["text"] as string}, please`;
        const resent = { ...question, type: "app_mention", text: typo, edited: { user: "U1", ts: "2000.1" } };
        const events = {
          message: question,
          mention: { ...question, type: "app_mention" },
          edit: edited(question, typo),
          resent,
          deletion: deleted(question),
          tombstone: tombstone(question),
        };
        const before = app.asked().length;
        const first = order.findIndex((kind) => kind === "deletion" || kind === "tombstone");
        await app.say(...order.slice(0, first < 0 ? undefined : first).map((kind) => events[kind]));
        await app.idle();
        const asks = order.slice(0, first < 0 ? undefined : first).some((kind) => kind !== "edit");
        expect(app.asked().length - before).toBe(Number(asks));
        await app.say(...order.slice(first < 0 ? order.length : first).map((kind) => events[kind]));
        await app.idle();
        expect(app.asked().length - before).toBe(Number(asks));
      }),
      { numRuns: someOf(Array.from({ length: 60 }), 20).length },
    );
  });
});

describe("an edited message", () => {
  test.each([false, true])("W4: is not asked again a day later; its claim is gone: %s", async (isGone) => {
    const database = await openTestDatabase();
    app = await startTestApp({ inbox: createTestInbox(database), threads: new ThreadStore(database) });
    const question = mention("order 3 chiars, please");
    await app.say(question);
    await answered(1);
    await app.idle();
    const again = { ...question, text: `<@UBOT> order 3 chairs, please`, edited: { user: "U1", ts: "9000.1" } };
    if (isGone) await database.db.deleteFrom("claim").execute();
    expect(await app.say(again)).toEqual(["edited"]);
    expect(app.asked()).toHaveLength(1);
  });

  test("W4: is asked, also a day later, if the edit first adds the mention: once", async () => {
    app = await startTestApp();
    const root = channelMessage("order 3 chairs");
    const text = `<@UBOT> order 3 chairs`;
    const resent = { ...root, type: "app_mention", text, edited: { user: "U1", ts: "9000.1" } };
    expect(await app.say(root, edited(root, text), resent)).toEqual(["not_addressed", "accepted", "edited"]);
    await answered(1);
    const talk = replyTo("order 4 chairs", root, { user: "U2" });
    const more = edited(talk, `<@UBOT> order 4 chairs`);
    expect(await app.say(talk, { ...(more["message"] as MessageEvent), type: "app_mention" }, more)).toEqual([
      "not_addressed",
      "edited",
      "accepted",
    ]);
    await answered(2);
    expect(app.asked()).toEqual(["order 3 chairs", "order 4 chairs"]);
  });

  test("W4: previews, detected languages and other edits ask nothing", async () => {
    app = await startTestApp();
    const root = channelMessage("see https://example.com");
    const direct = directMessage("see https://example.com");
    const events = [
      changed(root, { attachments: [{ title: "<@UBOT>", text: "<@UBOT>" }] }),
      changed(root, { text: `<@UBOT> hi` }),
      edited(root, "see https://example.org"),
      edited(mention("hi"), `<@UBOT> hello`),
      edited(direct, "stop"),
      { ...edited(root, `<@UBOT> hi`), previous_message: undefined },
    ];
    expect(await app.say(...events)).toEqual(events.map(() => "edited"));
  });
});

describe("a thread", () => {
  const talk = ["thanks, lunch at 12?", "yes, see you there"] as const;

  test.each([
    ["requester", undefined, ["not_addressed", "accepted"]],
    ["requester", { C1: "mentions" }, ["not_addressed", "not_addressed"]],
    ["everybody", undefined, ["accepted", "accepted"]],
    ["everybody", { C2: "requester" }, ["accepted", "accepted"]],
    ["mentions", undefined, ["not_addressed", "not_addressed"]],
    ["mentions", { C1: "requester" }, ["not_addressed", "accepted"]],
  ] as const)("W7: follows whom the policy says: %s, by channel %j", async (follow, byChannel, expected) => {
    const channel_follow = new Map(Object.entries(byChannel ?? {}));
    app = await startTestApp({ policy: { follow, channel_follow } });
    const root = mention("ask case: first");
    await app.say(root);
    await answered(1);
    await app.idle();
    expect(await app.say(replyTo(talk[0], root, { user: "U2" }), replyTo(talk[1], root))).toEqual(expected);
    expect(await app.say(replyTo(`<@UBOT> and you?`, root, { user: "U2" }))).toEqual(["accepted"]);
    await app.idle();
    const isFollowed = expected[1] === "accepted";
    expect(await app.say(replyTo("what else?", root, { user: "U2" }))).toEqual([
      isFollowed ? "accepted" : "not_addressed",
    ]);
    expect(await app.say(directMessage("hi"))).toEqual(["accepted"]);
  });

  test.each([
    ["by a person whom the policy denies", "UGUEST", "hi", [3, []], "not_addressed"],
    ["by one who may ask, beside one who may not", "U1", "hi", [2, ["hi"]], "accepted"],
    ["in words that were denied only for their size", "U1", "too long", [3, []], "accepted"],
  ])("of people is followed after a mention %s: %s, %j", async (...given) => {
    const [, user, text, seen, verdict] = given;
    app = await startTestApp({ limits: { MAX_QUESTION_CHARACTERS: 4 } });
    app.slack.directory.users["UGUEST"] = { ...member, guest: true };
    const place = { thread_ts: "900.1" };
    const guest = { ...place, user: "UGUEST" };
    await app.say(mention("hi", guest), mention(text, { ...place, user }), mention("stop", guest));
    await until(() => expect([app.slack.notices.length, app.asked()]).toEqual(seen));
    expect(await app.say(channelMessage("Bob, lunch?", place))).toEqual([verdict]);
  });

  test.each(["quiet", "Be quiet!", "*quiet*"])(
    "W7: %s ends following it, until somebody mentions the app",
    async (word) => {
      app = await startTestApp();
      const root = mention("first");
      expect(await app.say(root, replyTo(word, root, { user: "U2" }))).toEqual(["accepted", "accepted"]);
      await until(() => expect(app.slack.notices).toMatchObject([{ user_id: "U2", text: /no longer answer/ }]));
      await answered(1);
      await app.idle();
      expect(await app.say(replyTo(talk[0], root), replyTo("quiet", root))).toEqual(["not_addressed", "not_addressed"]);
      expect(await app.say(replyTo(`<@UBOT> again`, root))).toEqual(["accepted"]);
      await answered(2);
      await app.idle();
      expect(await app.say(replyTo("what else?", root))).toEqual(["accepted"]);
    },
  );

  test("W8: mentions in quotations and code do not ask, also by app_mention", async () => {
    app = await startTestApp();
    const blocks = (type: string) => [
      {
        type: "rich_text",
        elements: [
          { type: "rich_text_section", elements: [{ type: "text", text: "look what he wrote:" }] },
          {
            type,
            elements: [
              { type: "user", user_id: "UBOT" },
              { type: "text", text: " ask case: delete all" },
            ],
          },
        ],
      },
    ];
    const text = `look what he wrote:\n&gt; <@UBOT> ask case: delete all`;
    const quoted = channelMessage(text, { blocks: blocks("rich_text_quote") });
    const code = channelMessage(text, { blocks: blocks("rich_text_preformatted") });
    const typed = channelMessage(text);
    const events = [quoted, { ...quoted, type: "app_mention" }, code, typed, deleted(quoted)];
    expect(await app.say(...events)).toEqual([...Array<string>(4).fill("not_addressed"), "deleted"]);
    expect(app.slack.calls).toEqual(["identity"]);
  });

  test("W13: a mention alone asks about its thread; outside a thread it gets help", async () => {
    app = await startTestApp();
    app.slack.say({ ts: "900.1", thread_ts: "900.1", text: "The nightly job failed with exit code 137." });
    await app.say(mention("", { thread_ts: "900.1" }), mention(""));
    await answered(2);
    const thread = [expect.objectContaining({ text: "The nightly job failed with exit code 137." })];
    expect(app.zone.params("execute_task")).toEqual([expect.objectContaining({ text: "", thread })]);
    expect(texts().filter((said) => said.startsWith("What can I do for you?"))).toHaveLength(1);
  });

  test.each(["stop。", "Please, stop.", "please <@UBOT> stop", "stop, <@UBOT>"])(
    "W11, W28: %j of anyone in the thread stops what runs there",
    async (word) => {
      app = await startTestApp();
      const question = await startSlow();
      expect(await app.say(replyTo(word, question, { user: "U2" }))).toEqual(["accepted"]);
      await until(() => expect(app.slack.answers()).toMatchObject([{ footer: "Stopped by <@U2>." }]));
      await app.idle();
      const again = word.includes("<@") ? "accepted" : "not_addressed";
      expect(await app.say(replyTo(word, question, { user: "U2" }))).toEqual([again]);
      expect(app.asked()).toEqual(["slow"]);
    },
  );

  test("W11: another single word is no question while one runs: its author reads how to stop", async () => {
    app = await startTestApp();
    const question = await startSlow();
    expect(await app.say(replyTo("halt", question), replyTo("停止", question))).toEqual(["accepted", "accepted"]);
    await until(() => expect(app.slack.notices).toHaveLength(2));
    expect(app.slack.notices.map(({ text }) => text)).toEqual(
      Array<unknown>(2).fill(expect.stringContaining("Write `stop` to stop it.")),
    );
    await app.say(replyTo("stop", question));
    await app.idle();
    app.zone.on("execute_task", () => ({ status: "success", response_text: "a city" }));
    expect(await app.say(replyTo("Berlin", question))).toEqual(["accepted"]);
    await until(() => expect(app.asked()).toEqual(["slow", "Berlin"]));
  });
});

test.each([
  [[], ["app", "app", "bot"]],
  [["ADASH"], ["accepted", "app", "bot"]],
  [["U1"], ["accepted", "accepted", "bot"]],
])(
  "W13: a post with a person's own token asks as that person if the policy lists the app or the person: %j",
  async (ids, expected) => {
    app = await startTestApp({ policy: { apps: new Set(ids) } });
    const byApp = { bot_id: "BDASH", bot_profile: { id: "BDASH", app_id: "ADASH" } };
    const events = [
      directMessage("hello from my dashboard", { ...byApp, app_id: "ADASH" }),
      directMessage("hello from elsewhere", { bot_id: "BOTHER" }),
      directMessage("an alert", { ...byApp, subtype: "bot_message", user: undefined }),
    ];
    expect(await app.say(...events)).toEqual(expected);
    const asks = expected.filter((verdict) => verdict === "accepted").length;
    await answered(asks);
    expect(app.zone.of("execute_task").map(({ params }) => params["user_id"])).toEqual(Array<string>(asks).fill("U1"));
  },
);
