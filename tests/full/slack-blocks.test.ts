import { text as readText } from "node:stream/consumers";
import { startDevSlack, type DevSlackOptions } from "@crosszone/dev-slack";
import { serve } from "@crosszone/testkit/temporary";
import { WebClient } from "@slack/web-api";
import type { Page } from "playwright-core";
import { expect, test, onTestFinished } from "vitest";
import { look, useBrowser } from "./use-browser.ts";

type Json = Record<string, unknown>;

/** A payload that Slack sends when a person uses a message or a modal. */
interface Interaction extends Json {
  readonly type: string;
  readonly user: { readonly id: string };
  readonly trigger_id: string;
  readonly container?: { readonly channel_id: string; readonly message_ts: string };
  readonly actions?: readonly Json[];
  readonly view?: { readonly state: { readonly values: Json } };
}

/** An app: does what a person asked for, and resolves with its acknowledgment's body, or with `"silence"`. */
type SlackApp = (interaction: Interaction, client: WebClient) => Promise<unknown>;

/** Starts a local Slack and a small app for the test. `got` has every interaction. */
async function startSlackApp(app: SlackApp, options: DevSlackOptions = {}) {
  const slack = await startDevSlack(options);
  onTestFinished(() => slack.close());
  const client = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl });
  const got: Interaction[] = [];
  const url = await serve(async (request, response) => {
    const payload = new URLSearchParams(await readText(request)).get("payload");
    if (payload === null) {
      response.end();
      return;
    }
    const interaction = JSON.parse(payload) as Interaction;
    got.push(interaction);
    const said = await app(interaction, client);
    if (said !== "silence")
      response.setHeader("content-type", "application/json").end(said === undefined ? "" : JSON.stringify(said));
  });
  slack.setEventsUrl(`${url}/slack/events`);
  return { slack, client, got };
}

const open = useBrowser();
const plain = (text: string) => ({ type: "plain_text" as const, text });
const mrkdwn = (text: string) => ({ type: "mrkdwn" as const, text });
const option = (text: string) => ({ text: plain(text), value: text.toLowerCase() });
const button = (action_id: string, text: string, more: object = {}) => ({
  type: "button" as const,
  action_id,
  text: plain(text),
  ...more,
});
const request = (...elements: object[]) => [
  { type: "section", text: mrkdwn("*Alice* asks to deploy `shop` to production.") },
  { type: "actions", block_id: "decide", elements },
];
const decision = request(
  button("approve", "Approve", { style: "primary", value: "42" }),
  button("reject", "Reject", { style: "danger" }),
);
const [alice, bob] = ["D0ALICE0001", "D0BOB000001"];
const control = (page: Page, name: string) => page.getByTestId(`control-${name}`);

/** Replaces the message by who decided. */
const decide: SlackApp = async ({ user, actions, container }, client) => {
  const text = `<@${user.id}> chose ${String(actions?.[0]?.["action_id"])}.`;
  await client.chat.update({ channel: container?.channel_id ?? "", ts: container?.message_ts ?? "", text, blocks: [] });
};

test("an approval in Bob's direct message is visible when Bob acts, and Approve is sent as Bob", async () => {
  const { slack, client, got } = await startSlackApp(decide);
  await client.chat.postMessage({ channel: bob, text: "Deploy?", blocks: decision });
  const page = await open(slack.url);
  await page.getByTestId("example").first().waitFor();
  expect(await page.getByTestId("message").count()).toBe(0);
  await page.getByTestId("act-as").selectOption("U0BOB000001");
  await control(page, "approve").waitFor();
  await look(page, "approval");
  await control(page, "approve").click();
  await page.getByTestId("message").filter({ hasText: "@Bob Carter chose approve." }).waitFor();
  expect(got).toMatchObject([{ user: { id: "U0BOB000001" }, actions: [{ action_id: "approve", value: "42" }] }]);
});

test("the app's question comes before the action, and Cancel sends nothing", async () => {
  const confirm = { title: plain("Delete it?"), text: plain("It is gone then."), confirm: plain("Delete") };
  const { slack, client, got } = await startSlackApp(decide);
  const blocks = request(button("delete", "Delete", { style: "danger", confirm })) as never;
  await client.chat.postMessage({ channel: alice, text: "Report", blocks });
  const page = await open(slack.url);
  const answer = (is: boolean) => page.evaluate(`window.confirm = (asked) => ((document.title = asked), ${is})`);
  await answer(false);
  await control(page, "delete").click();
  expect(await page.title()).toBe("Delete it? It is gone then.");
  await answer(true);
  await control(page, "delete").click();
  await page.getByTestId("message").filter({ hasText: "chose delete." }).waitFor();
  expect(got.length).toBe(1);
});

