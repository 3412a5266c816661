import type { Message } from "@crosszone/dev-slack";
import { type AskedInput, TaskPaused } from "@crosszone/execution";
import { expect, test } from "vitest";
import { agentThat } from "../harness/start-called-zone.ts";
import { overSocket, startCrosszone } from "../harness/start-crosszone.ts";

const has = (message: Message, text: string): boolean => JSON.stringify(message).includes(text);

/** Returns the ids of the elements in blocks, in order. */
function actionIds(blocks: unknown): string[] {
  if (typeof blocks !== "object" || blocks === null) return [];
  const own = "action_id" in blocks ? [String(blocks.action_id)] : [];
  return [...own, ...Object.values(blocks).flatMap(actionIds)];
}

const decide = { people: ["U0ALICE0001"], groups: [], requester: false, approve: 1, deny: 1 };

/** Chiyo asks in #general, and the agent asks alice. `act`: acts with the element of the card whose id contains a verb. */
async function ask(asked: AskedInput, options: typeof overSocket = {}) {
  const agent = agentThat("builtin", async (_input, { inputs }) => {
    const decision = inputs?.decided.get(asked.key);
    if (decision === undefined) throw new TaskPaused([asked], { continuation: null });
    return { response_text: `Done: ${decision.state} ${JSON.stringify(decision.answer)}` };
  });
  const { control } = (await startCrosszone({ agents: [agent], ...options })).slack;
  control.postMessage({ user: "chiyo", channel: "general", text: "@Crosszone deploy" });
  const card = await control.waitForMessage((message) => has(message, "Waiting for"));
  const act = (verb: string, user = "alice") => {
    const { channel, ts, blocks } =
      control.messages({ channel: card.channel }).find((one) => one.ts === card.ts) ?? card;
    const action_id = actionIds(blocks).find((id) => id.startsWith(`input:${verb}:`)) ?? verb;
    return control.act({ user, channel, ts, action_id });
  };
  return { control, card, act };
}

test("P1, P2, P9: over a socket, the card becomes the receipt after its approval, and the answer follows", async () => {
  const action = { agent: "builtin", tool: "deploy", arguments: { to: "<!channel>" } };
  const asked: AskedInput = { key: "1", kind: "approve", title: "Deploy version 1.2?", action, decide };
  const { control, card, act } = await ask(asked, overSocket);
  expect(has(card, "<!channel>")).toBe(true);
  expect(await act("approve", "bob")).not.toHaveProperty("warning");
  const refused = await control.waitForMessage((message) => has(message, "not yours to decide"));
  expect(refused).toMatchObject({ ephemeral_for: "U0BOB000001", thread_ts: card.thread_ts });
  expect(await act("approve")).not.toHaveProperty("warning");
  await control.waitForMessage((message) => has(message, "Done: approved"), 10_000);
  const receipt = await control.waitForMessage((message) => has(message, "Approved by <@U0ALICE0001>"), 10_000);
  expect(receipt.ts).toBe(card.ts);
  expect(actionIds(receipt.blocks)).toEqual([]);
  expect(control.warnings()).toEqual([]);
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
  const schema = { type: "object", properties, required: ["name"] } as AskedInput["schema"];
  const { control, act } = await ask({ key: "1", kind: "form", title: "Which one?", schema, decide });
  await act("open", "bob");
  const rejected = control.views("bob")[0]?.id ?? "";
  const type = (by: { user: string; view_id: string }, block: string, value: string) =>
    control.act({ ...by, action_id: "value", block_id: `field:${block}`, value });
  await type({ user: "bob", view_id: rejected }, "name", "Bob");
  const said = await control.submitView({ view_id: rejected, user: "bob" });
  expect(said.errors).toEqual({ "field:name": "This is not yours to decide. Ask @U0ALICE0001." });
  await act("open");
  const by = { user: "alice", view_id: control.views("alice")[0]?.id ?? "" };
  await type(by, "name", "Ada");
  await type(by, "zone", "eu");
  await type(by, "fast", "true");
  await control.submitView(by);
  const values = '{"name":"Ada","size":2,"fast":true,"zone":"eu"}';
  await control.waitForMessage(
    (message) => message.text.includes("Done: answered") && message.text.includes(values),
    10_000,
  );
});

test("W17.1: a typed decision gets a hint, and who asks for the same call again reads who is asked already: one card, one call", async () => {
  const action = { agent: "builtin", tool: "deploy", arguments: { version: "1.2" } };
  const { control, card, act } = await ask({ key: "1", kind: "approve", title: "Deploy version 1.2?", action, decide });
  const place = { channel: "general", thread_ts: card.thread_ts ?? "" };
  control.postMessage({ user: "chiyo", ...place, text: "yes" });
  const hint = await control.waitForMessage((message) => has(message, "Alice Berger decides, with the buttons above."));
  expect(hint).toMatchObject({ ephemeral_for: "U0CHIYO0001", thread_ts: card.thread_ts });
  control.postMessage({ user: "alice", ...place, text: "approve" });
  const own = await control.waitForMessage((message) => has(message, "You decide, with the buttons above."));
  expect(own.ephemeral_for).toBe("U0ALICE0001");
  control.postMessage({ user: "chiyo", ...place, text: "please deploy it again" });
  await control.waitForMessage((message) => has(message, "Alice Berger is already asked above."));
  const cards = () =>
    control.messages(place).filter(({ blocks }) => actionIds(blocks).some((id) => id.includes(":approve:")));
  expect(cards().map(({ ts }) => ts)).toEqual([card.ts]);
  await act("approve");
  await control.waitForMessage((message) => has(message, "Done: approved"));
});

test("W19: the approver was deactivated: who asks reads so at once, and so do the operators", async () => {
  const bob = "U0BOB000001";
  const asked: AskedInput = { key: "1", kind: "approve", title: "Send?", decide: { ...decide, people: [bob] } };
  const agent = agentThat("builtin", async (_input, { inputs }) => {
    const decision = inputs?.decided.get("1");
    if (decision === undefined) throw new TaskPaused([asked], { continuation: null });
    return { response_text: `Done: ${decision.state} ${decision.closed_because}` };
  });
  const verificationEnv = { OPERATOR_CHANNEL: "C0RANDOM001" };
  const { control } = (await startCrosszone({ agents: [agent], verificationEnv })).slack;
  control.putChannel({ id: "C0RANDOM001", members: ["U0ALICE0001", "U0CROSSZONE"] });
  control.putUser({ id: bob, deleted: true });
  const question = control.postMessage({ user: "alice", channel: "dm", text: "send the invoice" });
  const why = /(bob|Bob Carter) can't be reached in Slack\. Tell the people who run this service/i;
  const answer = await control.waitForMessage((message) => has(message, "Done: denied"));
  expect(answer).toMatchObject({ channel: question.channel, thread_ts: question.ts });
  expect(answer.text).toMatch(why);
  const line = await control.waitForMessage((message) => message.text.startsWith("Denied, "));
  expect(line.text).toMatch(why);
  const told = await control.waitForMessage(({ channel, bot_id }) => channel === "C0RANDOM001" && bot_id !== undefined);
  expect(told.text).toMatch(/^I can’t write to <@U0BOB000001>, and nobody else can decide/);
});
