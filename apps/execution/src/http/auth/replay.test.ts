import { randomUUID } from "node:crypto";
import { signatureHeaders, signRequest } from "@crosszone/service-kit";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { agentThat, startZone, task, type TestZone } from "../../testing/start-zone.ts";
import { createHmacAuth } from "./hmac-auth.ts";

const secret = "a-secret-of-thirty-two-characters";

/** Returns a function that sends a recorded signed request. */
function signed(method: string, params: unknown): (zone: TestZone) => Promise<{ status: number; result: unknown }> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: randomUUID(), method, params });
  const [timestamp, nonce] = [String(Math.floor(Date.now() / 1_000)), randomUUID()];
  const request = { method: "POST", target: "/rpc", timestamp, nonce, body: Buffer.from(body) };
  const headers = {
    [signatureHeaders.timestamp]: timestamp,
    [signatureHeaders.nonce]: nonce,
    [signatureHeaders.signature]: signRequest(secret, request),
  };
  return async (zone) => {
    const response = await zone.post(body, headers);
    return { status: response.status, result: ((await response.json()) as { result?: unknown }).result };
  };
}

onBothEngines("a signed request that was recorded", (newDatabase) => {
  const start = async () => {
    const database = await newDatabase();
    const runs: string[] = [];
    const agent = agentThat(async ({ text }) => (runs.push(text), { response_text: `about ${text}` }));
    /** Starts another process of the zone, or the same one after a restart. It has its own memory of nonces. */
    const newProcess = () =>
      startZone([agent], {
        database,
        authenticator: createHmacAuth({
          secrets: () => [secret],
          caller: "verification",
          windowMs: 300_000,
          mostNonces: 1_000,
          now: Date.now,
        }),
      });
    return { runs, one: await newProcess(), newProcess };
  };

  test("S3: and is replayed at another process starts no second run: it finds its task", async () => {
    const { runs, one, newProcess } = await start();
    const send = signed("execute_task", task({ text: "cats" }));
    const first = await send(one);
    expect(first).toMatchObject({ status: 200, result: { status: "success", response_text: "about cats" } });
    expect(await send(one)).toMatchObject({ status: 401 });
    for (const other of [await newProcess(), await newProcess()]) expect(await send(other)).toEqual(first);
    expect(runs).toEqual(["cats"]);
  });

  test("S3: polls and cancels have no effect when they are replayed", async () => {
    const { one, newProcess } = await start();
    const { result } = await signed("execute_task", task())(one);
    const params = { task_id: (result as { task_id: string }).task_id };
    const [poll, cancel] = [signed("get_async_task_result", params), signed("cancel_task", params)];
    const before = [await poll(one), await cancel(one)];
    const other = await newProcess();
    expect([await poll(other), await cancel(other)]).toEqual(before);
    expect(await signed("get_async_task_result", params)(one)).toEqual(before[0]);
  });
});
