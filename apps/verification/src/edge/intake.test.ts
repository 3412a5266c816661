import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { member, openChannel } from "../testing/fake-slack.ts";
import {
  directMessage,
  edited,
  mention,
  replyTo,
  startTestApp,
  type TestApp,
  type TestAppOptions,
  until,
} from "../testing/start-test-app.ts";
import { readEnvelope, teamsOf, workspaceOf } from "./slack-event.ts";

let app: TestApp;

describe("a channel that another team made", () => {
  const made = { team_id: "T0PARTNERS1", context_team_id: "T1", is_ext_shared_channel: true };
  const ofPartner = { team: "T0PARTNERS1", user_team: "T0PARTNERS1" };
  const start = async (policy: TestAppOptions["policy"]): Promise<void> => {
    app = await startTestApp({ policy });
    app.slack.directory.channels["C1"] = { ...openChannel, shared: true };
    app.slack.directory.users["UPAULA"] = { ...member, team_id: "T0PARTNERS1" };
  };

  test.each([
    ["of our own", {}, { team: "T1", user_team: "T1" }, [], ["shared with another organization"]],
    ["of our own", { allow_shared_channels: true }, { team: "T1", user_team: "T1" }, ["hi"], []],
    ["of the partner", { allow_shared_channels: true }, { ...ofPartner, user: "UPAULA" }, [], []],
    ["of the partner, which the event does not say", { allow_shared_channels: true }, { user: "UPAULA" }, [], []],
    [
      "of a listed partner",
      { allow_shared_channels: true, allowed_teams: new Set(["T0PARTNERS1"]) },
      { ...ofPartner, user: "UPAULA" },
      ["hi"],
      [],
    ],
  ])("W16.1: somebody %s asks there, with the policy %j", async (...given) => {
    const [, policy, author, answered, told] = given;
    await start(policy);
    expect(await app.deliver(mention("hi", author), made)).toBe(200);
    await until(() => expect(app.logs.some(({ event }) => String(event).startsWith("policy_"))).toBe(true));
    await until(() => expect(app.slack.notices).toHaveLength(told.length));
    await app.idle();
    expect(app.asked()).toEqual(answered);
    for (const [at, words] of told.entries()) expect(app.slack.notices[at]?.text).toContain(words);
    expect(app.slack.calls.includes("team")).toBe(app.slack.calls.includes("user"));
  });

  const odd = fc.constantFrom<unknown>(null, 5, "T0PARTNERS1", "", {}, { team_id: null }, { team_id: 5 }, []);
  const identity = { team_id: "T1", bot_user_id: "UBOT", bot_id: "BBOT" };

  test("W16.1: whatever stands beside the authorization of the installed team, only that team counts", () => {
    fc.assert(
      fc.property(odd, odd, fc.array(odd), fc.array(odd), (...[team_id, context_team_id, before, after]) => {
        const ours = { team_id: "T1", enterprise_id: null, is_enterprise_install: false };
        const authorizations = [...before, ours, ...after];
        const event = { type: "app_mention" };
        const envelope = readEnvelope({ type: "event_callback", team_id, context_team_id, authorizations, event });
        if (envelope === undefined) throw new Error("no envelope");
        expect([teamsOf(envelope, identity), workspaceOf(envelope)]).toEqual([["T1"], { team_id: "T1" }]);
      }),
    );
  });

  test("W16.1: an installation of the organization counts like one of the team, and another one does not", () => {
    const teams = (authorizations: unknown[]) => {
      const body = { type: "event_callback", team_id: "T2", authorizations, event: { type: "app_mention" } };
      const envelope = readEnvelope(body);
      return envelope && teamsOf(envelope, { ...identity, org_id: "E1" });
    };
    expect(teams([{ enterprise_id: "E1", team_id: null, is_enterprise_install: true }])).toEqual(["T1"]);
    expect(teams([{ enterprise_id: "E2", team_id: null, is_enterprise_install: true }])).toEqual(["T2"]);
    expect(teams([{ enterprise_id: "E1", team_id: "T3", is_enterprise_install: false }])).toEqual(["T2", "T3"]);
    expect(teams([])).toEqual(["T2"]);
  });
});

test.each([["channel"], ["user"], ["ts"]])(
  "X22: a message whose %s is longer than any of Slack's is none",
  async (of) => {
    app = await startTestApp();
    expect(await app.say({ ...mention("2+2"), [of]: "C".repeat(300_000) })).toEqual(["incomplete"]);
    await app.idle();
    expect([app.asked(), app.slack.calls.filter((call) => call === "channel" || call === "user")]).toEqual([[], []]);
  },
);

