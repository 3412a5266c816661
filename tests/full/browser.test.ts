import { tune } from "@crosszone/testkit/tune";
import { expect, test } from "vitest";
import { startCrosszone } from "../harness/start-crosszone.ts";
import { startWithAgents } from "../harness/start-with-agents.ts";
import { artifact, useBrowser, write } from "./use-browser.ts";

const open = useBrowser();

test("a person types a message in the browser and reads the answer in its thread", async () => {
  const zones = await startCrosszone();
  const page = await open(zones.slack.url);
  await write(page, "what is 12% of 340 in words?");
  const answer = page.getByTestId("thread-pane").getByTestId("thread-message").filter({ hasText: "forty" });
  await answer.waitFor();
  expect(await page.getByTestId("thread-message").count()).toBe(2);
  await page.screenshot({ path: artifact("answer.png") });
});

test("what a person types after an answer continues its thread, and does not start a conversation without memory", async () => {
  const zones = await startCrosszone();
  const page = await open(zones.slack.url);
  await page.getByTestId("composer").click();
  await page.keyboard.type("2+2 in words?\n");
  await page.getByTestId("thread-message").filter({ hasText: "four" }).waitFor();
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

test("a person attaches a CSV in the browser, asks for its statistics, and reads the figures", async () => {
  const zones = await startCrosszone();
  const page = await open(zones.slack.url);
  const buffer = Buffer.from("name,age\nAda,36\nAlan,41\n");
  await page.getByTestId("attach").setInputFiles({ name: "ages.csv", mimeType: "text/csv", buffer });
  await page.getByText("ages.csv").first().waitFor();
  await write(page, "text statistics");
  const answer = page.getByTestId("thread-message").filter({ hasText: "Distinct words" });
  await answer.waitFor();
  expect(await answer.innerText()).toContain("Words\t6");
});

test("R3.1: a person asks the sample agents in the browser, and reads what each of them answers", async () => {
  const zones = await startWithAgents();
  const page = await open(zones.slack.url);
  for (const [question, answer] of [
    ["ask proofreader: This is is a test .", "twice in a row"],
    ["ask keywords: the agent asks the other agent", "agent, 2 times"],
    ["ask fingerprint: abc", "ba7816bf8f01cfea"],
  ] as const) {
    await write(page, question);
    await page.getByTestId("thread-pane").getByTestId("thread-message").filter({ hasText: answer }).waitFor();
  }
  expect(await page.getByTestId("thread-message").count()).toBe(2);
  await page.screenshot({ path: artifact("sample-agents.png") });
});

test("a longer task shows its placeholder, and Stop stops it", async () => {
  const zones = await startCrosszone({ limits: { syncWindowMs: 100 } });
  const page = await open(zones.slack.url);
  await write(page, "slow 60");
  await page.getByTestId("thread-message").filter({ hasText: "Working on it" }).waitFor();
  await page.getByTestId("stop").first().click();
  // Slack marks the stream "Stopped" at once. "Stopped." is the zone's answer, and Slack shows Stop until the zone has ended the session.
  await page.getByTestId("thread-message").filter({ hasText: "Stopped." }).waitFor();
  await page.getByTestId("stop").waitFor({ state: "hidden" });
  expect(await page.getByTestId("stop").isVisible()).toBe(false);
});

test("the traffic tab shows the event, its verdict and the zone link's messages, but no secret", async () => {
  const zones = await startCrosszone();
  const page = await open(zones.slack.url);
  await write(page, "2+2");
  await page.getByTestId("thread-message").filter({ hasText: "4" }).first().waitFor();
  await page.getByTestId("traffic-tab").click();
  const row = page.getByTestId("traffic-row").filter({ hasText: "execute_task" }).first();
  await row.click();
  await page.getByText('"jsonrpc"').first().waitFor();
  await page.screenshot({ path: artifact("traffic.png") });
  const shown = await page.content();
  for (const secret of [zones.slack.botToken, zones.slack.signingSecret]) expect(shown).not.toContain(secret);
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
