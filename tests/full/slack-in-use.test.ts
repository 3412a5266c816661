import { writeFileSync } from "node:fs";
import type { Agent } from "@crosszone/execution";
import { tempFile } from "@crosszone/testkit/temporary";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { workflowOf } from "../harness/runs-api.ts";
import { writeWorkflows } from "../harness/temp-file.ts";
import { look, lookEverywhere, useBrowser, write } from "./use-browser.ts";
import { startCrosszone, startWithAgents } from "../harness/start-crosszone.ts";

const open = useBrowser();
const general = "C0GENERAL01";
const alice = "D0ALICE0001";

/** An agent that answers by its input. */
function agentThat(
  answer: (input: Parameters<Agent["run"]>[0], signal: AbortSignal) => string | Promise<string>,
): Agent {
  return {
    name: "reader",
    description: "Reads.",
    skills: [],
    run: async (input, { signal }) => ({ response_text: await answer(input, signal) }),
  };
}

const messages = (page: Page) => page.getByTestId("thread-message");

test("W2: a forwarded message and its answer, which names its author and channel", async () => {
  const reader = agentThat(({ text, others = [] }) => {
    const [first] = others;
    return `You asked: ${text}\n\n**${first?.author}** wrote in ${first?.channel}:\n\n> ${first?.text}`;
  });
  const { slack } = await startCrosszone({ agents: [reader] });
  const invoice = slack.control.postMessage({
    user: "bob",
    channel: general,
    text: "Invoice 4711 is overdue since May 3, please settle 250 EUR.",
  });
  const page = await open(slack.url);
  slack.control.postMessage({ channel: alice, text: "what should I do about this?", forward: invoice });
  await page.getByTestId("reply-count").click();
  const answer = messages(page).filter({ hasText: "wrote in" });
  await answer.waitFor();
  expect(await answer.innerText()).toContain("You asked: what should I do about this?");
  expect(await answer.innerText()).toContain("Bob Carter wrote in");
  expect(await answer.innerText()).toContain("Invoice 4711 is overdue since May 3, please settle 250 EUR.");
  await lookEverywhere(page, "forwarded");
});

test("W10: a table of 450 rows arrives whole, each part with its header", async () => {
  const rows = Array.from({ length: 450 }, (_, at) => `| Shop number ${at + 1} | City ${at + 1} | ${3 * at} |`);
  const table = ["| Shop | City | Units |", "|:---|:---|---:|", ...rows].join("\n");
  const { slack } = await startCrosszone({ agents: [agentThat(() => `Sales by shop:\n\n${table}\n\nThat is all.`)] });
  const page = await open(slack.url);
  await page.getByTestId("composer").fill("All sales, please.");
  await page.getByTestId("send").click();
  await messages(page).filter({ hasText: "That is all." }).waitFor({ timeout: 30_000 });
  const cells = await messages(page).locator("td:first-child").allInnerTexts();
  expect(cells).toEqual(Array.from({ length: 450 }, (_, at) => `Shop number ${at + 1}`));
  const tables = await messages(page).locator("table").count();
  expect(await messages(page).locator("table th:first-child").allInnerTexts()).toEqual(Array(tables).fill("Shop"));
  await lookEverywhere(page, "long-table");
});

test("W3: a question that its author deletes leaves nothing behind", async () => {
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const reader = agentThat(async (_input, signal) => {
    started.resolve();
    await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
    return "";
  });
  const run: Agent["run"] = (...task) => reader.run(...task).finally(() => ended.resolve());
  const { slack } = await startCrosszone({ agents: [{ ...reader, run }] });
  const page = await open(`${slack.url}/#/${general}`);
  const place = { channel: general, user: "alice" };
  const { ts } = slack.control.postMessage({ ...place, text: "@Crosszone a secret question" });
  await started.promise;
  slack.control.deleteMessage({ ...place, ts });
  await ended.promise;
  await expect.poll(() => slack.control.messages({ channel: general }).map(({ text }) => text)).toEqual([]);
  await lookEverywhere(page, "deleted-question");
});

