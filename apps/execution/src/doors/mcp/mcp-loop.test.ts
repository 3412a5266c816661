import { createBadRequest } from "../serve-route.ts";
import { close, createHttpServer, listen } from "@crosszone/service-kit";
import { tempFile } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test } from "vitest";
import { createMcpRoutes } from "./create-mcp-routes.ts";
import { anthropic, startModel, startWithModel } from "../../testing/start-with-model.ts";
import { task } from "../../testing/start-zone.ts";

/** Starts a zone whose assistant has its own zone as an MCP server, and whose model always asks it. */
async function startLoop() {
  const mock = await startModel();
  mock.on({ hasToolResult: true }, { content: "It came back." });
  mock.on({ userMessage: "loop" }, { toolCalls: [{ name: "own_ask_assistant", arguments: { message: "loop" } }] });
  // The zone opens its servers at its start, and is one of them.
  let routes: ReturnType<typeof createMcpRoutes> | undefined;
  const server = createHttpServer((request, response) => void routes?.(request, response, () => response.destroy()), {
    onBadRequest: createBadRequest(() => undefined),
  });
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  const EXECUTION_FILE = tempFile(
    "execution.yaml",
    JSON.stringify({ mcp: [{ name: "own", url: `${url}/mcp`, read_only: true }] }),
  );
  const zone = await startWithModel({ ...anthropic(mock), EXECUTION_FILE });
  const asker = { actor: "token:loop", agents: ["*"], openTasks: 1_000 };
  routes = createMcpRoutes({
    ask: zone.app.ask,
    door: () => ({ auth: () => ({ who: asker }) }),
    emit: () => undefined,
    publicUrl: () => url,
    limits: { maxBytes: 1_000_000, maxDepth: 64, maxWaitMs: 25_000 },
    version: "1.0.0",
    pageKey: new Uint8Array(),
  });
  onTestFinished(async () => void (await close(server, { deadlineMs: 100 })));
  const said = (): string => JSON.stringify(mock.getRequests().map(({ body }) => body));
  const asked = async (): Promise<readonly number[]> => {
    const { tasks } = await zone.app.ask.list(asker, { agent: "assistant" }, { limit: 1_000 });
    return tasks.map(({ ask }) => ask.hops).toSorted((a, b) => a - b);
  };
  return { zone, mock, asker, said, asked };
}

test("X5: a loop over MCP was 101 tasks: it ends after 8 hops, and the model reads why", async () => {
  const { zone, mock, said, asked } = await startLoop();
  expect(await zone.call("execute_task", task({ text: "loop" }))).toMatchObject({
    result: { status: "success", response_text: "It came back." },
  });
  expect(await asked()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(said()).toContain("the question was passed on 8 times: the agents ask each other in a loop");
  expect(mock.getRequests()).toHaveLength(16);
});

test("X5: hops over A2A count over MCP, too", async () => {
  const { zone, asker, said, asked } = await startLoop();
  const { ask } = zone.app;
  const question = { agent: await ask.agent(asker, "assistant"), key: "k", hops: 6 };
  const message = { messageId: "m", parts: [{ text: "loop" }] };
  const by = { asker, surface: "a2a", correlationId: "c" } as const;
  expect(await ask.askAndWait(by, { ...question, message }, { waitMs: 20_000 })).toMatchObject({ state: "success" });
  expect(await asked()).toEqual([6, 7]);
  expect(said()).toContain("passed on 8 times");
});
