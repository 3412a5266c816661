import { createServer } from "node:http";
import { createAdminApi } from "@crosszone/admin-api";
import type { WorkflowDefinition, WorkflowStep, InputRequest } from "@crosszone/contracts";
import { createHttpApp } from "@crosszone/execution";
import { createHealth, createMetrics, listen } from "@crosszone/service-kit";
import { createWorkflowRoutes } from "@crosszone/workflow";
import { newExecutor, startFakeAgents, type FakeAnswer } from "@crosszone/workflow/testing";
import type { Page } from "playwright-core";
import { expect, test, describe, onTestFinished } from "vitest";
import { workflowOf } from "../harness/runs-api.ts";
import { artifact, look, seriousProblems, useBrowser } from "./use-browser.ts";

const open = useBrowser({ expectsRefusals: true });

const agent = (id: string, more: object = {}): WorkflowStep => ({
  id,
  type: "agent",
  agent_name: `${id}-agent`,
  input_mapping: { text: '${workflow.input.text ?? ""}' },
  next_step: null,
  ...more,
});

const workflow = (...steps: WorkflowStep[]) => workflowOf("prepare", steps, { name: "Prepare a text" });

const card = (page: Page, step: string) => page.locator(`.card[data-step="${step}"]`);
const panel = (page: Page) => page.getByRole("complementary", { name: "Details" });
const inState = (page: Page, step: string, state: string) =>
  page.locator(`.card[data-step="${step}"][data-state="${state}"]`).waitFor();

test("the graph of a run updates while it runs: elements are kept, and so is the selection", async () => {
  const gate = Promise.withResolvers<unknown>();
  const zone = await startRunZone(({ agent_name, input_data }) =>
    agent_name === "seal-agent" ? gate.promise : input_data,
  );
  const run = await zone.start(
    workflow(agent("proofread", { title: "Proofread", next_step: "seal" }), agent("seal", { title: "Seal" })),
    { text: "hello" },
  );
  const page = await open(`${zone.url}/console/runs/${run}#token=${zone.token}`);
  await inState(page, "seal", "running");
  await inState(page, "proofread", "succeeded");
  expect(new URL(page.url()).hash).toBe("");
  await page.getByRole("button", { name: "Seal, seal-agent, Running", exact: true }).waitFor();
  await card(page, "seal").click();
  const before = await card(page, "seal").elementHandle();
  gate.resolve({ sealed: "abc123" });
  await inState(page, "seal", "succeeded");
  await panel(page).getByText('"sealed": "abc123"').waitFor();
  expect(await card(page, "seal").getAttribute("aria-pressed")).toBe("true");
  expect(await before?.evaluate((element) => element.isConnected)).toBe(true);
  await page.getByTestId("run-state").getByText("Succeeded").waitFor();
  await page.getByText("Up to date").waitFor();
  expect(await page.getByRole("button", { name: /Cancel|Retry/ }).count()).toBe(0);
  await look(page, "run-live");
});

test("a failed step shows its error, and a retry on the page continues there, in the same graph", async () => {
  let isBroken = true;
  const zone = await startRunZone(({ agent_name, input_data }) => {
    if (agent_name === "seal-agent" && isBroken) throw new Error("page 7 cannot be read");
    return input_data;
  });
  const run = await zone.start(workflow(agent("proofread", { next_step: "seal" }), agent("seal")));
  const page = await open(`${zone.url}/console/runs/${run}#token=${zone.token}`);
  await page.getByRole("button", { name: "Go to seal" }).click();
  await panel(page).getByText("page 7 cannot be read").waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  isBroken = false;
  await page.getByRole("button", { name: "Retry…" }).click();
  await page.getByRole("dialog", { name: "Retry this run?" }).getByRole("button", { name: "Don't retry" }).click();
  expect(await page.getByTestId("run-state").innerText()).toBe("Failed");
  await page.getByRole("button", { name: "Retry…" }).click();
  await page.getByRole("button", { name: "Retry run" }).click();
  await inState(page, "seal", "succeeded");
  await panel(page).getByText("2 attempts").waitFor();
  await panel(page).locator(".attempt").first().getByText("page 7 cannot be read").waitFor();
  expect(await panel(page).locator(".attempt").count()).toBe(2);
});

