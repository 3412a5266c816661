// suite: rest
import { json as readJson } from "node:stream/consumers";
import { type Answer, serve, tempFile } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { startExecutionProcess } from "@crosszone/testkit/process";
import { writeWorkflows } from "../harness/temp-file.ts";
import { adminToken, askingToken, postAs, runsApi } from "../harness/runs-api.ts";

const token = "zone-link-token-of-at-least-32-characters";
const step = { id: "a", type: "agent", agent_name: "echo", input_mapping: "${workflow.input}" } as const;
const echo = { workflow_id: "echo", name: "Echo", version: "1", start_step: "a", steps: { a: step } } as const;

/** An agent that returns the task's text as its output, without reading it. It has no card. */
const agent: Answer = async (request, response) => {
  if (request.method === "GET") return response.writeHead(404).end();
  const asked = await readJson(request);
  const { task_id, input } = asked as { readonly task_id: string; readonly input: { readonly text: string } };
  return response.end(`{"task_id":"${task_id}","status":"success","output":{"value":${input.text}}}`);
};

test("O1: a number or a duplicate changed on its way into the zone, whatever the entrance", async () => {
  const agentUrl = await serve(agent);
  const agents = `agents: [{name: echo, url: "${agentUrl}", protocol: simple-a2a}]`;
  const env = {
    EXECUTION_TOKEN: token,
    ASK_PORT: "0",
    ADMIN_TOKENS: adminToken,
    EXECUTION_FILE: tempFile("execution.yaml", `${agents}\nprograms: {askers: [{token: ci, agents: [builtin]}]}`),
    AGENT_ORIGINS: agentUrl,
    WORKFLOWS_DIR: writeWorkflows(echo),
  };
  const zone = await startExecutionProcess(env);
  const ask = await zone.askUrl();
  const post = async (url: string, bearer: string, body: string) => {
    const { status, json } = await postAs(bearer)(url, body);
    return { status, body: json<Readonly<Record<string, unknown>>>() };
  };
  const program = await askingToken(zone.url);

  const rpc = (method: string, params: string): string =>
    `{"jsonrpc":"2.0","id":"7a1f3c52-8f0e-4f57-9a55-0f3c1d2e4b6a","method":"${method}","params":${params}}`;
  const message = (data: string): string =>
    `{"message":{"messageId":"1","role":"user","kind":"message","parts":[{"kind":"data","data":${data}}]}}`;
  const entrances: Readonly<Record<string, (sent: string) => ReturnType<typeof post>>> = {
    api: (sent) => post(`${zone.url}/api/v1/runs`, adminToken, `{"workflow_id":"echo","input":${sent}}`),
    validate: (sent) => post(`${zone.url}/api/v1/workflows/validate`, adminToken, sent),
    link: (sent) => post(`${zone.url}/rpc`, token, rpc("execute_task", `{"channel":"C1","extra":${sent}}`)),
    a2a: (sent) => post(`${ask}/a2a/builtin`, program, rpc("message/send", message(sent))),
    mcp: (sent) => post(`${ask}/mcp`, program, rpc("tools/call", `{"name":"ask_builtin","arguments":${sent}}`)),
  };
  const answered = async (text: string): Promise<readonly (readonly [string, number, string])[]> => {
    const rows = Object.entries(entrances).map(async ([name, send]) => {
      const { status, body } = await send(text);
      return [name, status, JSON.stringify(body)] as const;
    });
    return Promise.all(rows);
  };
  const number = (start: string): unknown =>
    expect.stringMatching(`${start}.*12345678901234567890, which would become 12345678901234567000`);
  expect(await answered('{"text":12345678901234567890}')).toEqual([
    ["api", 422, number("/input/text")],
    ["validate", 422, number("/text")],
    ["link", 200, number('-32602.*"/extra/text"')],
    ["a2a", 200, number("-32602.*/params/message/parts/0/data/text")],
    ["mcp", 200, number("-32602.*/params/arguments/text")],
  ]);
  const duplicate = (start: string): unknown => expect.stringMatching(`${start}.*is there twice: keep one`);
  expect(await answered('{"text":"x","text":"y"}')).toEqual([
    ["api", 400, duplicate("/input/text")],
    ["validate", 400, duplicate("/text")],
    ["link", 200, duplicate('-32602.*"/extra/text"')],
    ["a2a", 200, duplicate("-32602.*/params/message/parts/0/data/text")],
    ["mcp", 200, duplicate("-32602.*/params/arguments/text")],
  ]);

  const { start, ended } = runsApi(zone.url);
  const run = async (text: string) => ended(await start("echo", { text }));
  expect(await run("0.10")).toMatchObject({ state: "succeeded", output: { value: 0.1 } });
  for (const text of ["12345678901234567890", "1e400", "-0"])
    expect(await run(text)).toMatchObject({
      state: "failed",
      steps: [
        {
          error: {
            kind: "agent_failed",
            agent_error: { kind: "invalid_response" },
            message: expect.stringContaining(`/output/value is ${text}`),
          },
        },
      ],
    });
  expect(await zone.stop()).toBe(0);
});
