import { tune } from "@crosszone/testkit/tune";
import { startDevSlack } from "@crosszone/dev-slack";
import { expect, onTestFinished, test } from "vitest";
import { adminToken } from "../harness/runs-api.ts";
import { artifact, look, useBrowser, write } from "./use-browser.ts";
import { startCrosszone, startWithAgents } from "../harness/start-crosszone.ts";

const open = useBrowser();

test("a person types a message and reads the answer in its thread; what they type next continues its thread, and does not start a conversation without memory", async () => {
  const zones = await startCrosszone();
  const page = await open(zones.slack.url);
  await page.getByTestId("composer").click();
  await page.keyboard.type("2+2 in words?\n");
  await page.getByTestId("thread-pane").getByTestId("thread-message").filter({ hasText: "four" }).waitFor();
  await page.keyboard.type("and 3+3 in words?\n");
  await page.getByTestId("thread-message").filter({ hasText: "six" }).waitFor();
  expect(await page.getByTestId("message").count()).toBe(1);
  await page.screenshot({ path: artifact("follow-up.png") });
});

test("an answer takes no words from a person who is writing the next question", async () => {
  // Nothing appears before they have begun to write: an empty field may lose the focus to the thread.
  const env = tune({ SHOW_WORK_AFTER_MS: 1_000 });
  const zones = await startCrosszone({ limits: { syncWindowMs: 100 }, env });
  const page = await open(zones.slack.url);
  await write(page, "slow 2");
  await page.getByTestId("composer").pressSequentially("a new question");
  await page.getByTestId("thread-message").nth(1).waitFor();
  await page.keyboard.type(", whole");
  expect(await page.getByTestId("composer").inputValue()).toBe("a new question, whole");
});

test("the local Slack does not promise that nothing leaves the machine, since a connected model can be anywhere", async () => {
  const zones = await startCrosszone();
  const page = await open(zones.slack.url);
  await page.getByTestId("example").first().waitFor();
  const welcome = await page.getByTestId("welcome").innerText();
  expect(welcome).toContain("They leave this machine only if you connect a language model or an agent elsewhere.");
  expect(welcome).not.toContain("Nothing leaves");
  await page.screenshot({ path: artifact("welcome.png") });
});

test("a person attaches a CSV in the browser, asks about it, and reads how long it is", async () => {
  const zones = await startCrosszone();
  const page = await open(zones.slack.url);
  const buffer = Buffer.from("name,age\nAda,36\nAlan,41\n");
  await page.getByTestId("attach").setInputFiles({ name: "ages.csv", mimeType: "text/csv", buffer });
  await page.getByText("ages.csv").first().waitFor();
  await write(page, "what did I attach");
  const answer = page.getByTestId("thread-message").filter({ hasText: "1 file arrived" });
  await answer.waitFor();
  expect(await answer.innerText()).toContain("ages.csv: 3 lines, 3 words");
});

test("the traffic tab shows the event, its verdict and the zone link's messages, but no secret", async () => {
  const zones = await startCrosszone();
  const page = await open(zones.slack.url);
  await write(page, "2+2");
  await page.getByTestId("thread-message").filter({ hasText: "4" }).first().waitFor();
  await page.getByTestId("traffic-tab").click();
  // The newest question is open; the counts are of its own entries.
  const question = page.getByTestId("traffic-group").filter({ hasText: "2+2" });
  await question.getByText(/^Alice Berger · \d+ events?, \d+ Slack calls, 1 call across the wall$/).waitFor();
  await look(page, "traffic-open");
  const row = page.getByTestId("traffic-row").filter({ hasText: "execute_task" }).first();
  await row.click();
  await page.getByText('"jsonrpc"').first().waitFor();
  await page.screenshot({ path: artifact("traffic.png") });
  const shown = await page.content();
  for (const secret of [zones.slack.botToken, zones.slack.signingSecret]) expect(shown).not.toContain(secret);
});

test("Q8: a closed question stays closed while others are added, and a filter hides what has no such entries", async () => {
  const zones = await startCrosszone();
  const page = await open(`${zones.slack.url}/#/traffic`, { width: 390, height: 844 });
  const ask = (text: string) => zones.slack.control.postMessage({ channel: "dm", text });
  const question = (text: string) => page.getByTestId("traffic-group").filter({ hasText: text });
  const rows = (text: string) => question(text).getByTestId("traffic-row");
  ask("2+2 in words?");
  await rows("2+2 in words?").filter({ hasText: "execute_task" }).waitFor();
  await question("2+2 in words?").getByTestId("traffic-group-line").click();
  ask("3+3 in words?");
  await rows("3+3 in words?").filter({ hasText: "execute_task" }).waitFor();
  expect(await rows("2+2 in words?").first().isVisible()).toBe(false);
  await question("Connections and lookups").waitFor();
  await look(page, "traffic-narrow");
  const filter = (kind: string) => page.getByTestId("traffic-filter").filter({ hasText: kind });
  await filter("JSON-RPC").click();
  await expect.poll(() => page.locator('[data-testid="traffic-row"]:not([data-kind="rpc"])').count()).toBe(0);
  expect(await rows("3+3 in words?").count()).toBe(1);
  await filter("Event").click();
  await question("Connections and lookups").waitFor({ state: "detached" });
  expect(await page.locator('[data-testid="traffic-row"]:not([data-kind="event"])').count()).toBe(0);
});

test("the page Connect shows the guide of this start, and is not there without one", async () => {
  const lines = ["ask billing: 100 EUR to Acme", "claude mcp add … <token>"];
  const slack = await startDevSlack({ guide: () => [{ title: "Try next", text: "Write to Crosszone:", lines }] });
  onTestFinished(() => slack.close());
  const page = await open(slack.url, { width: 390, height: 844 });
  await page.getByTestId("connect-tab").click();
  for (const line of ["Try next", ...lines]) await page.getByTestId("guide").getByText(line, { exact: true }).waitFor();
  await look(page, "connect");
  const without = await open((await startCrosszone()).slack.url);
  await without.getByTestId("example").first().waitFor();
  expect(await without.getByTestId("connect-tab").isVisible()).toBe(false);
});

test("Q16: the root of execution looks right in light and dark, on a narrow page too", async () => {
  const { url } = await startWithAgents({ env: { ADMIN_TOKENS: adminToken } });
  const page = await open(url, { width: 390, height: 844 });
  await look(page, "root");
  expect(await page.getByRole("link", { name: "Console" }).getAttribute("href")).toBe("/console");
});

test("an answer is text: its markup never becomes part of the page", async () => {
  const evil = '<img src=x onerror="document.title=1"> <script>document.title=1</script> [x](javascript:alert(1))';
  const zones = await startCrosszone({
    agents: [{ name: "evil", description: "", skills: [], run: async () => ({ response_text: evil }) }],
  });
  const page = await open(zones.slack.url);
  await write(page, evil);
  await page.getByTestId("thread-message").nth(1).filter({ hasText: "onerror" }).waitFor();
  expect(await page.locator("img[src=x], a[href^='javascript']").count()).toBe(0);
  expect(await page.title()).toContain("Local Slack");
});