test("W14: an approval from the question to its receipt names who asks and who decides", async () => {
  const { slack } = await startWithAgents();
  const page = await open(slack.url);
  await page.getByTestId("composer").fill("run send-invoice: 250 EUR to Acme");
  await page.getByTestId("send").click();
  await messages(page).filter({ hasText: "Bob Carter" }).waitFor({ timeout: 30_000 });
  await lookEverywhere(page, "approval-waits");
  await page.getByTestId("act-as").selectOption("U0BOB000001");
  const approve = page.getByTestId(/^control-input:approve/);
  await approve.waitFor();
  const card = page.getByTestId("message").filter({ has: approve });
  expect(await card.innerText()).toMatch(/Requested by.*Alice/);
  await lookEverywhere(page, "approval-asked");
  await approve.click();
  await card.or(page.getByTestId("message")).filter({ hasText: "Approved by" }).waitFor();
  await lookEverywhere(page, "approval-receipt");
  await page.getByTestId("act-as").selectOption("U0ALICE0001");
  await page.getByTestId("reply-count").first().click();
  await messages(page).filter({ hasText: "Sent invoice" }).waitFor();
  await lookEverywhere(page, "approval-done");
});

test("W17.1: who types a decision reads that only Bob's buttons decide, and asks nothing again", async () => {
  const { slack } = await startWithAgents();
  const page = await open(slack.url);
  await page.getByTestId("composer").fill("run send-invoice: 250 EUR to Acme");
  await page.getByTestId("send").click();
  await messages(page).filter({ hasText: "Bob Carter" }).waitFor({ timeout: 30_000 });
  const [root] = slack.control.messages({ channel: alice });
  slack.control.postMessage({ user: "alice", channel: alice, thread_ts: root?.ts ?? "", text: "yes" });
  const hint = messages(page).filter({ hasText: "Bob Carter decides, in a direct message with me." });
  await hint.waitFor();
  expect(await hint.innerText()).toContain("To ask something else, write more than two words.");
  await lookEverywhere(page, "typed-decision");
});

test("W23: an alert in a channel without the app is asked about with all its words", async () => {
  const reader = agentThat(({ others = [] }) => `It says:\n\n> ${others[0]?.text.replaceAll(/\n+/g, "\n> ")}`);
  const { slack } = await startCrosszone({ agents: [reader] });
  const attachments = [{ title: "DiskFull on node 7", text: "91% used", fallback: "DiskFull" }];
  slack.control.postMessage({ channel: "random", text: "", app: "Alertmanager", attachments });
  const page = await open(`${slack.url}/#/C0RANDOM001`);
  const alert = page.getByTestId("message").filter({ hasText: "DiskFull on node 7" });
  await alert.getByTestId("more-actions").selectOption("shortcut ask_about");
  await page.getByTestId("modal").waitFor();
  await lookEverywhere(page, "shortcut-form");
  await page.getByTestId("modal-submit").click();
  const isAnswer = ({ channel, text }: { channel: string; text: string }): boolean =>
    channel === alice && text.includes("91% used");
  await slack.control.waitForMessage(isAnswer);
  await page.goto(`${slack.url}/#/${alice}`);
  await page.getByTestId("reply-count").click();
  const answer = messages(page).filter({ hasText: "It says:" });
  await answer.waitFor();
  expect(await answer.innerText()).toMatch(/DiskFull on node 7\s+91% used/);
  await lookEverywhere(page, "shortcut-on-an-alert");
});

/** An order that the requester or Bob approves. */
const [text, decide] = ["${workflow.input.text}", { people: ["U0BOB000001"], requester: true }];
const action = { tool: "billing", arguments: { text } };
const ok = { id: "ok", type: "human", input: "approve", prompt: `Order ${text}?`, action, decide } as const;
const send = { id: "send", type: "agent", agent_name: "billing", approved_by: "ok" } as const;
const order = workflowOf(
  "order",
  [
    { ...ok, next_step: "send" },
    { ...send, input_mapping: "${ok.output.action.arguments}" },
  ],
  {
    input_schema: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
    output_mapping: { text: "${send.output.text}" },
  },
);