describe("an edit before work begins", () => {
  /** Asks a question that runs until it is let go, so that others of its thread wait. */
  async function startSlow(options: TestAppOptions = {}) {
    app = await startTestApp(options);
    const question = mention("slow");
    await app.startSlow(question);
    const letGo = async (): Promise<void> => {
      app.zone.on("execute_task", () => ({ status: "success", response_text: "done" }));
      app.zone.on("get_async_task_result", () => ({ status: "success", response_text: "done" }));
      await app.idle();
    };
    return { question, letGo };
  }

  test("W18.1: the agent gets the newest words of a question that waits, whatever the order of its edits", async () => {
    const { question, letGo } = await startSlow();
    const second = replyTo("order 30 chairs", question);
    const newest = edited(second, "order 3 chairs", { at: "2000.2" });
    expect(await app.say(second, newest, newest, edited(second, "order 33 chairs"))).toEqual([
      "accepted",
      "accepted",
      "duplicate",
      "duplicate",
    ]);
    await letGo();
    expect([app.asked(), app.slack.notices]).toEqual([["slow", "order 3 chairs"], []]);
  });

  test("W18.1: files, quotations and the agent of the newest words count too", async () => {
    const { question, letGo } = await startSlow();
    const second = replyTo(`<@UBOT> sum it`, question, { type: "app_mention" });
    const file = { id: "F1", name: "a.txt", mimetype: "text/plain", size: 4 };
    const change = edited(second, `<@UBOT> ask case: read it\n&gt; he said`);
    const message = { ...(change["message"] as object), files: [file] };
    expect(await app.say(second, { ...change, message })).toEqual(["accepted", "accepted"]);
    await letGo();
    const [, params] = app.zone.of("execute_task").map((call) => call.params);
    expect(params).toMatchObject({ agent: "case", text: "read it\n> he said", has_quotes: true });
    expect(params?.["attachments"]).toMatchObject([{ id: "F1" }]);
  });

  test.each([
    ["without the mention: it is withdrawn", "<@U2> can you order chairs?", ["slow"]],
    ["to stop: everything in its thread stops", `<@UBOT> stop`, ["slow"]],
    ["to a mention alone: it asks about its thread", `<@UBOT> \u200B`, ["slow", ""]],
  ])("W18.1: edited %s", async (_how, text, expected) => {
    const { question, letGo } = await startSlow();
    const second = replyTo(`<@UBOT> order 30 chairs`, question, { user: "U3" });
    expect(await app.say(second, edited(second, text))).toEqual(["accepted", "accepted"]);
    await letGo();
    expect([app.asked(), app.slack.notices]).toEqual([expected, []]);
  });

  test("W18.1: an edit of somebody else, a preview, and an edit of what is answered change nothing", async () => {
    const { question, letGo } = await startSlow();
    const second = replyTo(`<@UBOT> order 30 chairs`, question);
    const preview = { ...edited(second, "ignored"), message: { ...second, attachments: [{ text: "a page" }] } };
    const byOther = edited(second, `<@UBOT> order 3 chairs`, { by: "U2" });
    expect(await app.say(second, preview, byOther)).toEqual(["accepted", "edited", "edited"]);
    await letGo();
    expect(await app.say(edited(second, `<@UBOT> order 4 chairs`))).toEqual(["edited"]);
    await app.idle();
    expect([app.asked(), app.slack.notices]).toEqual([["slow", "order 30 chairs"], []]);
  });

  test("W18.1: an edit that arrives before its message is asked in its place, unless the message is old", async () => {
    app = await startTestApp();
    const ts = `${(Date.now() / 1_000).toFixed(0)}.000100`;
    const late = [mention("order 30 chairs", { ts }), directMessage("order 40 chairs", { ts })];
    const changes = late.map((one) => edited(one, String(one["text"]).replace("0", ""), { at: `${ts}1` }));
    expect(await app.say(...changes, ...late)).toEqual(["accepted", "accepted", "duplicate", "duplicate"]);
    expect(await app.say(edited(mention("order 50 chairs"), `<@UBOT> order 5 chairs`))).toEqual(["edited"]);
    await app.idle();
    expect(new Set(app.asked())).toEqual(new Set(["order 3 chairs", "order 4 chairs"]));
  });

  test.each([
    ["in a thread that asks the app, whenever it heard of that", true],
    ["unless it was written before the app came into the thread", false],
  ])("W18.1: so is the edit of a reply without a mention, %s", async (_where, isOfApp) => {
    app = await startTestApp();
    const begin = Math.floor(Date.now() / 1_000) - 120;
    const at = (second: number): string => `${begin + second}.000100`;
    const root = mention("slow", { ts: at(0) });
    const asked = isOfApp ? root : replyTo(`<@UBOT> slow`, root, { ts: at(2), type: "app_mention" });
    await app.startSlow(asked);
    const [early, late] = [
      replyTo("order 20 chairs", root, { ts: at(1) }),
      replyTo("order 30 chairs", root, { ts: at(130) }),
    ];
    const changes = [early, late].map((one) => edited(one, `${String(one["text"])}!`, { at: at(131) }));
    const verdicts = isOfApp ? ["accepted", "accepted", "duplicate"] : ["edited", "accepted", "duplicate"];
    expect(await app.say(...changes, late)).toEqual(verdicts);
    app.zone.on("get_async_task_result", () => ({ status: "success", response_text: "done" }));
    app.zone.on("execute_task", () => ({ status: "success", response_text: "done" }));
    await app.idle();
    expect(app.asked()).toEqual(["slow", ...(isOfApp ? ["order 20 chairs!"] : []), "order 30 chairs!"]);
  });

  test("W18.1: a question that runs goes on with the old words, and its author is told once", async () => {
    const { question, letGo } = await startSlow();
    const events = [edited(question, `<@UBOT> slower`), edited(question, `<@UBOT> slowest`, { at: "2000.2" })];
    expect(await app.say(...events, edited(question, `<@UBOT>  slow`, { at: "2000.3" }))).toEqual(
      Array(3).fill("edited"),
    );
    await until(() => expect(app.slack.notices).toMatchObject([{ user_id: "U1", text: /old words/ }]));
    await letGo();
    expect([app.asked(), app.slack.notices.length]).toEqual([["slow"], 1]);
  });

  test("W18.1: nobody whom the policy denies is told anything", async () => {
    const allowed_users = new Set<string>();
    const { question, letGo } = await startSlow({ policy: { allowed_users } });
    allowed_users.add("U9");
    expect(await app.say(edited(question, `<@UBOT> slower`))).toEqual(["edited"]);
    await until(() => expect(app.logged("policy_denied")).toHaveLength(1));
    await letGo();
    expect([app.asked(), app.slack.notices]).toEqual([["slow"], []]);
  });

  test("W18.1: with any edits in any order, a question that waits is asked once, in the words of the latest", async () => {
    const { question, letGo } = await startSlow();
    const edits = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 4 });
    const expected: string[] = [];
    await fc.assert(
      fc.asyncProperty(edits, async (times) => {
        const [one, key] = [replyTo(`<@UBOT> at first`, question), expected.length];
        await app.say(
          one,
          ...times.map((at) => edited(one, `<@UBOT> number ${key}, ${at}`, { at: `2000.${at + 100}` })),
        );
        expected.push(`number ${key}, ${Math.max(...times)}`);
      }),
      { numRuns: 8 },
    );
    await letGo();
    expect(app.asked()).toEqual(["slow", ...expected]);
  });

  test("W18.1: an edit that arrives while its message is stored is not lost", async () => {
    const { question, letGo } = await startSlow();
    const texts = Array.from({ length: 8 }, (_, at) => `order ${at}0 chairs`);
    const seconds = (Date.now() / 1_000).toFixed(0);
    for (const [at, text] of texts.entries()) {
      const second = replyTo(`<@UBOT> ${text}`, question, { ts: `${seconds}.00020${at}` });
      const events = [second, edited(second, `<@UBOT> ${text}, blue ones`, { at: `${seconds}.1` })];
      await Promise.all((at % 2 === 0 ? events : events.toReversed()).map((event) => app.say(event)));
    }
    await letGo();
    expect(app.asked()).toEqual(["slow", ...texts.map((text) => `${text}, blue ones`)]);
  });
});

