import { startDevSlack, type DevSlack } from "@crosszone/dev-slack";
import { WebClient } from "@slack/web-api";
import { expect, onTestFinished, test } from "vitest";
import { artifact, useBrowser } from "./use-browser.ts";

const openPage = useBrowser();

async function localSlack(): Promise<{ slack: DevSlack; client: WebClient }> {
  const slack = await startDevSlack();
  onTestFinished(() => slack.close());
  return { slack, client: new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl }) };
}

/** Asks a question as Alice. Returns the arguments that stream its answer. */
function asked(slack: DevSlack): { channel: string; thread_ts: string } {
  const { channel, ts: thread_ts } = slack.control.postMessage({ channel: "dm", text: "How many people work here?" });
  return { channel, thread_ts };
}

test("a person watches an answer grow with its tasks, and reads it completely", async () => {
  const { slack, client } = await localSlack();
  const { channel, thread_ts } = asked(slack);
  const page = await openPage(`${slack.url}/#/${channel}/${thread_ts}`);
  const answer = page.getByTestId("thread-message").nth(1);
  const task = { type: "task_update", id: "t1", title: "Read people.csv", status: "in_progress" } as const;
  const { ts = "" } = await client.chat.startStream({ channel, thread_ts, chunks: [task] });
  await expect.poll(() => answer.getAttribute("data-stream")).toBe("in_progress");
  expect(await answer.getByTestId("task").getAttribute("data-status")).toBe("in_progress");
  const sources = [{ type: "url", text: "Handbook", url: "https://example.com/handbook" }] as const;
  await client.chat.appendStream({
    channel,
    ts,
    chunks: [
      { ...task, status: "complete", details: "3 columns", output: "42 rows", sources: [...sources] },
      { ...task, id: "t2", title: "Ask the archive", status: "error", output: "The archive is closed." },
      { ...task, id: "t3", title: "Check the sum", status: "pending" },
      { type: "markdown_text", text: "There are **42 peo" },
    ],
  });
  await answer.getByText("42 peo").waitFor();
  await page.screenshot({ path: artifact("stream-light.png") });
  await page.getByTestId("theme-switch").click();
  await page.screenshot({ path: artifact("stream-dark.png") });
  await client.chat.stopStream({ channel, ts, chunks: [{ type: "markdown_text", text: "ple** here." }] });
  await answer.locator("strong", { hasText: "42 people" }).waitFor();
  expect(await answer.getAttribute("data-stream")).toBe("completed");
  expect(await answer.getByTestId("task").evaluateAll((cards) => cards.map((card) => card.dataset["status"]))).toEqual([
    "complete",
    "error",
    "pending",
  ]);
  expect(await answer.getByRole("link", { name: "Handbook" }).getAttribute("href")).toBe(
    "https://example.com/handbook",
  );
});

test("Stop ends the visible stream, and the app cannot continue it", async () => {
  const { slack, client } = await localSlack();
  const { channel, thread_ts } = asked(slack);
  const page = await openPage(`${slack.url}/#/${channel}/${thread_ts}`);
  const { ts = "" } = await client.chat.startStream({ channel, thread_ts, markdown_text: "One moment" });
  await page.getByTestId("stop").click();
  await page.getByTestId("thread-message").getByText("Stopped", { exact: true }).waitFor();
  await expect(client.chat.appendStream({ channel, ts, markdown_text: "more" })).rejects.toThrow("stopped_by_user");
  await client.agents.sessions.setStatus({ channel_id: channel, thread_ts, status: "active" });
  await expect.poll(() => page.getByTestId("stop").isVisible()).toBe(false);
});

test("a plan, a title, a status and suggested prompts are shown, also after a reload", async () => {
  const { slack, client } = await localSlack();
  const { channel, thread_ts } = asked(slack);
  const thread = { channel_id: channel, thread_ts };
  await client.assistant.threads.setTitle({ ...thread, title: "Head count" });
  const prompts: [{ title: string; message: string }] = [{ title: "And last year?", message: "How many last year?" }];
  await client.assistant.threads.setSuggestedPrompts({ ...thread, title: "Go on with", prompts });
  const stream = { channel, thread_ts, task_display_mode: "plan" };
  const task = { type: "task_update", status: "complete", output: "42 rows" } as const;
  const chunks = [
    { type: "plan_update", title: "Count the people" } as const,
    { ...task, id: "t1", title: "Read people.csv" },
    { ...task, id: "t2", title: "Count the rows" },
  ];
  const { ts = "" } = await client.chat.startStream({ ...stream, chunks });
  await client.chat.stopStream({ channel, ts });
  await client.assistant.threads.setStatus({ ...thread, status: "is checking the sum…" });
  const page = await openPage(`${slack.url}/#/${channel}/${thread_ts}`);
  for (const reload of [false, true]) {
    if (reload) await page.reload();
    // A finished plan is folded.
    await page.getByTestId("plan").getByText("Count the people").click();
    for (const title of ["Read people.csv", "Count the rows"])
      await page.getByTestId("plan").getByText(title).waitFor();
    expect(await page.getByTestId("thread-title").textContent()).toBe("Head count");
    await page.getByText("Crosszone is checking the sum…").last().waitFor();
  }
  await page.screenshot({ path: artifact("plan.png") });
  await page.getByTestId("thread-prompt").click();
  await page.getByTestId("thread-message").getByText("How many last year?").waitFor();
});