test("a button that the app does not acknowledge gets a warning in words, after it was disabled", async () => {
  const { slack, client } = await startSlackApp(async () => "silence", { ackTimeoutMs: 1_000 });
  await client.chat.postMessage({ channel: alice, text: "Deploy?", blocks: decision });
  const page = await open(slack.url);
  await control(page, "approve").click();
  expect(await control(page, "reject").getAttribute("aria-disabled")).toBe("true");
  await page.getByText("The app did not respond in time.").waitFor();
  expect(await control(page, "reject").getAttribute("aria-disabled")).toBe("false");
  await look(page, "not-acknowledged");
});

const input = (block_id: string, label: string, members: object) => ({
  type: "input",
  block_id,
  label: plain(label),
  ...members,
});
const typed = (more: object) => ({ type: "plain_text_input", action_id: "text", ...more });
const people = { type: "multi_users_select", action_id: "people", placeholder: plain("Choose people") };
const tag = { type: "checkboxes", action_id: "tag", options: ["Red", "Green"].map(option) };

const form = (title: string) => ({
  type: "modal" as const,
  title: plain(title),
  submit: plain("Save"),
  blocks: [
    { type: "alert", level: "warning", text: plain("Everyone in the channel sees this.") },
    input("name", "Name", { element: typed({ min_length: 3 }), hint: plain("At least three letters.") }),
    input("due", "Due", { element: { type: "datepicker", action_id: "day" }, optional: true }),
    input("tags", "Tags", { element: tag }),
    input("owner", "Owners", { element: people, optional: true }),
    input("note", "Note", { element: typed({ multiline: true, placeholder: plain("What else?") }), optional: true }),
  ],
});

/** Opens a modal, refuses the name "Bad", and pushes a second one for any other. */
const editor: SlackApp = async ({ type, trigger_id, view }, client) => {
  if (type === "block_actions") await client.views.open({ trigger_id, view: form("Edit the report") });
  if (type !== "view_submission") return undefined;
  const said = JSON.stringify(view?.state.values);
  if (said.includes("Bad")) return { response_action: "errors", errors: { name: "This name is taken." } };
  if (!said.includes("Good")) return undefined;
  return { response_action: "push", view: { ...form("Check it"), blocks: form("").blocks.slice(0, 2) } };
};

async function openEditor() {
  const { slack, client, got } = await startSlackApp(editor);
  const post = await client.chat.postMessage({
    channel: alice,
    text: "Report",
    blocks: request(button("edit", "Edit")),
  });
  return { slack, client, got, ts: post.ts ?? "", page: await open(slack.url) };
}

test("a modal shows what is missing and what the app rejects at each input, and keeps what was typed", async () => {
  const { page, got } = await openEditor();
  await control(page, "edit").click();
  await page.getByTestId("modal-submit").click();
  expect(await page.evaluate("document.activeElement.matches('input:invalid')")).toBe(true);
  await control(page, "text").first().fill("Bad");
  await page.getByTestId("modal-submit").click();
  expect(await page.evaluate("document.activeElement.validationMessage")).toBe("Choose at least one.");
  expect(got.length).toBe(1);
  await control(page, "tag-green").check();
  await control(page, "people-U0BOB000001").check();
  await control(page, "day").fill("2026-12-24");
  await page.getByTestId("modal-submit").click();
  await page.getByTestId("input-error").filter({ hasText: "This name is taken." }).waitFor();
  expect(await page.getByTestId("input-error").allInnerTexts()).toEqual(["This name is taken.", "", "", "", ""]);
  await look(page, "modal-errors");
  expect(got.at(-1)?.view?.state.values).toMatchObject({
    name: { text: { value: "Bad" } },
    due: { day: { selected_date: "2026-12-24" } },
    tags: { tag: { selected_options: [option("Green")] } },
    owner: { people: { selected_users: ["U0BOB000001"] } },
  });
  await control(page, "text").first().fill("Good");
  await page.getByTestId("modal-submit").click();
  await page.getByRole("heading", { name: "Check it" }).waitFor();
  await page.getByTestId("modal-close").click();
  await page.getByRole("heading", { name: "Edit the report" }).waitFor();
  expect(await control(page, "text").first().inputValue()).toBe("Good");
  expect(await control(page, "tag-green").isChecked()).toBe(true);
});

test("an update of the modal keeps what a person is typing, and where", async () => {
  const { slack, client, page, got } = await openEditor();
  await control(page, "edit").click();
  await control(page, "text").first().pressSequentially("Fi");
  const [view] = slack.control.views("alice");
  await client.views.update({ view_id: view?.id ?? "", hash: view?.hash ?? "", view: form("Newer") });
  await page.getByRole("heading", { name: "Newer" }).waitFor();
  await page.keyboard.type("ne");
  await control(page, "tag-red").check();
  await page.getByTestId("modal-submit").click();
  await page.getByTestId("modal").waitFor({ state: "detached" });
  expect(got.at(-1)?.view?.state.values).toMatchObject({ name: { text: { value: "Fine" } } });
});