test("a run is canceled on the page after a confirmation, and is not shown as an error", async () => {
  const zone = await startRunZone(() => new Promise(() => undefined));
  const run = await zone.start(workflow(agent("seal")));
  const page = await open(`${zone.url}/console/runs/${run}#token=${zone.token}`);
  await page.getByRole("button", { name: "Cancel…" }).click();
  expect(await page.locator(":focus").innerText()).toBe("Keep running");
  await page.getByRole("button", { name: "Cancel run" }).click();
  await inState(page, "seal", "canceled");
  // The end of the run arrives before its error: a reload has both.
  await page.reload();
  await page.getByTestId("run-state").getByText("Canceled").waitFor();
  expect(await page.locator(".problem, .row-error").count()).toBe(0);
  await page.goto(`${zone.url}/console/runs`);
  await page.locator(`tr[data-row="${run}"][data-state="canceled"]`).waitFor();
  expect(await page.locator(".problem, .row-error").count()).toBe(0);
});

test("the iterations of a loop are listed, the failed one first, and can be filtered", async () => {
  const zone = await startRunZone(({ input_data }) => {
    if ((input_data as { text: string }).text === "text 7") throw new Error("text 7 is empty");
    return input_data;
  });
  const loop = {
    id: "each",
    type: "loop",
    title: "Each text",
    loop_config: {
      collection: "${workflow.input.texts}",
      loop_body: ["slips"],
      execution_mode: "parallel",
      on_error: "collect",
    },
    next_step: null,
  } as WorkflowStep;
  const texts = Array.from({ length: 12 }, (_, index) => `text ${String(index)}`);
  const run = await zone.start(workflow(loop, agent("slips", { input_mapping: { text: "${item}" } })), { texts });
  const page = await open(`${zone.url}/console/runs/${run}#token=${zone.token}`);
  await page.getByTestId("run-state").getByText("Succeeded").waitFor();
  await page.getByRole("button", { name: "Each text, Loop, Succeeded, 12 of 12 done" }).waitFor();
  await card(page, "slips").click();
  await panel(page).getByText("text 7 is empty").waitFor();
  expect(await panel(page).locator(".instance").count()).toBe(12);
  await panel(page).getByLabel("Filter instances by state").selectOption("failed");
  await panel(page).getByText("1 of 12", { exact: true }).waitFor();
  await panel(page).getByLabel("Filter instances by state").selectOption("");
  await panel(page).getByLabel("Filter instances by path").fill("[11]");
  await panel(page).locator(".instance").click();
  await panel(page).getByText('"text": "text 11"').first().waitFor();
  expect(decodeURIComponent(new URL(page.url()).hash)).toBe("#step=each[11].slips");
});

test("input and output are text: their markup never becomes part of the page, and no character is hidden", async () => {
  const evil = '<img src=x onerror="alert(1)"><script>alert(2)</script></title></svg>\u200B\u{E0041}\u2800\u3164';
  const zone = await startRunZone(({ agent_name }) => {
    if (agent_name === "seal-agent") throw new Error(evil);
    return { [evil]: evil };
  });
  const definition = {
    ...workflow(agent("proofread", { title: evil, next_step: "seal" }), agent("seal", { title: evil })),
    name: evil,
  };
  const run = await zone.start(definition, { text: evil });
  const page = await open(`${zone.url}/console/runs/${run}#token=${zone.token}`);
  await inState(page, "seal", "failed");
  for (const step of ["proofread", "seal"]) {
    await card(page, step).click();
    await panel(page).getByRole("heading", { name: "Input" }).waitFor();
    const shown = await panel(page).innerText();
    expect(shown).toContain("onerror");
    expect(shown).toContain(String.raw`\u200b\udb40\udc41\u2800\u3164`);
    expect(shown).not.toMatch(/[\p{Default_Ignorable_Code_Point}\u2800]/u);
  }
  expect(await page.locator("img, main script").count()).toBe(0);
  await page.goto(`${zone.url}/console/runs`);
  await page.locator(`tr[data-row="${run}"]`).waitFor();
  expect(await page.locator("img, main script").count()).toBe(0);
});