test.each([
  [
    "a mention with /me",
    mention("", { subtype: "me_message", text: `asks <@UBOT> what 2+2 is` }),
    `asks <@UBOT> what 2+2 is`,
  ],
  ["a direct message with /me", directMessage("wonders what 2+2 is", { subtype: "me_message" }), "wonders what 2+2 is"],
  ["a mention in mid-sentence", mention("", { text: `Can <@UBOT> and <@U2> look?` }), `Can <@UBOT> and <@U2> look?`],
])("W25, W28: %s asks", async (_what, event, text) => {
  app = await startTestApp();
  expect(await app.say(event, { ...event, type: "message" })).toEqual(["accepted", "duplicate"]);
  await app.idle();
  expect(app.asked()).toEqual([text]);
});

test("W25: a mention of a kind that is not known yet asks, by the event that says that it is one", async () => {
  app = await startTestApp();
  const event = mention("hi", { subtype: "huddle_note" });
  const alert = mention("alert", { subtype: "bot_message", user: undefined, bot_id: "B9" });
  const events = [{ ...event, type: "message" }, event, event, alert];
  expect(await app.say(...events)).toEqual(["other_subtype", "accepted", "duplicate", "bot"]);
  await app.idle();
  expect(app.asked()).toEqual(["hi"]);
});

test.each(["\u200B", "\u3164", "\u2800", "\uFEFF \u2060", "\u00AD"])(
  "W28: a message of which nothing can be seen, %j, gets help",
  async (text) => {
    app = await startTestApp();
    await app.say(directMessage(text), mention(text));
    await until(() => expect(app.slack.answers()).toHaveLength(2));
    await app.idle();
    expect(app.slack.answers().map((one) => one.text)).toEqual(
      Array<unknown>(2).fill(expect.stringMatching(/^What can I do for you\?/)),
    );
    expect(app.asked()).toEqual([]);
  },
);