test("a person with only a keyboard opens a modal, fills it in, submits it, and is back at the button, though it was drawn anew", async () => {
  const { client, page, got, ts } = await openEditor();
  const focused = () => page.evaluate<string>("document.activeElement?.dataset.testid ?? ''");
  const tabTo = async (name: string): Promise<void> => {
    for (let presses = 0; presses < 40 && (await focused()) !== name; presses += 1) await page.keyboard.press("Tab");
    expect(await focused()).toBe(name);
  };
  await control(page, "edit").waitFor();
  await tabTo("control-edit");
  await page.keyboard.press("Enter");
  await page.getByTestId("modal").waitFor();
  await page.keyboard.press("Escape");
  await page.getByTestId("modal").waitFor({ state: "detached" });
  await expect.poll(focused).toBe("control-edit");
  await page.keyboard.press("Enter");
  await page.getByTestId("modal").waitFor();
  await page.keyboard.type("Fine");
  await tabTo("control-tag-red");
  await page.keyboard.press("Space");
  const blocks = request(button("edit", "Edit again"));
  await client.chat.update({ channel: alice, ts, text: "Report", blocks });
  await page.getByText("Edit again").waitFor();
  await tabTo("modal-submit");
  await page.keyboard.press("Enter");
  await page.getByTestId("modal").waitFor({ state: "detached" });
  await expect.poll(focused).toBe("control-edit");
  const tags = { tag: { selected_options: [option("Red")] } };
  expect(got.at(-1)).toMatchObject({
    type: "view_submission",
    view: { state: { values: { name: { text: { value: "Fine" } }, tags } } },
  });
});

const menu = (type: string, more: object = {}) => ({
  type,
  action_id: type,
  placeholder: plain(`Choose (${type})`),
  ...more,
});
const section = (text: object, more: object = {}) => ({ type: "section", text, ...more });
const options = ["Small", "Medium", "Large"].map(option);
const changes = [section(mrkdwn("Faster search")), { type: "context", elements: [mrkdwn("by Bob")] }];
const feedback = { positive_button: option("Good"), negative_button: option("Bad") };
const gallery = [
  { type: "header", text: plain("Release 2.4") },
  section(mrkdwn("Ready to *ship*."), { accessory: button("details", "Details") }),
  { type: "section", fields: ["*Owner*\nAlice", "*Risk*\nLow", "*Tests*\n812 passed"].map(mrkdwn) },
  section(plain("Size"), { accessory: menu("static_select", { options }) }),
  section(plain("Notify"), { accessory: { type: "checkboxes", action_id: "notify", options } }),
  { type: "image", image_url: "https://images.example/chart.png", alt_text: "Latency before and after" },
  { type: "divider" },
  { type: "container", title: plain("Three changes"), child_blocks: changes },
  {
    type: "card",
    title: mrkdwn("*Rollback plan*"),
    body: mrkdwn("Switch the flag off."),
    actions: [button("flag", "Show")],
  },
  {
    type: "actions",
    elements: [
      menu("users_select"),
      menu("multi_static_select", { options, initial_options: options.slice(1) }),
      { type: "radio_buttons", action_id: "when", options: options.slice(0, 2), initial_option: options[0] },
      menu("datepicker", { initial_date: "2026-12-01" }),
      { type: "overflow", action_id: "more", options: options.slice(0, 2) },
    ],
  },
  { type: "context", elements: [mrkdwn("Was this useful?")] },
  {
    type: "context_actions",
    elements: [
      { type: "feedback_buttons", action_id: "feedback", ...feedback },
      { type: "icon_button", action_id: "remove", icon: "trash", text: plain("Remove") },
    ],
  },
];

test("each menu sends what a person chooses, and the page is readable in both themes and on a narrow screen", async () => {
  const { slack, client, got } = await startSlackApp(async () => undefined);
  await client.chat.postMessage({ channel: alice, text: "Release", blocks: gallery });
  const page = await open(slack.url, { width: 1280, height: 1500 });
  await control(page, "static_select").selectOption("medium");
  await control(page, "notify-large").check();
  await control(page, "users_select").selectOption("U0BOB000001");
  await control(page, "when-medium").check();
  await control(page, "more").selectOption("small");
  expect(await control(page, "feedback-good").innerText()).toBe("Good");
  await control(page, "feedback-good").click();
  await expect.poll(() => got.length).toBe(6);
  expect(got.map(({ actions }) => actions?.[0])).toMatchObject([
    { selected_option: { value: "medium" } },
    { selected_options: [{ value: "large" }] },
    { selected_user: "U0BOB000001" },
    { selected_option: { value: "medium" } },
    { selected_option: { value: "small" } },
    { value: "good" },
  ]);
  await look(page, "gallery");
  await page.setViewportSize({ width: 700, height: 1500 });
  await look(page, "gallery-narrow");
});
