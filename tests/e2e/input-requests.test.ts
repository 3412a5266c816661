import type { InputRequest } from "@crosszone/contracts";
import { type DevSlack, startDevSlack } from "@crosszone/dev-slack";
import { slackEnv } from "@crosszone/dev-slack/client";
import { tune } from "@crosszone/testkit/tune";
import { describe, expect, onTestFinished, test } from "vitest";
import { createAnsweringZone, inputRequest } from "../harness/answering-zone.ts";
import { startVerification } from "../harness/start-verification.ts";

type Message = ReturnType<DevSlack["control"]["messages"]>[number];

interface Asked {
  readonly slack: DevSlack;
  readonly requests: InputRequest[];
  /** The message that shows the request. */
  readonly card: Message;
  /** Acts with the element of the card whose id contains `verb`. */
  readonly act: (
    verb: string,
    more?: { user?: string; value?: string; nth?: number },
  ) => ReturnType<DevSlack["control"]["act"]>;
}

const has = (message: Message, text: string): boolean => JSON.stringify(message).includes(text);

/** Returns the ids of the elements in blocks, in order. */
function actionIds(blocks: unknown): string[] {
  if (typeof blocks !== "object" || blocks === null) return [];
  const own = "action_id" in blocks ? [String(blocks.action_id)] : [];
  return [...own, ...Object.values(blocks).flatMap(actionIds)];
}

/** Starts verification and the local Slack; alice asks in #general, and the task waits for the request. */
async function ask(request: InputRequest, { isSocket = false, where = "Waiting for" } = {}): Promise<Asked> {
  const slack = await startDevSlack({ retryScheduleMs: [20, 60, 150] });
  const answering = createAnsweringZone(request);
  const env = slackEnv(slack);
  const { SLACK_SIGNING_SECRET: _unused, ...withoutSecret } = env;
  const verification = await startVerification({
    env: {
      ...(isSocket ? { ...withoutSecret, SLACK_APP_TOKEN: slack.appToken } : env),
      EXECUTION_URL: "http://127.0.0.1:9/rpc",
      EXECUTION_TOKEN: "link-token-of-thirty-two-characters",
      ...tune({ SHOW_WORK_AFTER_MS: 0, POLL_WAIT_MS: 500 }),
    },
    log: [],
    override: () => ({ zone: answering.zone }),
  });
  if (!isSocket) slack.setEventsUrl(`${verification.url}/slack/events`);
  onTestFinished(async () => {
    await verification.stop();
    await slack.close();
  });
  const { control } = slack;
  control.putUserGroup({ id: "S0ONCALL001", handle: "oncall", name: "On call", users: ["U0BOB000001"] });
  control.postMessage({ user: "alice", channel: "general", text: "@Crosszone deploy" });
  const card = await control.waitForMessage((message) => has(message, where));
  const act: Asked["act"] = (verb, { user = "alice", value, nth = 0 } = {}) => {
    const { channel, ts, blocks } =
      control.messages({ channel: card.channel }).find(({ ts: at }) => at === card.ts) ?? card;
    const ids = actionIds(blocks).filter((id) => id.startsWith(`input:${verb}:`));
    return control.act({ user, channel, ts, action_id: ids[nth] ?? verb, ...(value !== undefined && { value }) });
  };
  return { slack, requests: answering.requests, card, act };
}

const action = { agent: "builtin", tool: "deploy", digest: "a".repeat(64) };

describe.each([
  ["signed requests", false],
  ["a socket", true],
])("over %s", (_name, isSocket) => {
  test("P1, P2, P9: an action does not hang after its approval: the card becomes the receipt, and the answer follows", async () => {
    const { slack, card, act } = await ask(inputRequest({ action: { ...action, arguments: { to: "<!channel>" } } }), {
      isSocket,
    });
    expect(has(card, "<!channel>")).toBe(true);
    expect(await act("approve", { user: "bob" })).not.toHaveProperty("warning");
    const refused = await slack.control.waitForMessage((message) => has(message, "not yours to decide"));
    expect(refused).toMatchObject({ ephemeral_for: "U0BOB000001", thread_ts: card.thread_ts });
    expect(await act("approve")).not.toHaveProperty("warning");
    await slack.control.waitForMessage((message) => has(message, "Done: approved"), 10_000);
    const receipt = await slack.control.waitForMessage((message) => has(message, "Approved by <@U0ALICE0001>"), 10_000);
    expect(receipt.ts).toBe(card.ts);
    expect(actionIds(receipt.blocks)).toEqual([]);
    expect(slack.control.warnings()).toEqual([]);
  });

  test("a denial asks for a reason in a modal", async () => {
    const { slack, requests, act } = await ask(inputRequest(), { isSocket });
    await act("deny");
    const [modal] = slack.control.views("alice");
    const view_id = modal?.id ?? "";
    await slack.control.act({ view_id, user: "alice", action_id: "value", value: "Not today" });
    expect(await slack.control.submitView({ view_id, user: "alice" })).not.toHaveProperty("errors");
    expect(requests[0]).toMatchObject({ state: "denied", answer: { verdict: "deny", reason: "Not today" } });
    expect(slack.control.views("alice")).toEqual([]);
  });
});

