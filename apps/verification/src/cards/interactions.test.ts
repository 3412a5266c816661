import { type InputRequest, ZoneError } from "@crosszone/contracts";
import { beforeEach, describe, expect, test } from "vitest";
import { askInSlack, cardsOf, labels } from "../testing/ask-in-slack.ts";
import {
  inputRequest,
  interact,
  interactionPayload,
  press,
  submit,
  type ScriptedInputs,
} from "../testing/scripted-inputs.ts";
import { readInteraction } from "../slack/interaction.ts";
import { member } from "../testing/fake-slack.ts";
import { channelMessage, type TestApp, until } from "../testing/start-test-app.ts";

let app: TestApp;
let inputs: ScriptedInputs;

const id = "inp_0123456789abcdef";
const pressOf = (action_id: string, value = "a".repeat(64)) => ({ actions: [{ type: "button", action_id, value }] });
const approve = pressOf(`input:approve:${id}`);
const modal = (callback_id: string, private_metadata: string) => ({
  type: "view_submission",
  container: undefined,
  view: { id: "V0VIEW", callback_id, private_metadata, state: { values: {} } },
});

describe("P1, P9: what is not for the app is acknowledged, logged and has no effect", () => {
  test.each<[string, string, Record<string, unknown>]>([
    ["another app's payload", "wrong_app", { ...approve, api_app_id: "A2" }],
    ["an unknown element", "unknown_element", pressOf("other")],
    ["a verb that no button has", "unknown_element", pressOf(`input:use:${id}`)],
    ["a verb of every object", "unknown_element", pressOf(`input:constructor:${id}`)],
    ["SQL in the id", "unknown_element", pressOf("input:approve:inp_' OR 1=1 --")],
    ["a control character in the id", "unknown_element", pressOf(`input:approve:${id}\u0000`)],
    ["a line after the id", "unknown_element", pressOf(`input:approve:${id}\n`)],
    ["a press without a place", "unknown_element", { ...approve, container: { type: "view" } }],
    ["a modal with the metadata of another app", "unknown_element", modal(`input:deny:${id}`, "{}")],
    ["a payload without a person", "unreadable", { ...approve, user: { id: "" } }],
    ["an id of 10,000 characters", "unreadable", pressOf(`input:approve:${"a".repeat(10_000)}`)],
  ])("%s", async (_name, reason, members) => {
    ({ app } = await askInSlack([inputRequest()]));
    expect((await interact(app, interactionPayload(members))).status).toBe(200);
    await until(() => expect(app.logged("interaction_refused")).toMatchObject([{ reason }]));
    expect(app.zone.of("answer_input")).toEqual([]);
    const [act, ...others] = await app.acts();
    expect(act).toMatchObject({ action: "press.reject", outcome: "rejected", surface: "slack", details: { reason } });
    expect([act?.actor, others]).toEqual([
      reason === "unreadable" ? { type: "person", id: "?" } : { type: "person", id: "U1", team: "T1" },
      [],
    ]);
  });
});

/** A press that must not count. */
interface Attack {
  readonly on?: Partial<InputRequest>;
  /** What became of the request after its card was posted. */
  readonly becomes?: Partial<InputRequest>;
  readonly user?: string;
  /** Members of Slack's payload. */
  readonly payload?: Record<string, unknown>;
  /** What the person who pressed reads. */
  readonly says: string | RegExp;
  readonly outcome: string;
}

