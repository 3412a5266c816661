import { type DevSlackOptions, startDevSlack } from "@crosszone/dev-slack";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test, vi } from "vitest";
import { startAgent } from "@crosszone/testkit";
import { serve } from "@crosszone/testkit/temporary";
import { type ModalView, WebClient } from "@slack/web-api";
import { text } from "node:stream/consumers";
import { workflowOf } from "../harness/runs-api.ts";
import { writeAgentsFile, writeWorkflows } from "../harness/temp-file.ts";
import { look, lookEverywhere, useBrowser, write } from "./use-browser.ts";
import { agentThat } from "../harness/start-called-zone.ts";
import { startCrosszone, startWithAgents } from "../harness/start-crosszone.ts";

const open = useBrowser();

const reply = (page: Page) => page.getByTestId("thread-message").nth(1);
const half = "The wall stands between two zones. Slack is on one side of it,";

/** An agent that calls three tools, writes half of its answer, and waits. */
function writer() {
  const finished = Promise.withResolvers<void>();
  const names = ["proofreader", "keywords", "fingerprint"];
  const agent = agentThat("writer", async (_input, { preview, signal }) => {
    const steps = names.map((uses, at) => ({ id: `${at}`, title: `Ask ${uses}`, uses, depth: 0 }));
    for (let done = 0; done <= names.length; done += 1) {
      const stateOf = (at: number) => (at < done ? "succeeded" : at === done ? "running" : "pending");
      preview?.progress({ steps: steps.map((step, at) => ({ ...step, state: stateOf(at) })) });
    }
    preview?.text(`${half} `);
    const stopped = new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
    await Promise.race([finished.promise, stopped]);
    return { response_text: `${half} and agents are on the other.` };
  });
  return { agent, finish: () => finished.resolve() };
}

test("Stop in mid-stream keeps the text that had arrived, with a calm line below it and no mark of an error", async () => {
  const { agent } = writer();
  const zones = await startCrosszone({ agents: [agent] });
  const page = await open(zones.slack.url);
  await write(page, "Tell me about the wall.");
  await reply(page).filter({ hasText: "Slack is on one side of" }).waitFor();
  await look(page, "streaming");
  await page.getByTestId("stop").first().click();
  await reply(page).filter({ hasText: "Stopped." }).waitFor();
  expect(await reply(page).innerText()).toContain("The wall stands between two zones. Slack is on one side of");
  expect(await reply(page).innerText()).not.toContain("(edited)");
  expect(await reply(page).getAttribute("data-state")).toBe("stopped");
  const content = "[data-testid=thread-message][data-state=stopped] .content";
  const border = await page.evaluate(`getComputedStyle(document.querySelector('${content}')).borderLeftWidth`);
  expect(border).toBe("0px");
  // Slack marks the stream "Stopped" at once, and shows Stop until the zone has ended the session.
  await page.getByTestId("stop").waitFor({ state: "hidden" });
  await look(page, "stopped");
});

test("an answer with three tools ends with its cards folded, named with their duration, and without “(edited)”", async () => {
  const { agent, finish } = writer();
  const zones = await startCrosszone({ agents: [agent] });
  const page = await open(zones.slack.url);
  await write(page, "Tell me about the wall.");
  await reply(page).filter({ hasText: "Slack is on one side of" }).waitFor();
  const plan = reply(page).getByTestId("plan");
  expect(await plan.getAttribute("open")).not.toBeNull();
  finish();
  await reply(page).filter({ hasText: "on the other." }).waitFor();
  expect(await plan.locator("summary").innerText()).toMatch(/Used proofreader, keywords, fingerprint · \d+\.\d s/);
  expect(await plan.getAttribute("open")).toBeNull();
  expect(await plan.getAttribute("data-status")).toBe("complete");
  expect(await reply(page).innerText()).not.toContain("(edited)");
  await look(page, "three-tools");
  await plan.locator("summary").click();
  await plan.getByText("Ask keywords").waitFor();
  expect(await plan.getByTestId("task").count()).toBe(4);
  await look(page, "three-tools-open");
});

