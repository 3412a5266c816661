import type { IncomingMessage, ServerResponse } from "node:http";
import { text as textOf } from "node:stream/consumers";
import { LLMock } from "@copilotkit/aimock";
import type { UsageReport } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { databaseEnv } from "@crosszone/testkit/process";
import { serve } from "@crosszone/testkit/temporary";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { adminToken } from "../harness/runs-api.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";
import { lookEverywhere, useBrowser } from "./use-browser.ts";

const open = useBrowser();
const consoleOf = (url: string, path: string): string => `${url}/console${path}#token=${adminToken}`;
const row = (page: Page, text: string) => page.locator("tr").filter({ hasText: text });

onBothEngines("the console's usage", (newDatabase) => {
  test("O6, U3: the budget that the console shows is the one that rejects: who is at the limit gets no call, who is below does", async () => {
    const model = await LLMock.create({ port: 0 });
    onTestFinished(() => model.stop());
    model.on({ userMessage: /everything/ }, { content: "All.", usage: { input_tokens: 1_000, output_tokens: 19_000 } });
    model.on({}, { content: "Little.", usage: { input_tokens: 900, output_tokens: 100 } });
    const zones = await startWithAgents({
      env: {
        ...databaseEnv(await newDatabase()),
        ANTHROPIC_API_KEY: "key-of-the-mock",
        ANTHROPIC_BASE_URL: `${model.url}/v1`,
        BUDGETS: "person/day=20000tokens",
      },
    });
    const ask = async (user: string, text: string) => (await zones.answerTo(zones.write({ user, text }))).text;
    expect(await ask("alice", "Tell me everything.")).toContain("All.");
    expect(await ask("bob", "Tell me a little.")).toContain("Little.");

    // Verification reports the names with the messages.
    const named = () =>
      zones.api.get("/usage?by=person").then((report) => Object.keys((report as UsageReport).names ?? {}));
    await expect.poll(named, { timeout: 30_000 }).toEqual(expect.arrayContaining(["U0ALICE0001", "U0BOB000001"]));
    const page = await open(consoleOf(zones.url, "/usage"));
    const [alice, bob] = ["Alice Berger", "Bob Carter"].map((name) =>
      page.locator("#budgets ~ table tr").filter({ hasText: name }),
    );
    await alice?.getByText("20,000 of 20,000 tokens").waitFor();
    expect(await alice?.innerText()).toContain("Used up");
    expect(await bob?.innerText()).toContain("1,000 of 20,000 tokens");
    expect(await bob?.innerText()).toContain("Has room");
    await lookEverywhere(page, "console-usage");

    expect(await ask("alice", "And now?")).toContain("has no room for this");
    expect(await ask("bob", "And now?")).toContain("Little.");
    expect(zones.log.filter(({ event }) => event === "model_call_refused")).toHaveLength(1);
    await page.reload();
    await page.locator("#budgets ~ table tr").filter({ hasText: "2,000 of 20,000 tokens" }).waitFor();
    expect(await alice?.innerText()).toContain("20,000 of 20,000 tokens");

    await page.getByRole("combobox", { name: "By" }).selectOption("model");
    await row(page, "anthropic/").getByText("22,000", { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe("?by=model&period=month");
    await page.getByRole("combobox", { name: "By" }).selectOption("person");
    for (const [period, days] of Object.entries({ quarter: 89, day: 0 })) {
      const daysOf = (url: string): number =>
        Math.floor((Date.now() - Date.parse(new URL(url).searchParams.get("since") ?? "")) / 86_400_000);
      const asking = page.waitForRequest((request) => daysOf(request.url()) === days);
      await page.getByLabel("Period").selectOption(period);
      await asking;
    }
    await page.locator("#groups ~ table").getByRole("link", { name: "Bob Carter" }).click();
    await page.waitForURL(/\/console\?find=U0BOB000001$/);
  });
});

test("O6: the console shows which agents fail and who waits, tests one with a click, and disables it", async () => {
  const zones = await startWithAgents({ env: { AGENT_ORIGINS: "http://127.0.0.1:*" } });
  const silent = await serve(({ method }, response) => void (method === "POST" || response.writeHead(404).end()));
  const once = { max_retries: 0, base_ms: 100, max_ms: 100 };
  const add = (name: string, url: string, more: object = {}) =>
    zones.api.post("/agents", { name, url, description: `The agent ${name}`, protocol: "simple-a2a", ...more });
  await add("gone", "http://127.0.0.1:1", { retry: once, breaker: { failures: 1, open_ms: 60_000 } });
  await add("silent", silent);
  await zones.answerTo(zones.write({ text: "ask gone: hello" }));
  expect(await zones.ask("proofreader", "it is is")).toContain("twice");
  zones.write({ user: "bob", text: "ask silent: hello" });

  const page = await open(consoleOf(zones.url, "/agents"));
  await row(page, "silent").getByText("1 wait, oldest").waitFor({ timeout: 30_000 });
  expect(await row(page, "gone").innerText()).toMatch(/Circuit open[^]*1 call, 1 failed[^]*unreachable/);
  expect(await row(page, "proofreader").innerText()).toContain("Answers");
  await lookEverywhere(page, "console-agents");

  await page.getByLabel("Waiting").selectOption("true");
  await row(page, "gone").waitFor({ state: "detached" });
  await page.locator(".row-link").first().press("Enter");
  await page.getByRole("heading", { name: "silent" }).waitFor();
  await page.getByRole("heading", { name: "Who waits" }).waitFor();
  expect(await page.locator('a[href^="/console/messages/"]').count()).toBe(1);

  await page.goto(consoleOf(zones.url, "/agents/proofreader"));
  await page.getByRole("button", { name: "Test" }).click();
  await page.getByRole("region", { name: "Test" }).getByText("Answered").waitFor();
  await lookEverywhere(page, "console-agent");
  // An agent of the file is changed there.
  expect(await page.getByRole("button", { name: "Disable…" }).count()).toBe(0);

  await page.goto(consoleOf(zones.url, "/agents/gone"));
  await page.getByRole("button", { name: "Test" }).click();
  await page.getByRole("region", { name: "Test" }).getByText("Failed").waitFor();
  await page.getByRole("button", { name: "Disable…" }).click();
  await page.getByRole("button", { name: "Disable agent" }).click();
  await page.locator(".state").getByText("Off").waitFor();
  await page.getByRole("link", { name: "Changes in the audit log" }).click();
  await page.locator("tbody tr").filter({ hasText: "Agent disabled" }).waitFor();
});

test("Q17: three acts lead from the first screen to the step of a workflow whose agent fails, and a question back is no failure", async () => {
  const zones = await startWithAgents({ env: { AGENT_ORIGINS: "http://127.0.0.1:*" } });
  const status = {
    state: "input-required",
    message: { role: "agent", messageId: "m", parts: [{ kind: "text", text: "Which?" }] },
  };
  const result = { kind: "task", id: "r", contextId: "c", status };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { id } = JSON.parse(await textOf(request)) as { readonly id: string };
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  };
  const asking = await serve((request, response) =>
    request.method === "GET" ? response.writeHead(404).end() : answer(request, response),
  );
  const settings = {
    protocol: "jsonrpc-2.0",
    retry: { max_retries: 1, base_ms: 100, max_ms: 100 },
    breaker: { failures: 99, open_ms: 100 },
  };
  await zones.api.post("/agents", { name: "gone", url: "http://127.0.0.1:1", ...settings });
  await zones.api.post("/agents", { name: "asking", url: asking, ...settings });
  const fetchIt = {
    id: "fetch",
    type: "agent",
    agent_name: "gone",
    input_mapping: { text: "hi" },
    next_step: null,
  } as const;
  const nightly = { workflow_id: "nightly", name: "Nightly", version: "1", start_step: "fetch" };
  await zones.api.create({ ...nightly, steps: { fetch: fetchIt } });
  for (let n = 0; n < 3; n += 1) await zones.api.ended(await zones.api.start("nightly", {}));
  expect((await zones.answerTo(zones.write({ text: "ask asking: hello" }))).text).toContain("Which?");
  expect(zones.log.filter(({ event }) => event === "agent_call_failed")).toHaveLength(3);

  const page = await open(consoleOf(zones.url, ""));
  await page.getByRole("link", { name: "Agents", exact: true }).click();
  await row(page, "gone").getByText("3 calls, 6 attempts, 3 failed").waitFor();
  expect(await row(page, "asking").innerText()).toMatch(/Answers[^]*1 call, 1 asked back[^]*No failure in a day/);
  await row(page, "gone").locator(".row-link").click();
  const failed = page.locator("#failed-title ~ table tbody tr");
  await failed.nth(2).waitFor();
  expect(await failed.first().innerText()).toMatch(/unreachable[^]*nightly, step fetch[^]*2 attempts/);
  await lookEverywhere(page, "console-failed-calls");
  await failed.first().locator(".row-link").click();
  await page.waitForURL(/\/console\/runs\/[^#]+#step=fetch$/);
  await page.getByRole("heading", { name: "Nightly" }).waitFor();
});