const byGroup = { people: [], groups: ["S1"], requester: false, approve: 2, deny: 1 };
const changed = { says: /^What this asks for is not what you saw\. Look at the message again/, outcome: "changed" };
const byOther = { user_id: "U2", verdict: "approve", via: "slack", at: "2026-01-02T00:00:00Z" } as const;
const decided: Partial<InputRequest> = { state: "approved", votes: [byOther], decided_at: byOther.at };
const attacks: Readonly<Record<string, Attack>> = {
  "of someone who can't decide": {
    user: "U9",
    says: "This is not yours to decide. Ask <@U1>.",
    outcome: "not_eligible",
  },
  "of someone whose group Slack does not return": {
    on: { decide: byGroup },
    says: /^I could not read who is in the user group/,
    outcome: "not_eligible",
  },
  "on the card of another action than the one that waits": {
    becomes: { action: { agent: "builtin", tool: "deploy", arguments: {}, digest: "b".repeat(64) } },
    ...changed,
  },
  "on a card without a digest": { payload: pressOf(`input:approve:${id}`, id), ...changed },
  "after another person's": {
    becomes: decided,
    says: /^This was decided before: Approved by <@U2>, <!date\^/,
    outcome: "already_decided",
  },
  "after it expired": { becomes: { state: "expired" }, says: /^This expired/, outcome: "expired" },
  "after it was withdrawn": {
    becomes: { state: "withdrawn", closed_because: "the task was canceled" },
    says: /^This was withdrawn \(the task was canceled\)/,
    outcome: "withdrawn",
  },
  "on a request that does not exist": {
    payload: pressOf(`input:approve:inp_${"0".repeat(32)}`),
    says: /not open any more/,
    outcome: "failed",
  },
};

describe("P2, P9: a press that does not count is answered to its person alone, and changes nothing", () => {
  test.each(Object.entries(attacks))(
    "%s",
    async (_name, { on, becomes, user = "U1", payload = approve, says, outcome }) => {
      ({ app, inputs } = await askInSlack([inputRequest(on)]));
      if (becomes !== undefined) inputs.change(becomes);
      const before = inputs.current();
      const { blocks } = cardsOf(app)[0] ?? {};
      const response_url = "https://hooks.slack.com/actions/1";
      expect((await interact(app, interactionPayload({ ...payload, response_url }, user))).status).toBe(200);
      await until(() => expect(app.commandReplies.map(({ reply }) => reply)).toEqual([expect.stringMatching(says)]));
      expect(app.logged("input_pressed")).toMatchObject([{ outcome, user_id: user }]);
      expect(inputs.current()).toMatchObject({ state: before.state, votes: before.votes });
      // A card follows what became of its request.
      expect(becomes === undefined ? cardsOf(app)[0]?.blocks : blocks).toEqual(blocks);
      expect(app.slack.notices).toEqual([]);
    },
  );

  test("that does not fit what is asked", async () => {
    ({ app } = await askInSlack([inputRequest({ kind: "text", action: undefined })]));
    const problems = [{ pointer: "/answer/verdict", message: "must be an answer" }];
    app.zone.on("answer_input", () => Promise.reject(new ZoneError("invalid_params", { problems })));
    await interact(app, interactionPayload(approve));
    const said = "<@U1>, this answer does not fit what is asked. It must be an answer.";
    await until(() => expect(app.slack.notices.map(({ text }) => text)).toEqual([said]));
  });

  test("that Slack sends again", async () => {
    const decide = { ...inputRequest().decide, people: ["U1", "U2"], approve: 2 };
    ({ app, inputs } = await askInSlack([inputRequest({ decide })]));
    const payload = interactionPayload(approve);
    await interact(app, payload);
    await until(() => expect(inputs.current().votes).toHaveLength(1));
    await interact(app, payload);
    await until(() => expect(app.logs).toContainEqual(expect.objectContaining({ reason: "duplicate" })));
    expect([inputs.current().votes.length, app.zone.of("answer_input").length]).toEqual([1, 1]);
  });
});

test("P7: groups are read at the press, for the person and for all earlier voters", async () => {
  ({ app, inputs } = await askInSlack([inputRequest({ decide: byGroup })]));
  const { blocks } = cardsOf(app)[0] ?? {};
  app.slack.groups["S1"] = ["U1"];
  await press(app, blocks, { label: "Approve" });
  await until(() => expect(inputs.current().votes).toHaveLength(1));
  app.slack.groups["S1"] = ["U2"];
  await press(app, blocks, { label: "Approve", user: "U2" });
  await until(() => expect(app.zone.of("answer_input")).toHaveLength(2));
  expect(app.zone.of("answer_input")[1]?.params).toMatchObject({
    by: { user_id: "U2", groups: ["S1"] },
    voters: [{ user_id: "U1", groups: [] }],
  });
});