test("Q28: in a channel without the app the page says so and offers to add it; then the app answers there", async () => {
  const { slack } = await startWithAgents();
  const page = await open(`${slack.url}/#/C0RANDOM001`);
  const [notice, add] = [page.locator("#conversation-notice"), page.getByTestId("add-app")];
  await add.waitFor();
  expect(await notice.innerText()).toBe("Crosszone is not a member of this channel and gets no messages from it.");
  await lookEverywhere(page, "add-app");
  await page.getByTestId("welcome").getByText("This is the start of random").waitFor();
  await add.click();
  await add.waitFor({ state: "hidden" });
  expect(await notice.innerText()).toBe("");
  await page.getByTestId("welcome").getByText("Write @Crosszone and your question.").waitFor();
  await write(page, "@Crosszone 2+2 in words?");
  await reply(page).filter({ hasText: "four" }).waitFor();
  for (const place of ["C0ARCHIVE01", "D0ALICE0001"]) {
    await page.locator(`[data-channel=${place}]`).click();
    await page.locator(`[data-channel=${place}][aria-current]`).waitFor();
    expect(await add.isVisible()).toBe(false);
  }
});

test("a run that an operator retries shows its result below the failure", async () => {
  let isDown = true;
  const agent = await startAgent(() => {
    if (isDown) throw new Error("down for a while");
    return "The report is done.";
  });
  const step = { id: "write", type: "agent" as const, agent_name: "writer", input_mapping: { text: "now" } };
  const zones = await startWithAgents({
    env: {
      EXECUTION_FILE: writeAgentsFile([{ name: "writer", url: agent.url, protocol: "simple-a2a" }]),
      AGENT_ORIGINS: agent.origin,
      WORKFLOWS_DIR: writeWorkflows(workflowOf("report", [step], { output_mapping: { text: "${write.output.text}" } })),
    },
  });
  const page = await open(zones.slack.url);
  await write(page, "run report: today");
  await reply(page).filter({ hasText: "failed" }).waitFor();
  isDown = false;
  await zones.api.post(`/runs/${(await zones.api.latest()).run_id}/retry`);
  await page.getByTestId("thread-message").filter({ hasText: "Retried: The report is done." }).waitFor();
  expect(await page.getByTestId("thread-message").count()).toBe(3);
  await look(page, "retried-run");
});

const narrow = { width: 390, height: 844 };

async function startSlack(options: DevSlackOptions = {}) {
  const slack = await startDevSlack(options);
  onTestFinished(() => slack.close());
  const post = (content: object) => slack.control.postMessage({ channel: "general", text: "", ...content });
  return { slack, post };
}

test("a person replies to an alert, edits, deletes, reacts, forwards with words, and pastes a table", async () => {
  const { slack, post } = await startSlack();
  const alert = { color: "danger", title: "Job failed", fields: [{ title: "severity", value: "warning" }] };
  post({ app: "Alertmanager", attachments: [alert] });
  const { ts } = post({ user: "alice", text: "order 2 chairs" });
  const page = await open(`${slack.url}/#/C0GENERAL01`);
  const row = page.locator(`[data-testid=message][data-ts="${ts}"]`);
  const choose = (action: string) => row.getByTestId("more-actions").selectOption(action);
  await choose("edit");
  await page.getByTestId("edit").fill("order 3 chairs, @bob");
  await page.keyboard.press("Enter");
  await row.filter({ hasText: "order 3 chairs, @Bob Carter (edited)" }).waitFor();
  await choose("+1");
  await row.getByTestId("reaction-+1").click();
  await row.getByTestId("reaction-+1").waitFor({ state: "detached" });

  await choose("forward");
  await page.locator("[data-testid=conversation][data-channel=D0ALICE0001]").click();
  await page.getByTestId("composer").fill("is this right?");
  const rows = "<table><tr><th>Shop</th><th>Units</th></tr><tr><td>North</td><td>12</td></tr></table>";
  const paste = `const data = new DataTransfer(); data.setData("text/html", ${JSON.stringify(rows)});
    document.querySelector("[data-testid=composer]").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, cancelable: true }))`;
  await page.evaluate(paste);
  await page.keyboard.press("Enter");
  const sent = page.getByTestId("message").filter({ hasText: "is this right?" });
  await sent.getByRole("cell", { name: "North" }).waitFor();
  expect(slack.control.messages({ channel: "D0ALICE0001" })).toMatchObject([
    { text: "is this right?", attachments: [{ blocks: [{ type: "table" }] }, { is_share: true, ts }] },
  ]);
  await look(page, "forwarded-message");

  await page.getByTestId("conversation").filter({ hasText: "general" }).click();
  await page
    .getByTestId("message")
    .first()
    .getByRole("link", { name: "Reply in a thread to Alertmanager" })
    .press("Enter");
  await page.getByTestId("thread-composer").fill("why?");
  await page.keyboard.press("Enter");
  await page.getByTestId("thread-message").filter({ hasText: "why?" }).waitFor();
  await choose("delete");
  await row.waitFor({ state: "detached" });
  await look(page, "alert-thread");
});

