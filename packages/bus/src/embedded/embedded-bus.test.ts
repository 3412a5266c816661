import { fileURLToPath } from "node:url";
import { contractOnBothEngines } from "@crosszone/testkit/postgres";
import { contractGroups } from "../testing/bus-under-test.ts";
import { busContract } from "../testing/bus.contract.ts";
import { openEmbedded } from "../testing/open-embedded.ts";
import { insertMessages } from "./insert-messages.ts";
import { keyDigest } from "./message-rows.ts";

const program = fileURLToPath(new URL("../testing/embedded-consumer-program.ts", import.meta.url));

contractOnBothEngines("the embedded bus", (newDatabase, engine) => {
  busContract(`on ${engine} it`, async () => {
    const url = await newDatabase();
    const { database } = await openEmbedded(url);
    return {
      newBus: async () => (await openEmbedded(url)).bus,
      publishText: (channel, key, value) => {
        const rows = contractGroups[channel].map((consumer_group) => ({
          channel,
          consumer_group,
          key: keyDigest(channel, consumer_group, key),
          value,
          headers: "{}",
          team: null,
        }));
        return insertMessages(database.db, database.engine, { rows }).then(() => undefined);
      },
      transaction: (run) => database.transaction((tx) => run(tx as never)),
      standingConsumer: ["--conditions=@crosszone/source", program, url],
      afterCrashMs: 30_000,
    };
  });
});
