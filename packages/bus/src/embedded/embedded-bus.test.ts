import { hash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { onTestFinished } from "vitest";
import { contractGroups, contractRedelivery } from "../testing/bus-under-test.ts";
import { busContract } from "../testing/bus.contract.ts";
import { openBusDatabase } from "../testing/open-bus-database.ts";
import { createEmbeddedBus } from "./embedded-bus.ts";
import { insertMessages } from "./message-rows.ts";

const program = fileURLToPath(new URL("../testing/embedded-consumer-program.ts", import.meta.url));

onBothEngines("the embedded bus", (newDatabase, engine) => {
  busContract(`on ${engine} it`, async () => {
    const url = await newDatabase();
    const open = async () => {
      const database = await openBusDatabase(url);
      onTestFinished(() => database.close());
      return database;
    };
    const shared = await open();
    return {
      newBus: async () => {
        const bus = createEmbeddedBus({
          database: await open(),
          groups: contractGroups,
          redelivery: contractRedelivery,
        });
        onTestFinished(() => bus.close());
        return bus;
      },
      publishText: (channel, key, value) =>
        insertMessages(
          shared.db,
          shared.engine,
          contractGroups[channel].map((group) => ({
            channel,
            consumer_group: group,
            key: hash("sha256", key, "base64url"),
            value,
            headers: "{}",
            team: null,
          })),
        ),
      transaction: (run) => shared.transaction((tx) => run(tx as never)),
      standingConsumer: ["--conditions=@crosszone/source", program, url],
      afterCrashMs: 30_000,
    };
  });
});
