import { expect, test } from "vitest";
import type { DeadLetter } from "../bus/kafka-bus.ts";
import { DeadLetterError } from "../bus/kafka-errors.ts";
import { consume, contractRedelivery, drained, taskMessage, type KafkaStore } from "./bus-under-test.ts";

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Unreadable and failing messages become dead letters, which can be replayed. */
export function deadLetterContract(newStore: () => Promise<KafkaStore>): void {
  test("B8, N5: an unreadable message is a dead letter, and the next message of its key is handled", async () => {
    const store = await newStore();
    const bus = await store.newBus();
    const poison = ["{", "[]", '{"run_id":"r1","task_id":"key","agent_name":7}', "null", '"\\u0000"'];
    for (const body of poison) await store.publishText("agent_tasks", "key", body);
    await bus.publish([taskMessage("key", "readable")]);
    const letters: DeadLetter[] = [];
    const consumed = await consume(bus, "agent_tasks", { onDeadLetter: async (letter) => void letters.push(letter) });
    await consumed.until(1);
    await drained(bus, "agent_tasks");
    expect(consumed.inputs()).toEqual(["readable"]);
    expect(letters.map(({ bytes }) => text(bytes)).toSorted()).toEqual(poison.toSorted());
    const half = letters.find(({ bytes }) => text(bytes) === poison[2]);
    expect(half?.json).toEqual({ run_id: "r1", task_id: "key", agent_name: 7 });
    expect(half?.reason).toMatch(/\/agent_name/);
    const kept = await bus.deadLetters.list("agent_tasks", 10);
    expect(kept.map(({ bytes }) => text(bytes)).toSorted()).toEqual(poison.toSorted());
    for (const { reason, group, attempts } of kept)
      expect([reason.length > 10, group, attempts]).toEqual([true, "agent-bridge", 1]);
  });

  test("a message that a handler rejects is a dead letter at once; it can be redelivered, alone or with all others", async () => {
    const bus = await (await newStore()).newBus();
    let isMended = false;
    const consumed = await consume(bus, "agent_tasks", {
      handle: async () => {
        if (!isMended) throw new DeadLetterError("this agent is not for us");
      },
    });
    await bus.publish(["a", "b", "c"].map((key) => taskMessage(key, key)));
    await drained(bus, "agent_tasks");
    const kept = await bus.deadLetters.list("agent_tasks", 10);
    expect(kept.map(({ reason, attempts, headers }) => [reason, attempts, headers["data-owner"]])).toEqual(
      kept.map(() => ["this agent is not for us", 1, "team"]),
    );
    expect(kept).toHaveLength(3);
    expect(Math.abs((kept[0]?.at ?? 0) - Date.now())).toBeLessThan(600_000);
    expect(await bus.deadLetters.list("agent_tasks", 2)).toHaveLength(2);
    expect(await bus.deadLetters.list("agent_results", 10)).toEqual([]);

    isMended = true;
    expect(await bus.deadLetters.replay("agent_tasks", [kept[1]?.id ?? "", "no such"])).toBe(1);
    await consumed.until(1);
    expect(consumed.done[0]?.value).toEqual(JSON.parse(text(kept[1]?.bytes ?? new Uint8Array())));
    expect(await bus.deadLetters.replay("agent_tasks", "all")).toBe(2);
    await consumed.until(3);
    expect(new Set(consumed.inputs())).toEqual(new Set(["a", "b", "c"]));
    expect(await bus.deadLetters.replay("agent_tasks", "all")).toBe(0);
    expect(await bus.deadLetters.list("agent_tasks", 10)).toEqual([]);
    await drained(bus, "agent_tasks");
  });

  test("a redelivered dead letter that fails again has a new name", async () => {
    const bus = await (await newStore()).newBus();
    await consume(bus, "agent_tasks", { handle: () => Promise.reject(new DeadLetterError("not for us")) });
    await bus.publish([taskMessage("key")]);
    const names: string[] = [];
    for (let times = 0; times < 3; times += 1) {
      await drained(bus, "agent_tasks");
      const [letter] = await bus.deadLetters.list("agent_tasks", 10);
      names.push(letter?.id ?? "");
      expect(await bus.deadLetters.replay("agent_tasks", names.slice(-1))).toBe(1);
    }
    await drained(bus, "agent_tasks");
    expect(new Set(names).size).toBe(3);
    expect(await bus.deadLetters.replay("agent_tasks", names)).toBe(0);
  });

  test("a message whose handler always fails is a dead letter after the last attempt, without the handler's error text", async () => {
    const bus = await (await newStore()).newBus();
    const letters: DeadLetter[] = [];
    let deliveries = 0;
    const consumed = await consume(bus, "agent_tasks", {
      handle: async ({ value }) => {
        if (value.input_data === "next") return;
        deliveries += 1;
        throw new RangeError("a secret of hers");
      },
      onDeadLetter: async (letter) => void letters.push(letter),
    });
    await bus.publish([taskMessage("key", "never"), taskMessage("key", "next")]);
    await consumed.until(1);
    await drained(bus, "agent_tasks");
    expect(deliveries).toBe(contractRedelivery.mostAttempts);
    const [kept] = await bus.deadLetters.list("agent_tasks", 10);
    expect(kept?.reason).toMatch(/RangeError/);
    expect(kept?.reason).not.toMatch(/secret/);
    expect(letters).toHaveLength(1);
  });

  test("N5: an outage of a handler's dependency, however long, makes no dead letters", async () => {
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
    expect(await bus.deadLetters.list("agent_tasks", 10)).toEqual([]);
  });

  test("a dead letter is stored only once it was reported; until then the message is delivered again", async () => {
    const bus = await (await newStore()).newBus();
    let told = 0;
    await consume(bus, "agent_tasks", {
      handle: () => Promise.reject(new DeadLetterError("never")),
      onDeadLetter: async () => {
        told += 1;
        if (told < 3) throw new Error("nobody listens");
      },
    });
    await bus.publish([taskMessage("key")]);
    await drained(bus, "agent_tasks");
    expect(told).toBe(3);
    expect(await bus.deadLetters.list("agent_tasks", 10)).toHaveLength(1);
  });

  test("a message that its channel does not allow is refused on publish, with its problems", async () => {
    const store = await newStore();
    const bus = await store.newBus();
    const wrong = taskMessage("key");
    const value = { ...wrong.value, agent_name: 7 as unknown as string };
    await expect(bus.publish([taskMessage("other"), { ...wrong, value }])).rejects.toThrow(/agent_tasks.*\/agent_name/);
    expect((await bus.readQueues()).filter(({ waiting }) => waiting > 0)).toEqual([]);
  });
}