describe("P1, P8: a message in the thread decides nothing", () => {
  const byBob = { people: ["U2"], groups: [], requester: false, approve: 1, deny: 1 };
  const more = "To ask something else, write more than two words.";
  let thread: string;
  const wait = async (request: Partial<InputRequest> = {}, place?: Record<string, string>): Promise<void> => {
    const asking = { mostCards: place === undefined ? 1 : 2, ...(place && { place }) };
    const prepare = (given: TestApp): void => {
      Object.assign(given.slack.directory.users, { U2: { ...member, name: "Bob Carter" } });
    };
    const requests = [inputRequest({ decide: byBob, requester: "U1", ...request })];
    ({ app, inputs, thread } = await askInSlack(requests, { ...asking, prepare }));
  };
  const asked = () => app.zone.of("execute_task").length;
  const say = (text: string, event: Record<string, unknown> = {}) =>
    app.deliver(channelMessage(text, { thread_ts: thread, ...event }));
  const notices = () => app.slack.notices.map(({ text, user_id }) => [user_id, text]);

  test("W17.1: a word or two from anybody whom the thread concerns gets a hint, and nothing is asked or decided", async () => {
    await wait();
    const words = [
      "yes",
      "Approve!",
      "yes please",
      ":+1:",
      "👍🏽",
      "承認します",
      "ok :white_check_mark:",
      "<@UBOT> approve",
    ];
    const hint = `Bob Carter decides, with the buttons above. ${more}`;
    for (const [at, text] of words.entries()) {
      await say(text, text.startsWith("<@") ? { type: "app_mention" } : {});
      await until(() => expect(notices()).toHaveLength(at + 1));
    }
    expect(notices()).toEqual(words.map(() => ["U1", hint]));
    await say("approve", { user: "U2" });
    await until(() => expect(notices().at(-1)).toEqual(["U2", `You decide, with the buttons above. ${more}`]));
    // What people say to each other is not for the app, nor is it after a hint.
    await say("what is this?", { user: "U2" });
    await say("yes", { user: "U3" });
    await say("is it done by now?");
    await until(() => expect(asked()).toBe(2));
    expect([notices().length, app.zone.of("answer_input")]).toEqual([words.length + 1, []]);
    expect(labels(cardsOf(app)[0])).toEqual(["Approve", "Deny"]);
  });

  test("W17.1: where Bob is asked in a direct message, the hint says so; after his decision, a word is a question again", async () => {
    await wait({ requester: "U1" }, {});
    const direct = { channel: "D1", channel_type: "im" };
    await say("yes", direct);
    await until(() => expect(notices()).toEqual([["U1", `Bob Carter decides, in a direct message with me. ${more}`]]));
    inputs.change({ state: "denied", decided_at: "2026-01-02T00:00:00Z" });
    await until(() => expect(app.slack.answers(thread).at(-1)?.text).toBe("It was denied."));
    await until(async () => expect(await app.deps.inbox.findInput(id)).toBeUndefined());
    await say("thanks", direct);
    await until(() => expect(asked()).toBe(2));
  });

  test("W17.1: a text that is asked for is hinted at as an answer; a command and more than a word or two are asked as ever", async () => {
    await wait({ kind: "text", action: undefined });
    await say("Berlin");
    await until(() => expect(notices()).toEqual([["U1", `Bob Carter answers, with the buttons above. ${more}`]]));
    await say("please approve this now");
    await until(() => expect(asked()).toBe(2));
    // While it is in work, a single word is turned away.
    const queue = () => app.deps.inbox.queueIn({ team_id: "T1", channel: "C1", thread_ts: thread });
    await until(async () => expect(await queue()).toMatchObject({ waiting: 0, inWork: 0 }));
    await say("agents");
    const answers = () => app.slack.answers(thread).map(({ text }) => text);
    await until(() => expect(answers()).toContainEqual(expect.stringContaining("builtin")));
    expect([notices().length, asked()]).toEqual([1, 2]);
  });
});