test("a choice of many is a menu", async () => {
  const options = Array.from({ length: 25 }, (_, at) => ({ value: `v${at}`, label: `Option ${at}` }));
  const { requests, act } = await ask(inputRequest({ kind: "choose", options }));
  await act("choose", { value: "v7" });
  await expect.poll(() => requests[0]?.answer).toEqual({ verdict: "answer", value: "v7" });
});

test("a form has Slack's own inputs, and a rejected answer keeps the modal open", async () => {
  const properties = {
    name: { type: "string", maxLength: 40 },
    size: { type: "integer", minimum: 1, default: 2 },
    fast: { type: "boolean" },
    zone: { type: "string", enum: ["eu", "us"] },
    mail: { type: "string", format: "email" },
    link: { type: "string", format: "uri" },
    day: { type: "string", format: "date" },
    at: { type: "string", format: "date-time" },
  };
  const schema = { type: "object", properties, required: ["name"] } as InputRequest["schema"];
  const { slack, requests, act } = await ask(inputRequest({ kind: "form", schema }));
  await act("open", { user: "bob" });
  const rejected = slack.control.views("bob")[0]?.id ?? "";
  const type = (by: { user: string; view_id: string }, block: string, value: string) =>
    slack.control.act({ ...by, action_id: "value", block_id: `field:${block}`, value });
  await type({ user: "bob", view_id: rejected }, "name", "Bob");
  const said = await slack.control.submitView({ view_id: rejected, user: "bob" });
  expect(said.errors).toEqual({ "field:name": "This is not yours to decide. Ask @U0ALICE0001." });
  await act("open");
  const view_id = slack.control.views("alice")[0]?.id ?? "";
  await type({ user: "alice", view_id }, "name", "Ada");
  await type({ user: "alice", view_id }, "zone", "eu");
  await type({ user: "alice", view_id }, "fast", "true");
  await slack.control.submitView({ view_id, user: "alice" });
  const values = { name: "Ada", size: 2, fast: true, zone: "eu" };
  await expect.poll(() => requests[0]?.answer).toEqual({ verdict: "answer", values });
});

test("long arguments are whole in a modal, in pages that Slack accepts", async () => {
  const { slack, act } = await ask(inputRequest({ action: { ...action, arguments: { text: "€".repeat(120_000) } } }));
  await act("show");
  const [modal] = slack.control.views("alice");
  const next = actionIds(modal?.definition).at(-1) ?? "";
  await slack.control.act({ view_id: modal?.id ?? "", user: "alice", action_id: next });
  await expect.poll(() => JSON.stringify(slack.control.views("alice")[0])).toContain("Part 2 of");
});

test("a private request goes to each person who can decide, of groups too, and any of them decides it", async () => {
  const decide = { people: ["U0ALICE0001"], groups: ["S0ONCALL001"], requester: false, approve: 1, deny: 1 };
  const { slack, card } = await ask(inputRequest({ visibility: "private", decide }), {
    where: "in a direct message, until",
  });
  expect(actionIds(card.blocks)).toEqual([]);
  const bobs = slack.control
    .workspace()
    .channels.find(({ kind, members }) => kind === "im" && members.includes("U0BOB000001"));
  const direct = await slack.control.waitForMessage(
    (message) => message.channel === bobs?.id && has(message, "Waiting for"),
  );
  const [action_id = ""] = actionIds(direct.blocks);
  await slack.control.act({ user: "bob", channel: direct.channel, ts: direct.ts, action_id });
  await slack.control.waitForMessage(
    (message) => message.ts === card.ts && has(message, "Approved by <@U0BOB000001>"),
    10_000,
  );
});