test("the page asks for a missing token, reports a wrong one, and keeps a valid one in its tab", async () => {
  const zone = await startRunZone(() => ({}));
  const page = await open(`${zone.url}/console/runs`);
  // The second one has quotes that headers cannot have.
  for (const wrong of ["not-the-token", `\u201c${zone.token}\u201d`]) {
    await page.getByLabel("Token").fill(wrong);
    await page.getByLabel("Token").press("Enter");
    await page.getByText("This token is not valid").waitFor();
    await page.reload();
  }
  await page.getByLabel("Token").fill(zone.token);
  await page.getByRole("button", { name: "Open the console" }).click();
  await page.getByText("No runs yet").waitFor();
  const run = await zone.start(workflow(agent("seal")));
  await page.locator(`tr[data-row="${run}"]`).getByRole("link", { name: "Prepare a text" }).click();
  await inState(page, "seal", "succeeded");
  expect(await page.evaluate("[localStorage.length, document.cookie]")).toEqual([0, ""]);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Token").waitFor();
});

test("if the API is off, the page says what to set; for an unknown run it says so", async () => {
  const off = await startRunZone(() => ({}), []);
  const page = await open(`${off.url}/console/runs`);
  await page.getByText("Set ADMIN_TOKENS").waitFor();
  expect(await page.getByLabel("Token").count()).toBe(0);
  const zone = await startRunZone(() => ({}));
  await page.goto(`${zone.url}/console/runs/nowhere#token=${zone.token}`);
  await page.getByRole("heading", { name: "Run not found" }).waitFor();
});

test("a step can be found, read and left by keyboard, and a list is filtered by its URL", async () => {
  const zone = await startRunZone(({ input_data }) => input_data);
  const run = await zone.start(workflow(agent("proofread", { next_step: "seal" }), agent("seal")), { text: "by keys" });
  const page = await open(`${zone.url}/console/runs/${run}#token=${zone.token}`);
  await inState(page, "seal", "succeeded");
  await card(page, "proofread").focus();
  await page.keyboard.press("ArrowDown");
  expect(await page.locator(":focus").getAttribute("data-step")).toBe("seal");
  await page.keyboard.press("Enter");
  await panel(page).getByRole("heading", { name: "seal" }).waitFor();
  await panel(page).getByText('"text": "by keys"').first().waitFor();
  await page.keyboard.press("Escape");
  await panel(page).getByRole("heading", { name: "The whole run" }).waitFor();
  await page.goto(`${zone.url}/console/runs?state=failed`);
  await page.getByText("Nothing matches the filter.").waitFor();
  await page.getByRole("search").getByLabel("State").selectOption("succeeded");
  await page.locator(`tr[data-row="${run}"]`).waitFor();
  expect(new URL(page.url()).search).toBe("?state=succeeded");
});

test("a page that loses its server says so, and catches up when it is back", async () => {
  const gate = Promise.withResolvers<unknown>();
  const zone = await startRunZone(() => gate.promise);
  const run = await zone.start(workflow(agent("seal")));
  const page = await open(`${zone.url}/console/runs/${run}#token=${zone.token}`);
  await page.getByText("Live", { exact: true }).waitFor();
  const comeBack = await zone.cutOff();
  await page.getByText("Reconnecting…").waitFor();
  gate.resolve({});
  await comeBack();
  await inState(page, "seal", "succeeded");
  expect(await page.getByText("Reconnecting…").count()).toBe(0);
});

test("if the token is revoked, the page asks for one at the next change, and sends no requests until then", async () => {
  const gates = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()];
  const zone = await startRunZone(({ agent_name }) => gates[agent_name === "proofread-agent" ? 0 : 1]?.promise);
  const run = await zone.start(workflow(agent("proofread", { next_step: "seal" }), agent("seal")));
  const page = await open("about:blank");
  await page.clock.install();
  await page.goto(`${zone.url}/console/runs/${run}#token=${zone.token}`);
  await page.getByText("Live", { exact: true }).waitFor();
  zone.replaceTokens(["another-token-of-thirty-two-letters"]);
  gates[0]?.resolve({});
  await page.getByLabel("Token").waitFor();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.getByLabel("Token").fill("half a tok");
  gates[1]?.resolve({});
  await page.clock.runFor(60_000);
  expect(asked).toEqual([]);
  expect(await page.getByLabel("Token").inputValue()).toBe("half a tok");
});

test("a token in the URL of an open tab is removed at once, and the rest of the URL stays", async () => {
  const zone = await startRunZone(({ input_data }) => input_data);
  const run = await zone.start(workflow(agent("proofread", { next_step: "seal" }), agent("seal")));
  const page = await open(`${zone.url}/console/runs/${run}`);
  await page.getByLabel("Token").waitFor();
  await page.goto(`${zone.url}/console/runs/${run}#token=${zone.token}&step=seal`);
  await panel(page).getByRole("heading", { name: "seal" }).waitFor();
  expect(new URL(page.url()).hash).toBe("#step=seal");
  await page.goto(`${zone.url}/console/runs/${run}#step=proofread`);
  await panel(page).getByRole("heading", { name: "proofread" }).waitFor();
});