describe("W27: a press of what this release does not have gets a response", () => {
  const says = "This is no longer in use, because I was updated since. Please ask again in a new message.";
  const old = pressOf(`input:accept:${id}`);

  test.each<[string, Record<string, unknown>, () => unknown]>([
    [
      "at its URL",
      { ...old, response_url: "https://hooks.slack.com/actions/1" },
      () => app.commandReplies.map(({ reply }) => reply),
    ],
    ["in its place", old, () => app.slack.notices.filter(({ channel }) => channel === "C1").map(({ text }) => text)],
    [
      "in a direct message, on the Home tab",
      { ...old, container: { type: "view" } },
      () => app.slack.notices.filter(({ channel }) => channel === "DU1").map(({ text }) => text),
    ],
  ])("a button %s", async (_where, members, said) => {
    ({ app } = await askInSlack([inputRequest()]));
    expect((await interact(app, interactionPayload(members))).status).toBe(200);
    await until(() => expect(said()).toEqual([says]));
  });

  test("a modal stays open, with what was entered; a button that opens a page is left alone", async () => {
    ({ app } = await askInSlack([inputRequest()]));
    const entered = { "field:why": { type: "plain_text_input", value: null } };
    const shared = { callback_id: `answer:share:${id}`, private_metadata: "{}" };
    expect(await submit(app, shared, entered)).toEqual({ response_action: "errors", errors: { "field:why": says } });
    await interact(app, interactionPayload({ actions: [{ action_id: "docs", url: "https://example.com" }] }));
    await until(() => expect(app.logged("interaction_refused")).toHaveLength(2));
    expect([app.commandReplies, app.slack.notices]).toEqual([[], []]);
  });
});

test.each([{}, { team: { id: "T2" } }])(
  "P8: a person of another team is passed on with that team: %j",
  async (more) => {
    ({ app } = await askInSlack([inputRequest()]));
    await interact(app, interactionPayload({ ...approve, user: { id: "U1", team_id: "T2" }, ...more }));
    await until(() =>
      expect(app.zone.params("answer_input")[0]).toMatchObject({ by: { user_id: "U1", team_id: "T2" } }),
    );
  },
);

describe("Slack shows execution's record", () => {
  let thread: string;
  beforeEach(async () => void ({ app, inputs, thread } = await askInSlack([inputRequest()])));
  const card = () => cardsOf(app)[0];

  test("P2: a request is asked where everybody finds it again: in a message of the thread, not in an ephemeral one", async () => {
    expect(card()).toMatchObject({ channel: "C1", thread_ts: thread });
    expect(app.slack.notices).toEqual([]);
  });

  test("P2, P9: a decision in the web page reaches the thread: its card is the receipt, and the answer follows", async () => {
    const at = "2026-01-02T00:00:00Z";
    const vote = { user_id: "token:0123456789ab", verdict: "approve", via: "api", at } as const;
    inputs.change({ state: "approved", votes: [vote], decided_at: at });
    await until(() => expect(app.slack.answers(thread).at(-1)?.text).toBe("It was approved."));
    await until(() => expect(labels(card())).toEqual([]));
    expect(JSON.stringify(card()?.blocks)).toContain("Approved by token:0123456789ab through the API, <!date^");
  });

  test("P2, P9: a press while execution does not answer neither fails nor clears the card, and counts later", async () => {
    let failures = 0;
    app.zone.on("get_input_request", ({ request_id }) => {
      if (failures >= 2) return inputs.current(request_id);
      failures += 1;
      throw new ZoneError("shutting_down");
    });
    const { blocks } = card() ?? {};
    expect(await press(app, blocks, { label: "Approve" })).toBe(200);
    await until(() => expect(failures).toBe(1));
    expect(card()?.blocks).toEqual(blocks);
    await until(() => expect(app.commandReplies.at(-1)?.reply).toBe("Approved."));
    await until(() => expect(labels(card())).toEqual([]));
  });
});

test("an interaction of an organization-wide installation names workspace and organization", () => {
  const read = (members: object): unknown =>
    readInteraction(interactionPayload({ actions: [{ action_id: "a" }], ...members }))?.workspace;
  expect(read({})).toEqual({ team_id: "T1" });
  expect(read({ enterprise: { id: "E1" }, is_enterprise_install: true })).toEqual({ team_id: "T1", org_id: "E1" });
  expect(read({ team: null })).toEqual({ team_id: "T1" });
  const view = { id: "V0VIEW", app_installed_team_id: "T3" };
  expect(read({ type: "view_submission", view })).toEqual({ team_id: "T3" });
});
