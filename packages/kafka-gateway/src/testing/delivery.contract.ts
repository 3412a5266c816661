import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { consume, drained, resultMessage, soon, taskMessage, type KafkaStore } from "./bus-under-test.ts";

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `task-${index}`);

/** Every message reaches every group, at least once. */
export function deliveryContract(newStore: () => Promise<KafkaStore>): void {
  test("B2: five messages published at once are five deliveries, unchanged, with their headers", async () => {
    const bus = await (await newStore()).newBus();
    const headers = { "data-owner": "a\0b\ud800", "": "é\r\n: 🙂", __proto__x: "" };
    const messages = names(5).map((key) => ({ ...taskMessage(key, { text: "é日本語🙂\u0000", of: key }), headers }));
    await bus.publish(messages);
    const consumed = await consume(bus, "agent_tasks");
    await consumed.until(5);
    await drained(bus, "agent_tasks");
    const byKey = consumed.done.toSorted((a, b) => a.value.task_id.localeCompare(b.value.task_id));
    expect(byKey.map(({ value }) => value)).toEqual(messages.map(({ value }) => value));
    for (const { headers: got } of byKey) {
      expect(got).toMatchObject({ "": headers[""], __proto__x: "" });
      expect(got["data-owner"]).toMatch(/^a\0b/);
    }
  });

  test("B1: each of two groups gets all messages", async () => {
    const store = await newStore();
    const [here, there] = [await store.newBus(), await store.newBus()];
    const groups = [
      await consume(here, "agent_results", { group: "execution" }),
      await consume(there, "agent_results", { group: "workflow" }),
    ];
    await here.publish(names(30).map(resultMessage));
    for (const group of groups) {
      await group.until(30);
      expect(new Set(group.done.map(({ value }) => value.task_id)).size).toBe(30);
      expect(group.done[0]?.value.output_data).toEqual({ text: "ü \u0000 \ud800" });
    }
    await drained(here, "agent_results");
  });

  test("B1: a result with `reply-to` is only for that group; a result without it is for all", async () => {
    const store = await newStore();
    const bus = await store.newBus();
    const [execution, workflow] = [
      await consume(bus, "agent_results", { group: "execution" }),
      await consume(bus, "agent_results", { group: "workflow" }),
    ];
    const tasks = await consume(bus, "agent_tasks");
    const to = (key: string, group: string) => ({ ...resultMessage(key), headers: { "reply-to": group } });
    const own = [to("a", "execution"), to("b", "workflow"), to("c", "nobody"), resultMessage("d")];
    await bus.publish(own);
    // The groups of the task's channel do not matter for its result.
    await bus.publish([{ ...taskMessage("task"), headers: { "reply-to": "workflow" } }]);
    await tasks.until(1);
    expect(tasks.done[0]?.headers).toEqual({ "reply-to": "workflow" });
    await execution.until(3);
    await workflow.until(3);
    await drained(bus, "agent_results");
    const idsOf = ({ done }: typeof execution) => done.map(({ value }) => value.task_id).toSorted();
    expect(idsOf(execution)).toEqual(["a", "c", "d"]);
    expect(idsOf(workflow)).toEqual(["b", "c", "d"]);
  });

  test("B5: messages that a killed process had consumed are delivered to another one", async () => {
    const store = await newStore();
    const bus = await store.newBus();
    await bus.publish(names(3).map((key) => taskMessage(key)));
    const child = spawn(process.execPath, [...store.standingConsumer], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const taken: string[] = [];
    createInterface({ input: child.stdout }).on("line", (line) => taken.push(line));
    await expect.poll(() => taken.length, soon).toBe(3);
    child.kill("SIGKILL");
    await once(child, "exit");
    const consumed = await consume(bus, "agent_tasks");
    await consumed.until(3);
    expect(consumed.done.map(({ value }) => value.task_id).toSorted()).toEqual(taken.toSorted());
    await drained(bus, "agent_tasks");
  });

  test("closing waits for what is being stored and takes no more", async () => {
    const store = await newStore();
    const bus = await store.newBus();
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const consumed = await consume(bus, "agent_tasks", {
      handle: async () => {
        begun.resolve();
        await goOn.promise;
      },
    });
    await bus.publish([taskMessage("first")]);
    await begun.promise;
    await bus.publish(names(3).map((key) => taskMessage(key)));
    let isClosed = false;
    const closing = consumed.subscription.close(60_000).then(() => (isClosed = true));
    await delay(50);
    expect(isClosed).toBe(false);
    goOn.resolve();
    await closing;
    expect(consumed.done).toHaveLength(1);

    const rest = await consume(await store.newBus(), "agent_tasks");
    await rest.until(3);
    await drained(bus, "agent_tasks");
    expect(rest.done).toHaveLength(3);
  });

  test("what is not stored after the grace period is delivered again to another process", async () => {
    const store = await newStore();
    const bus = await store.newBus();
    const begun = Promise.withResolvers<void>();
    const stuck = await consume(bus, "agent_tasks", {
      handle: async () => {
        begun.resolve();
        await new Promise(() => undefined);
      },
    });
    await bus.publish([taskMessage("stuck")]);
    await begun.promise;
    await stuck.subscription.close(10);
    const next = await consume(await store.newBus(), "agent_tasks");
    await next.until(1);
    await drained(bus, "agent_tasks");
    expect(next.done).toHaveLength(1);
  });
}