test("a narrow page has one column, with ways to the conversations and back from a thread", async () => {
  const { slack, post } = await startSlack();
  const { ts } = post({ user: "bob", text: "A sentence that is long enough to need two lines on a phone." });
  post({ user: "alice", text: "reply", thread_ts: ts });
  slack.control.deleteMessage({ channel: "general", ts, user: "bob" });
  const page = await open(slack.url, narrow);
  await page.getByTestId("conversations").click();
  await look(page, "narrow-conversations");
  await page.getByTestId("conversation").filter({ hasText: "general" }).click();
  await page.getByTestId("message").filter({ hasText: "This message was deleted." }).waitFor();
  expect(await page.locator("#sidebar").isVisible()).toBe(false);
  const width = await page.evaluate("document.querySelector('#messages').getBoundingClientRect().width");
  expect(width).toBe(narrow.width);
  await page.getByTestId("reply-count").click();
  await look(page, "narrow-thread");
  await page.getByTestId("thread-close").click();
  expect(await page.getByTestId("thread-pane").isVisible()).toBe(false);
});

test("W15: a person opens Home with the keyboard on a phone, presses an example, and reads the answer in Messages", async () => {
  const example = { id: "add", name: "Add", description: "", examples: ["What is 2+2?"] };
  const adder = agentThat("adder", async () => ({ response_text: "It is four." }), "Adds numbers <!channel>.");
  const zones = await startCrosszone({ agents: [{ ...adder, skills: [example] }] });
  const page = await open(`${zones.slack.url}/#/D0ALICE0001`, narrow);
  await page.getByTestId("home-tab").press("Enter");
  const home = page.getByTestId("home");
  await home.getByText("Adds numbers <!channel>.").waitFor();
  await home.getByText("Nothing is waiting for you.").waitFor();
  expect(await page.getByTestId("composer").isVisible()).toBe(false);
  await look(page, "home-narrow");
  await home.getByRole("button", { name: "Ask this: What is 2+2? (adder)" }).press("Enter");
  await home.getByText("Asked adder. The answer comes in the tab Messages.").waitFor();
  await page.getByTestId("home-messages-tab").press("Enter");
  await page.getByTestId("message").filter({ hasText: "asked: What is 2+2?" }).getByTestId("reply-count").click();
  await page.getByTestId("thread-message").filter({ hasText: "It is four." }).waitFor();
  await page.getByTestId("thread-close").click();
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByTestId("home-tab").click();
  await home.getByText("Answered").waitFor();
  expect(await home.getByRole("link", { name: "open" }).count()).toBe(1);
  await look(page, "home");
});

