import { expect, test } from "vitest";
import { consume, contractRedelivery, drained, type KafkaStore, taskMessage } from "./bus-under-test.ts";

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Messages that can't be read or stored come as dead letters, with those that are fetched with them. */
export function deadLetterContract(newStore: () => Promise<KafkaStore>): void {
  test("B8: an unreadable message is a dead letter, and the next message of its key is stored", async () => {
    const store = await newStore();
    const bus = await store.newBus();
    const poison = ["{", "[]", '{"run_id":"r1","task_id":"key","agent_name":7}', "null", '"\\u0000"'];
    for (const body of poison) await store.publishText("agent_tasks", "key", body);
    await bus.publish([taskMessage("key", "readable")]);
    const consumed = await consume(bus, "agent_tasks");
    await consumed.until(1);
    await drained(bus, "agent_tasks");
    expect(consumed.inputs()).toEqual(["readable"]);
    const { letters } = consumed;
    expect(letters.map(({ bytes }) => text(bytes))).toEqual(poison);
    expect(letters[2]).toMatchObject({ json: { run_id: "r1", task_id: "key", agent_name: 7 }, changed: false });
    expect(letters[2]?.reason).toMatch(/\/agent_name/);
    for (const { reason, group, attempts } of letters)
      expect([reason.length > 10, group, attempts]).toEqual([true, "agent-bridge", 1]);
    expect(new Set(letters.map(({ source }) => source)).size).toBe(5);
  });

  test("a message that can never be stored is a dead letter after the last attempt, without the error's text; the others are stored", async () => {
    const bus = await (await newStore()).newBus();
    const inputs = Array.from({ length: 9 }, (_, at) => (at === 4 ? "never" : at));
    await bus.publish(inputs.map((input) => taskMessage("key", input)));
    const consumed = await consume(bus, "agent_tasks", {
      handle: async ({ value }) => {
        if (value.input_data === "never") throw new RangeError("a secret of hers");
      },
    });
    await consumed.until(8);
    await drained(bus, "agent_tasks");
    expect(consumed.inputs()).toEqual(inputs.filter((input) => input !== "never"));
    expect(consumed.letters).toMatchObject([{ attempts: contractRedelivery.mostAttempts, changed: false }]);
    expect(consumed.letters[0]?.reason).toMatch(/RangeError/);
    expect(consumed.letters[0]?.reason).not.toMatch(/secret/);
  });

  test("B8: an outage of the store, however long, makes no dead letters", async () => {
    const bus = await (await newStore()).newBus();
    const { mostAttempts } = contractRedelivery;
    let deliveries = 0;
    const consumed = await consume(bus, "agent_tasks", {
      handle: async () => {
        deliveries += 1;
        if (deliveries <= 2 * mostAttempts) throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
      },
    });
    await bus.publish([taskMessage("key")]);
    await consumed.until(1);
    await drained(bus, "agent_tasks");
    expect(deliveries).toBe(2 * mostAttempts + 1);
    expect(consumed.letters).toEqual([]);
  });

  test("a dead letter is done only once it is stored; until then it is delivered again", async () => {
    const store = await newStore();
    const bus = await store.newBus();
    const sources: (string | undefined)[] = [];
    const consumed = await consume(bus, "agent_tasks", {
      onLetters: async ([letter]) => {
        sources.push(letter?.source);
        if (sources.length < 2 * contractRedelivery.mostAttempts) throw new Error("nobody listens");
      },
    });
    await store.publishText("agent_tasks", "key", "{");
    await expect.poll(() => consumed.letters.length, { timeout: 60_000 }).toBe(1);
    await drained(bus, "agent_tasks");
    expect(sources.length).toBe(2 * contractRedelivery.mostAttempts);
    expect(new Set(sources).size).toBe(1);
  });

  test("what is published again for one group reaches only that group", async () => {
    const bus = await (await newStore()).newBus();
    const [execution, workflow] = [
      await consume(bus, "agent_results", { group: "execution" }),
      await consume(bus, "agent_results", { group: "workflow" }),
    ];
    const again = { bytes: Buffer.from("{"), headers: { of: "hers" } };
    expect(await bus.publishAgain("agent_results", { ...again, group: "workflow" })).toBeUndefined();
    expect(await bus.publishAgain("agent_results", again)).toBeUndefined();
    await expect.poll(() => workflow.letters.length, { timeout: 60_000 }).toBe(2);
    await drained(bus, "agent_results");
    expect(execution.letters).toHaveLength(1);
    for (const { headers } of workflow.letters) expect(headers).toEqual({ of: "hers" });
  });

  test("a message that its channel does not allow is refused on publish, with its problems; the others are published", async () => {
    const bus = await (await newStore()).newBus();
    const wrong = taskMessage("key");
    const value = { ...wrong.value, agent_name: 7 as unknown as string };
    const [none, problem] = await bus.publish([taskMessage("other"), { ...wrong, value }]);
    expect([none, problem?.message]).toEqual([undefined, expect.stringMatching(/agent_tasks.*\/agent_name/)]);
    expect((await bus.readQueues()).filter(({ waiting }) => waiting > 0)).toMatchObject([{ waiting: 1 }]);
  });
}
