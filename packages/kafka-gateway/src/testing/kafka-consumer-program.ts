import { createKafkaBus } from "../bus/create-kafka-bus.ts";
import { runStandingConsumer } from "./standing-consumer.ts";

/** `node kafka-consumer-program.ts <settings>`: a consumer process of a Kafka bus, to be killed. */
const [, , settings = "{}"] = process.argv;
const given = JSON.parse(settings) as { readonly brokers: readonly string[]; readonly sessionMs: number };
await runStandingConsumer(await createKafkaBus({ ...given, clientId: "standing" }));
