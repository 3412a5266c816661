import { startModernServer } from "@crosszone/assistant/testing/modern-mcp";
import type { InputRequest } from "@crosszone/contracts";
import { tempFile } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { voter } from "../../testing/new-input.ts";
import { anthropic, startModel, startWithModel } from "../../testing/start-with-model.ts";
import { task } from "../../testing/start-zone.ts";

const properties = { where: { type: "string", enum: ["Rome", "Oslo"] }, urgent: { type: "boolean", default: true } };

/** Starts a zone whose model calls a tool that asks where to deploy. */
async function startDeploying() {
  const mock = await startModel();
  mock.on({ userMessage: "deploy", hasToolResult: true }, { content: "It runs in Oslo." });
  mock.on({ userMessage: "deploy" }, { toolCalls: [{ name: "ops_deploy", arguments: { app: "web" } }] });
  const server = await startModernServer({
    tools: [{ name: "deploy", inputSchema: { type: "object", properties: { app: { type: "string" } } } }],
    call: ({ responses }) => {
      if (responses !== undefined)
        return { content: [{ type: "text", text: `deployed ${JSON.stringify(responses)}` }] };
      const requestedSchema = { type: "object" as const, properties, required: ["where"] };
      const params = { mode: "form" as const, message: "Deploy where?", requestedSchema };
      const inputRequests = { go: { method: "elicitation/create" as const, params } };
      return { resultType: "input_required", inputRequests, requestState: "s" } as never;
    },
  });
  const ops = { name: "ops", url: server.url, read_only: true };
  const EXECUTION_FILE = tempFile("execution.yaml", JSON.stringify({ mcp: [ops] }));
  const zone = await startWithModel({ ...anthropic(mock), EXECUTION_FILE });
  return { zone, mock, server };
}

test("a person fills in the form of an MCP server, and the call goes on where it waited", async () => {
  const { zone, mock, server } = await startDeploying();
  const { result } = (await zone.call("execute_task", task({ text: "deploy it", user_id: "U1" }))) as {
    result: { task_id: string; status: string; input_requests: InputRequest[] };
  };
  const [asked] = result.input_requests;
  expect(asked).toMatchObject({ kind: "form", title: "The server ops asks: Deploy where?", agent: "assistant" });
  expect(asked?.schema?.properties["urgent"]).toEqual({ type: "boolean" });
  const by = { ...voter("U1"), team_id: undefined };
  const answer = { verdict: "answer", values: { where: "Oslo", urgent: false } };
  const decided = await zone.call("answer_input", { request_id: asked?.request_id, answer, by });
  expect(decided).toMatchObject({ result: { outcome: "decided" } });
  await expect
    .poll(() => zone.call("get_async_task_result", { task_id: result.task_id, wait_ms: 500 }))
    .toMatchObject({ result: { status: "success", response_text: "It runs in Oslo." } });
  expect(server.calls.map(({ input, requestState }) => [input, requestState])).toEqual([
    [{ app: "web" }, undefined],
    [{ app: "web" }, "s"],
  ]);
  expect(server.calls[1]?.responses).toEqual({ go: { action: "accept", content: { where: "Oslo", urgent: false } } });
  expect(JSON.stringify(mock.getRequests().at(-1)?.body)).toContain("deployed");
});

test("without a requester, a server's question is declined, and the model learns why", async () => {
  const { zone, mock, server } = await startDeploying();
  expect(await zone.call("execute_task", task({ text: "deploy it" }))).toMatchObject({ result: { status: "success" } });
  expect(server.calls[1]?.responses).toEqual({ go: { action: "decline" } });
  expect(JSON.stringify(mock.getRequests().at(-1)?.body)).toContain("has no person to ask");
});
