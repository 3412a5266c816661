import { onBothEngines } from "@crosszone/testkit/postgres";
import { databaseEnv } from "@crosszone/testkit/process";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { adminToken } from "../harness/runs-api.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";
import { lookEverywhere, useBrowser } from "./use-browser.ts";

const open = useBrowser();

/** Pastes a text into the box that finds, and presses Enter. */
async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press("/");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
  await page.keyboard.press("Enter");
}

const stage = (page: Page, name: string) => page.locator(`.waterfall tr[data-stage="${name}"]`);
const referenceOf = (page: Page): string => decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1) ?? "");

onBothEngines("the console's tab Find", (newDatabase) => {
  test("B1: each message is found by link, by person and time, and by reference, with the story that the logs tell", async () => {
    const zones = await startWithAgents({
      env: { ...databaseEnv(await newDatabase()), AGENT_ORIGINS: "http://127.0.0.1:*" },
    });
    const once = { max_retries: 0, base_ms: 100, max_ms: 100 };
    await zones.api.post("/agents", { name: "gone", url: "http://127.0.0.1:1", protocol: "simple-a2a", retry: once });
    const { slack, write, answerTo } = zones;
    const answered = write({ text: "ask proofreader: it is is" });
    await answerTo(answered, 30_000);
    const failed = write({ user: "chiyo", text: "ask gone: hello" });
    await answerTo(failed, 30_000);
    const denied = write({ user: "gus", text: "what is the secret plan?" });
    const waiting = write({ user: "bob", text: "run send-invoice: 100 EUR to Acme" });

    const cases = [
      {
        message: answered,
        person: "Alice",
        words: "Answered",
        stages: ["Slack", "Policy", "Asked proofreader", "Agent proofreader", "Posted"],
        events: ["event_accepted", "task_ended", "answer_posted"],
      },
      {
        message: failed,
        person: "Chiyo",
        words: "Failed",
        stages: ["Slack", "Policy", "Asked gone", "Agent gone", "Posted"],
        events: ["event_accepted", "task_ended", "answer_posted"],
      },
      { message: denied, person: "Gus", words: "Denied", stages: ["Slack", "Policy"], events: [] },
      {
        message: waiting,
        person: "Bob",
        words: "Waiting for people",
        stages: ["Slack", "Policy", "Asked send-invoice", "Step approve", "People"],
        events: ["event_accepted"],
      },
    ];
    const page = await open(`${zones.url}/console#token=${adminToken}`);
    await page.locator("tbody tr").nth(3).waitFor({ timeout: 30_000 });
    const seen = new Set<string>();
    const isMessage = ({ pathname }: URL): boolean => pathname.startsWith("/console/messages/") && !seen.has(pathname);
    for (const { message, person, words, stages, events } of cases) {
      await find(page, `${slack.url}/archives/${message.channel}/p${message.ts.replace(".", "")}`);
      await page.waitForURL(isMessage);
      await page.locator("header .state").getByText(words, { exact: true }).waitFor();
      for (const name of stages) await stage(page, name).waitFor();
      const reference = referenceOf(page);
      await lookEverywhere(page, `console-message-${words.toLowerCase().replaceAll(" ", "-")}`);
      seen.add(new URL(page.url()).pathname);
      const lines = zones.log.filter((line) => line["correlation_id"] === reference);
      expect(lines.length).toBeGreaterThan(0);
      for (const event of events) expect(lines.map((line) => line.event)).toContain(event);
    }
  }, 120_000);
});
