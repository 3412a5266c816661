import { setTimeout } from "node:timers/promises";
import { ZoneError } from "@crosszone/contracts";
import { moduleBeside } from "@crosszone/service-kit";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createObedientAgent } from "../../testing/thread-agents.ts";
import type { AgentAnswer, AgentContext } from "../agent.ts";
import { createWorkerAgent, type WorkerAgent, type WorkerAgentOptions } from "./worker-agent.ts";

const module = moduleBeside(import.meta.url, "../../testing/thread-agents");
const input = { task_id: "t1", correlation_id: "c1", thread: [], attachments: [] };

function startAgent(options: Partial<WorkerAgentOptions> = {}): { agent: WorkerAgent; ended: Error[] } {
  const ended: Error[] = [];
  const agent = createWorkerAgent(createObedientAgent(), {
    module,
    factory: "createObedientAgent",
    threads: 1,
    stopMs: 300,
    onThreadEnded: (cause) => ended.push(cause),
    ...options,
  });
  onTestFinished(() => agent.close());
  return { agent, ended };
}

const noFile = async (): Promise<never> => expect.unreachable();
const run = (agent: WorkerAgent, text: string, context: Partial<AgentContext> = {}): Promise<AgentAnswer> =>
  agent.run(
    { ...input, text },
    { signal: new AbortController().signal, now: () => new Date(), readFile: noFile, ...context },
  );

const rejection = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );

describe("an agent on a thread pool behaves like an agent without one", () => {
  test("errors keep their kind and cause; an unknown error keeps its message for the log", async () => {
    const { agent, ended } = startAgent();
    const failed = await rejection(run(agent, "fail"));
    expect(failed).toBeInstanceOf(ZoneError);
    expect(failed).toMatchObject({
      kind: "agent_unavailable",
      data: { agent: "obedient" },
      cause: { message: "inner" },
    });
    expect(await rejection(run(agent, "break"))).toMatchObject({ name: "TypeError", message: "broken" });
    expect(await rejection(run(agent, "odd"))).toMatchObject({ name: "DataCloneError" });
    expect(ended).toEqual([]);
  });

  test("it reads files: large ones are transferred, others copied, and errors keep their kind", async () => {
    const { agent } = startAgent();
    const large = new Uint8Array(5_000_000).fill(7);
    const part = Buffer.from("abc");
    expect(await run(agent, "read F1", { readFile: async () => large })).toMatchObject({
      response_text: "5000000 7 7",
    });
    expect(large.byteLength).toBe(0);
    expect(await run(agent, "read F2", { readFile: async () => part })).toMatchObject({ response_text: "3 97 99" });
    expect(part.toString()).toBe("abc");
    const gone = new ZoneError("payload_too_large");
    expect(await rejection(run(agent, "read F3", { readFile: () => Promise.reject(gone) }))).toMatchObject({
      kind: "payload_too_large",
    });
    const broken = (): never => {
      throw new Error("broken");
    };
    expect(await rejection(run(agent, "read F4", { readFile: broken }))).toMatchObject({ message: "broken" });
  });
});

describe("L3: a run that does not cooperate", () => {
  test("an endless computation ends when it is aborted, and the pool continues", async () => {
    const { agent, ended } = startAgent();
    const controller = new AbortController();
    const reason = new ZoneError("timeout");
    const endless = rejection(run(agent, "spin Infinity", { signal: controller.signal }));
    const next = run(agent, "next");
    await setTimeout(50);
    controller.abort(reason);
    expect(await endless).toBe(reason);
    expect(await next).toMatchObject({ response_text: "next" });
    expect(ended).toMatchObject([{ message: "a run did not stop within 300 ms" }]);
    expect(await run(agent, "again")).toMatchObject({ response_text: "again" });
  });

  test("no run waits for a computation while another thread is free", async () => {
    const { agent } = startAgent({ threads: 2 });
    const controller = new AbortController();
    const endless = rejection(run(agent, "spin Infinity", { signal: controller.signal }));
    for (const text of ["1", "2", "3"]) expect(await run(agent, text)).toMatchObject({ response_text: text });
    const together = await Promise.all(["4", "5", "6"].map((text) => run(agent, text)));
    expect(together.map(({ response_text }) => response_text)).toEqual(["4", "5", "6"]);
    controller.abort(new ZoneError("canceled"));
    await endless;
  });

  test("a run that ignores its abort loses its thread once the thread's other runs have ended", async () => {
    const { agent, ended } = startAgent({ stopMs: 50 });
    const controller = new AbortController();
    const deaf = rejection(run(agent, "deaf", { signal: controller.signal }));
    const waits = run(agent, "wait 1000");
    await run(agent, "both have begun");
    controller.abort(new ZoneError("canceled"));
    expect(await deaf).toMatchObject({ kind: "canceled" });
    expect(await run(agent, "on another thread")).toHaveProperty("response_text");
    expect(await waits).toMatchObject({ response_text: "waited" });
    await vi.waitFor(() => expect(ended).toHaveLength(1));
  });

  test("a computation that is aborted ends the other runs of its thread as failures, because they may have had effects", async () => {
    const { agent } = startAgent({ stopMs: 100 });
    const controller = new AbortController();
    const beside = rejection(run(agent, "wait"));
    await run(agent, "it has begun");
    const endless = rejection(run(agent, "spin Infinity", { signal: controller.signal }));
    await setTimeout(50);
    controller.abort(new ZoneError("canceled"));
    expect(await endless).toMatchObject({ kind: "canceled" });
    expect(await beside).toMatchObject({ kind: "agent_failed" });
    expect(await run(agent, "again")).toMatchObject({ response_text: "again" });
  });

  test("a run that ends its thread fails as agent failure, and so do the other runs of the thread", async () => {
    const { agent, ended } = startAgent();
    const beside = rejection(run(agent, "wait"));
    await run(agent, "it has begun");
    const failed = { kind: "agent_failed", data: { agent: "obedient" } };
    expect(await rejection(run(agent, "exit"))).toMatchObject(failed);
    expect(await beside).toMatchObject(failed);
    expect(ended).toHaveLength(1);
    expect(await run(agent, "again")).toMatchObject({ response_text: "again" });
  });
});
