/** Runs a Kafka broker on loopback until it is interrupted, to try the zones with `KAFKA_BROKERS`. Deletes its data at the end. */
import { once } from "node:events";
import { parseArgs } from "node:util";
import { NoKafkaError, startKafka } from "../../testkit/src/kafka/index.ts";

const { values } = parseArgs({ options: { port: { type: "string", default: "9092" } } });
try {
  const kafka = await startKafka({ port: Number(values.port) });
  process.stdout.write(`Kafka runs. For the zones: KAFKA_BROKERS=${kafka.brokers.join(",")}\nCtrl-C ends it.\n`);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  await kafka.stop();
} catch (error) {
  process.stderr.write(`${error instanceof NoKafkaError ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
