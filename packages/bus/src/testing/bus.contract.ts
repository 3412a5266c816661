import { describe, expect, test } from "vitest";
import type { BusStore } from "./bus-under-test.ts";
import { deadLetterContract } from "./dead-letters.contract.ts";
import { deliveryContract } from "./delivery.contract.ts";
import { orderContract } from "./order.contract.ts";
import { outboxContract } from "./outbox.contract.ts";

/** What every bus does, whatever brings the messages. `timeoutMs` is what one test may take. */
export function busContract(name: string, newStore: () => Promise<BusStore>, timeoutMs = 120_000): void {
  describe(`${name} keeps the contract of a bus`, { timeout: timeoutMs }, () => {
    deliveryContract(newStore);
    orderContract(newStore);
    deadLetterContract(newStore);
    outboxContract(newStore);

    test("answers a ping, and tells of every group that nothing waits", async () => {
      const bus = await (await newStore()).newBus();
      await bus.ping();
      const queues = await bus.readQueues();
      expect(queues.every(({ waiting, oldestMs }) => waiting === 0 && oldestMs === 0)).toBe(true);
    });
  });
}
