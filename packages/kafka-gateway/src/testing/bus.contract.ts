import { describe, expect, test } from "vitest";
import { consume, drained, resultMessage, soon, taskMessage, type KafkaStore } from "./bus-under-test.ts";
import { deadLetterContract } from "./dead-letters.contract.ts";
import { deliveryContract } from "./delivery.contract.ts";
import { orderContract } from "./order.contract.ts";

/** What the bus does on a broker. */
export function busContract(newStore: () => Promise<KafkaStore>): void {
  describe("the bus", () => {
    deliveryContract(newStore);
    orderContract(newStore);
    deadLetterContract(newStore);

    test("B25: reports each group's number of waiting messages and the age of the oldest", async () => {
      const bus = await (await newStore()).newBus();
      const reading = async (group: string) => (await bus.readQueues()).find((queue) => queue.group === group);
      const taken = Promise.withResolvers<void>();
      await consume(bus, "agent_results", { group: "execution" });
      await consume(bus, "agent_results", { group: "workflow", handle: () => taken.promise });
      await bus.publish(["a", "b", "c"].map(resultMessage));
      await expect.poll(() => reading("workflow"), soon).toMatchObject({ channel: "agent_results", waiting: 3 });
      await expect.poll(() => reading("execution"), soon).toMatchObject({ waiting: 0, oldestMs: 0 });
      await expect.poll(async () => (await reading("workflow"))?.oldestMs, soon).toBeGreaterThan(200);
      await bus.publish([taskMessage("elsewhere"), resultMessage("young")]);
      const later = await reading("workflow");
      expect(later).toMatchObject({ waiting: 4 });
      expect(later?.oldestMs).toBeGreaterThan(200);
      taken.resolve();
      await drained(bus, "agent_results");
    });
  });
}
