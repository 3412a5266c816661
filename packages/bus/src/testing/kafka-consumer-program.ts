import { createKafkaBus } from "../kafka/create-kafka-bus.ts";
import { contractGroups } from "./bus-under-test.ts";
import { openBusDatabase } from "./open-bus-database.ts";
import { runStandingConsumer } from "./standing-consumer.ts";

/** `node kafka-consumer-program.ts <database> <settings>`: a consumer process of a Kafka bus, to be killed. */
const [, , url = "", settings = "{}"] = process.argv;
const given = JSON.parse(settings) as { readonly brokers: readonly string[]; readonly sessionMs: number };
const database = await openBusDatabase(url);
await runStandingConsumer(await createKafkaBus({ ...given, clientId: "standing", database, groups: contractGroups }));