/** Runs in the page: finds controls without a name, duplicate ids, the number of main headings, and whether it is wider than the screen. */
const faultsOfPage = `
  const used = [...document.querySelectorAll("a, button, input, select, [role=button]")].filter((element) => element.checkVisibility());
  const named = (element) => element.getAttribute("aria-label") || element.textContent.trim() || element.labels?.[0]?.textContent;
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  const unnamed = used.filter((element) => !named(element)).map(({ outerHTML }) => outerHTML);
  [...unnamed, ...twice, document.querySelectorAll("h1").length, document.documentElement.scrollWidth > innerWidth];
`;

/** Runs in the page: finds titles that are wider than their cards. */
const titlesTooWide = `
  const right = (card, part) => card.querySelector(part).getBoundingClientRect().right;
  [...document.querySelectorAll(".card")].filter((card) => right(card, ".card-title") > right(card, ".card-face") - 8).length;
`;

test("a title of wide letters stays on its card, every control has a name, ids are unique, and nothing is wider than a small phone", async () => {
  const zone = await startRunZone(() => {
    throw new Error("nobody can read this");
  });
  const title = "WEIGH MANY WORDS 👩‍👩‍👧 WITHIN MY MEMORANDUM, MR. WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW";
  const run = await zone.start(workflow(agent("proofread", { title })), { text: "x".repeat(500) });
  const page = await open(`${zone.url}/console/runs/${run}#token=${zone.token}`, { width: 360, height: 700 });
  await page.getByText("Up to date").waitFor();
  expect(await page.evaluate(titlesTooWide)).toBe(0);
  expect(await page.evaluate(faultsOfPage)).toEqual([1, false]);
  await page.getByRole("button", { name: `Go to ${title}` }).click();
  await panel(page).getByRole("heading", { name: title }).waitFor();
  await panel(page).getByRole("heading", { name: "Input" }).waitFor();
  expect(await page.evaluate(faultsOfPage)).toEqual([1, false]);
});

const asked: InputRequest = {
  request_id: "inp_3f2a5c6d7e8f9012",
  run_id: "r",
  step_id: "approve",
  kind: "approve",
  state: "open",
  version: 2,
  seq: 7,
  title: 'Send <img src=x onerror="alert(1)">\u3164 to Acme?',
  decide: { people: ["U1"], groups: ["S1"], requester: false, approve: 2, deny: 1 },
  visibility: "thread",
  agent: "prepare",
  requester: "U9",
  channel: "C1",
  thread_ts: "1764000000.000100",
  created_at: new Date(Date.now() - 120_000).toISOString(),
  expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  votes: [{ user_id: "U1", verdict: "approve", via: "slack", at: new Date().toISOString(), reason: "seen" }],
};

