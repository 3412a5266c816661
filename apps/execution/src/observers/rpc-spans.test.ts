import { expect, test } from "vitest";
import { recordSpans } from "../testing/record-spans.ts";
import { agentThat, echo, startZone, task } from "../testing/start-zone.ts";

const came = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

test("an unknown method is not a span name, and its error has kind and code", async () => {
  const { tracer, spans } = recordSpans();
  const zone = await startZone([echo], { tracer });
  await zone.call("made_up", {}, null);
  expect(spans).toMatchObject([
    {
      name: "jsonrpc",
      kind: "server",
      ended: {
        error: "method_not_found",
        attributes: { "rpc.method": "_OTHER", "jsonrpc.request.id": "", "rpc.status_code": "-32601" },
      },
    },
  ]);
  expect(spans[0]?.ended).not.toHaveProperty("name");
});

test("R5.5: an agent receives its task's trace for its own requests", async () => {
  const given: (string | undefined)[] = [];
  const agent = agentThat(async (_input, { traceparent }) => (given.push(traceparent), { response_text: "ok" }));
  const off = await startZone([agent]);
  const body = JSON.stringify({ jsonrpc: "2.0", method: "execute_task", params: task(), id: "1" });
  await off.post(body, { traceparent: came });
  await off.post(body.replace('"id":"1"', '"id":"2"'));
  expect(given).toEqual([came, undefined]);

  const { tracer, spans } = recordSpans();
  const on = await startZone([agent], { tracer });
  await on.post(body, { traceparent: came });
  expect(spans.map(({ name, traceparent }) => [name, traceparent?.slice(36, 52)])).toEqual([
    ["jsonrpc", "b7ad6b7169203331"],
    ["run_task", "0000000000000001"],
    ["invoke_agent test-agent", "0000000000000002"],
  ]);
  expect(given.at(-1)).toContain("0000000000000003");
});