test("P4: a person makes a schedule in the modal, corrects it where it is wrong, and reads its answers", async () => {
  const zones = await startCrosszone({ agents: [agentThat("adder", async () => ({ response_text: "Four." }))] });
  // High enough for the whole modal: what is out of sight counts as no label.
  const page = await open(`${zones.slack.url}/#/C0GENERAL01`, { width: 1_280, height: 1_400 });
  const form = page.getByTestId("modal");
  // On a busy machine, Slack's trigger can expire before the modal opens.
  await vi.waitFor(async () => {
    await write(page, "/agents schedule");
    await form.waitFor({ timeout: 4_000 });
  });
  await form.getByLabel("Name").fill("Daily sum");
  await form.getByLabel("What to ask").fill("What is 2+2?");
  await form.getByLabel("Cron expression").fill("0 9 * *");
  await look(page, "schedule-modal");
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByText("It has 4 fields").waitFor();
  await look(page, "schedule-modal-wrong");
  await form.getByLabel("Cron expression").fill("0 9 * * *");
  await form.getByRole("button", { name: "Save" }).click();
  await form.waitFor({ state: "detached" });
  await page.getByText("lists your schedules").waitFor();
  await write(page, "/agents schedules");
  await page.getByRole("button", { name: "Run now" }).click();
  await page
    .getByTestId("message")
    .filter({ hasText: /Four\.[^]*Daily sum · schedule of/ })
    .waitFor();
  await look(page, "schedule-fire");
  await page.goto(`${zones.slack.url}/#/D0ALICE0001`);
  await page.getByTestId("home-tab").click();
  await page.getByTestId("home").getByText("1, listed by").waitFor();
  await look(page, "schedule-home");
  expect(zones.slack.control.warnings()).toEqual([]);
});

const shortcut = { name: "Ask about this", type: "message", callback_id: "ask", description: "Asks an agent." };
const place = { type: "conversations_select", action_id: "place", default_to_current_conversation: true };
const modal = {
  type: "modal",
  title: { type: "plain_text", text: "Ask" },
  submit: { type: "plain_text", text: "Ask" },
  blocks: [{ type: "input", block_id: "place", label: { type: "plain_text", text: "Where?" }, element: place }],
};

test("P5: with the keyboard, on a phone: a reaction, a shortcut with its modal, an outage in which people write, and a person who leaves", async () => {
  const { slack, post } = await startSlack({
    manifest: {
      features: { shortcuts: [shortcut] },
      oauth_config: { scopes: { bot: ["commands", "channels:history", "users:read"] } },
      settings: { interactivity: { is_enabled: true } },
    },
  });
  const client = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl });
  const opened: unknown[] = [];
  const app = await serve(async (request, response) => {
    const payload = new URLSearchParams(await text(request)).get("payload") ?? "{}";
    const { trigger_id } = JSON.parse(payload) as { trigger_id?: string };
    if (trigger_id !== undefined) opened.push(await client.views.open({ trigger_id, view: modal as ModalView }));
    response.end();
  });
  slack.setEventsUrl(app);
  const { ts } = post({ user: "bob", text: "The build is red." });
  const page = await open(`${slack.url}/#/C0GENERAL01`, narrow);
  const row = page.locator(`[data-testid=message][data-ts="${ts}"]`);
  const choose = async (action: string) => {
    await row.getByTestId("more-actions").focus();
    await row.getByTestId("more-actions").selectOption(action);
  };
  await choose("react");
  await page.keyboard.type("ticket");
  await page.keyboard.press("Enter");
  await row.getByTestId("reaction-ticket").press("Space");
  await row.getByTestId("reaction-ticket").waitFor({ state: "detached" });

  await choose("shortcut ask");
  await page.getByTestId("modal").waitFor();
  expect(await page.getByTestId("control-place").inputValue()).toBe("C0GENERAL01");
  expect(await page.getByTestId("control-place").locator("option").allInnerTexts()).not.toContain("old-project");
  await look(page, "shortcut-modal-narrow");
  await page.keyboard.press("Escape");

  await page.getByTestId("outage").focus();
  await page.getByTestId("outage").selectOption("away");
  await page.getByRole("status").filter({ hasText: "gets no event of what you write" }).waitFor();
  await page.getByTestId("composer").fill("Anybody?");
  await page.keyboard.press("Enter");
  await page.getByTestId("message").filter({ hasText: "Anybody?" }).waitFor();
  await choose("shortcut ask");
  await row.getByRole("alert").filter({ hasText: "The app could not be reached" }).waitFor();
  await look(page, "outage-narrow");
  await page.getByTestId("outage").selectOption("none");
  expect(opened).toHaveLength(1);

  await page.getByTestId("conversations").press("Enter");
  await page.getByTestId("deactivate").press("Enter");
  await page.getByRole("button", { name: "Reactivate this person" }).waitFor();
  expect(await client.users.info({ user: "U0ALICE0001" })).toMatchObject({ user: { deleted: true } });
  await look(page, "deactivated-narrow");
});
