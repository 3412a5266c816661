import { startPostgres } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { BusUnavailableError } from "../bus-unavailable-error.ts";
import { taskMessage } from "../testing/bus-under-test.ts";
import { consume, drained, soon } from "../testing/consume.ts";
import { openEmbedded } from "../testing/open-embedded.ts";

test("B5, B6: a database that is killed and comes back costs no message; who publishes meanwhile is told in time", async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const failures: unknown[] = [];
  const { bus } = await openEmbedded(server.url, {
    leaseMs: 2_000,
    observer: { unreachable: ({ error }) => void failures.push(error) },
  });
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const consumed = await consume(bus, "agent_tasks", {
    concurrency: 2,
    handle: async () => {
      begun.resolve();
      await goOn.promise;
    },
  });
  await bus.publish(["a", "b", "c"].map((key) => taskMessage(key, key)));
  await begun.promise;
  await server.kill();
  await expect(bus.publish([taskMessage("d", "d")])).rejects.toBeInstanceOf(BusUnavailableError);
  await expect(bus.readQueues()).rejects.toBeInstanceOf(BusUnavailableError);
  await expect(bus.ping()).rejects.toBeInstanceOf(Error);
  await expect.poll(() => failures.length, soon).toBeGreaterThan(0);
  goOn.resolve();
  await server.start();
  await bus.publish([taskMessage("e", "e")]);
  await expect.poll(() => new Set(consumed.inputs()).size, soon).toBeGreaterThanOrEqual(4);
  await drained(bus, "agent_tasks");
  // Not one for each retry.
  expect(failures).toHaveLength(1);
  // A message whose commit was not confirmed may exist too.
  expect(["a", "b", "c", "e"].every((input) => consumed.inputs().includes(input))).toBe(true);
}, 120_000);
