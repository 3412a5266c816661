import { createEmbeddedBus } from "../embedded/embedded-bus.ts";
import { contractGroups } from "./bus-under-test.ts";
import { openBusDatabase } from "./open-bus-database.ts";
import { runStandingConsumer } from "./standing-consumer.ts";

/** `node embedded-consumer-program.ts <url>`: a consumer process of the embedded bus, to be killed. */
const database = await openBusDatabase(process.argv[2] ?? "");
await runStandingConsumer(createEmbeddedBus({ database, groups: contractGroups, leaseMs: 1_500 }));