test("a run shows what it waits for and for whom, and after Withdraw the receipt, in both color schemes", async () => {
  const zone = await startRunZone(() => ({}));
  const run = await zone.start(
    workflow({ id: "approve", type: "human", title: "Approve", input: "approve", prompt: "Send?", next_step: null }),
  );
  const page = await open("about:blank");
  let request = asked;
  await page.route("**/api/v1/input-requests**", async (route) => {
    const isWithdraw = route.request().method() === "POST";
    if (isWithdraw)
      request = {
        ...asked,
        state: "withdrawn",
        closed_because: "An admin withdrew it.",
        decided_at: new Date().toISOString(),
      };
    await route.fulfill({ json: isWithdraw ? request : { input_requests: [request] } });
  });
  await page.goto(`${zone.url}/console/runs/${run}#token=${zone.token}`);
  const box = page.locator(".run-header .inputs");
  await box
    .getByText("Only U1 or members of S1 can decide this, in Slack. 2 approvals are needed. You are bootstrap.")
    .waitFor();
  await box.getByText(/approved in Slack on .*: seen/).waitFor();
  await page.getByTestId("run-state").getByText("Waiting for people").waitFor();
  await card(page, "approve").click();
  await panel(page)
    .getByRole("article", { name: asked.title.replace("\u3164", ""), exact: true })
    .waitFor();
  expect(await page.locator("img").count()).toBe(0);
  expect(await box.innerText()).not.toContain("\u3164");
  await look(page, "run-waits");
  await box.getByRole("button", { name: "Withdraw…" }).press("Enter");
  expect(await page.locator(":focus").innerText()).toBe("Keep waiting");
  await page.getByRole("button", { name: "Withdraw request" }).click();
  await panel(page).getByText("An admin withdrew it.").waitFor();
  expect(await page.getByRole("button", { name: "Withdraw…" }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await panel(page).getByRole("region", { name: "What people said" }).getByText("Withdrawn", { exact: true }).waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
  await page.screenshot({ path: artifact("run-decided.png") });
});

describe("a run that fails", () => {
  const openStrictly = useBrowser();
  const failing = workflow(agent("seal", { input_mapping: { text: "a text" } }));

  test("a run that fails again after a retry shows one error, every attempt, and the time of its last attempt only", async () => {
    const zone = await startRunZone(() => {
      throw new Error("The agent is suspended for now. Try again in 3600 s.");
    });
    const run = await zone.start(failing);
    const page = await openStrictly(`${zone.url}/console/runs/${run}#token=${zone.token}`);
    const header = page.locator(".run-header");
    await header.getByText("suspended for now").waitFor();
    await page.getByRole("button", { name: "Retry…" }).click();
    await page.getByRole("button", { name: "Retry run" }).click();
    await header.getByText("Attempt").waitFor();
    await page.getByTestId("run-state").getByText("Failed").waitFor();
    const text = await header.innerText();
    expect(text).not.toContain("The run continues");
    expect(text).not.toContain("Retryable");
    expect(text).toMatch(/Try again at \d+:\d+:\d+/);
    expect(await header.getByText("Took").locator("..").innerText()).toMatch(/\d ms$/);
    await page.getByRole("button", { name: "Go to seal" }).click();
    await panel(page).locator(".attempt").nth(1).waitFor();
    expect(await panel(page).locator(".attempt").getByText("suspended for now").count()).toBe(2);
    await page.screenshot({ path: artifact("failed-again.png") });
  });

  test("a run that a retry can't fix offers no retry, and says what to do instead", async () => {
    const zone = await startRunZone(({ input_data }) => input_data);
    const run = await zone.start({ ...failing, output_mapping: "${seal.output.response}" });
    const page = await openStrictly(`${zone.url}/console/runs/${run}#token=${zone.token}`);
    await page.getByText("`seal.output` has no field `response`. It has: text.").waitFor();
    await page.getByText("A retry would fail the same way.").waitFor();
    expect(await page.getByRole("button", { name: /Retry/ }).count()).toBe(0);
    await page.screenshot({ path: artifact("no-retry.png") });
  });
});

/** Starts the API and the run page of an execution zone on real runs. `answer` replaces the bridge and all agents. Ends with the test. */
async function startRunZone(
  answer: FakeAnswer,
  firstTokens: readonly string[] = ["admin-token-of-thirty-two-letters"],
) {
  let tokens = firstTokens;
  const executor = await newExecutor("sqlite::memory:");
  const { workflows } = executor;
  await startFakeAgents(executor, answer);
  workflows.start();
  const stopping = new AbortController();
  const api = createAdminApi({
    parts: [createWorkflowRoutes({ workflows })],
    tokens: () => tokens,
    stopping: stopping.signal,
    limit: { perMinute: 6_000, burst: 1_000 },
  });
  const server = createServer(
    createHttpApp({ api, health: createHealth(), metrics: createMetrics(), emit: () => undefined }),
  );
  const { port, url } = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    stopping.abort();
    server.closeAllConnections();
    server.close();
    await executor.close();
  });
  return {
    url,
    /** An admin token. */
    token: tokens[0] ?? "",
    /** Stores a definition, starts a run of it, and resolves with the run's id. */
    start: async (definition: WorkflowDefinition, input: unknown = {}) => {
      await workflows.createVersion(definition);
      const started = await workflows.startRun({ workflow_id: definition.workflow_id, input });
      if (started.outcome !== "started") throw new Error(JSON.stringify(started));
      return started.run.run_id;
    },
    /** Replaces all tokens. */
    replaceTokens: (others: readonly string[]) => {
      tokens = others;
    },
    /** Closes all connections and refuses new ones until the returned function is called. */
    cutOff: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      return async () => void (await listen(server, { host: "127.0.0.1", port }));
    },
  };
}