test("W16.1: a partner on a phone asks in the shared channel, is answered once listed, and only ours decide", async () => {
  const policy = { allow_shared_channels: true };
  const file = tempFile("verification.yaml", JSON.stringify({ policy }));
  const { slack, log } = await startWithAgents({
    env: { WORKFLOWS_DIR: writeWorkflows(order) },
    verificationEnv: { VERIFICATION_FILE: file },
  });
  const homes = (message: Locator) => message.getByTestId("organization").allInnerTexts();
  const phone = await open(`${slack.url}/#/${general}`, { width: 390, height: 844 });
  await phone.getByTestId("conversations").click();
  await phone.getByTestId("act-as").selectOption("Paula Partner (Partner Ltd)");
  await phone.locator("#conversation-name", { hasText: "Crosszone" }).waitFor();
  await phone.getByTestId("conversations").click();
  expect(await phone.locator(".conversation .name").allInnerTexts()).toEqual(["partners", "Crosszone"]);
  await look(phone, "connect-partner-sidebar");
  await phone.getByTestId("conversation").filter({ hasText: "partners" }).click();
  await write(phone, "@Crosszone run order: 1 chair");
  await expect.poll(() => log.filter(({ verdict }) => verdict === "foreign_author")).not.toEqual([]);

  const page = await open(`${slack.url}/#/C0SHARED001`);
  expect(await page.getByTestId("conversations").isVisible()).toBe(false);
  await page.getByTestId("act-as").selectOption("U0BOB000001");
  await write(page, "@Crosszone 2+2 in words?");
  const said = (hasText: string) => page.getByTestId("message").filter({ hasText });
  const [theirs, ours] = [said("1 chair"), said("2+2")];
  await messages(page).filter({ hasText: "four" }).waitFor();
  await page.getByTestId("thread-close").click();
  expect([await homes(theirs), await homes(ours)]).toEqual([["Partner Ltd"], []]);
  expect(await theirs.getByTestId("reply-count").count()).toBe(0);
  expect(await page.locator("#conversation-notice").innerText()).toBe("Shared with Partner Ltd (Slack Connect)");
  await lookEverywhere(page, "connect-channel");

  writeFileSync(file, JSON.stringify({ policy: { ...policy, allowed_teams: ["T0PARTNERS1"] } }));
  await expect.poll(() => log.filter(({ section }) => section === "policy").length).toBe(2);
  await write(phone, "@Crosszone run order: 3 chairs");
  const asked = messages(phone).filter({ hasText: "Order 3 chairs?" });
  await asked.getByTestId(/^control-input:approve/).click();
  await messages(phone).filter({ hasText: "This is not yours to decide." }).waitFor();
  await lookEverywhere(phone, "connect-not-hers");

  await said("3 chairs").getByTestId("reply-count").click();
  const card = messages(page).filter({ hasText: "Order 3 chairs?" });
  await lookEverywhere(page, "connect-card");
  await card.getByTestId(/^control-input:approve/).click();
  await card.filter({ hasText: "Approved by @Bob Carter" }).waitFor();
  for (const one of [page, phone]) await messages(one).filter({ hasText: "Sent invoice" }).waitFor();
  expect(await homes(messages(page).first())).toEqual(["Partner Ltd"]);
  expect(await homes(messages(phone).first())).toEqual([]);
  expect(await homes(messages(phone).nth(1))).toEqual(["Crosszone Dev"]);
  // What only one of them reads is no reply.
  expect(await said("3 chairs").getByTestId("reply-count").innerText()).toContain("3 replies");
  await lookEverywhere(page, "connect-decided");
  await lookEverywhere(phone, "connect-answered");
});
