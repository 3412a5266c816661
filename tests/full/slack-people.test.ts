import { startDevSlack } from "@crosszone/dev-slack";
import { expect, onTestFinished, test } from "vitest";
import { look, useBrowser } from "./use-browser.ts";

const open = useBrowser();
const narrow = { width: 390, height: 844 };

async function startSlack() {
  const slack = await startDevSlack();
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
