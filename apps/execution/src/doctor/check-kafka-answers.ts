import { ConfigError } from "@crosszone/service-kit";
import { failed, passed, skipped, type Check } from "@crosszone/service-kit/doctor";

/** Opens the bus as the zone does, makes no topic, and closes it; rejects with the `ConfigError` that the zone would end with. */
export type TryKafka = () => Promise<"has its topics" | "will have its topics made">;

const reads =
  "KAFKA_BROKERS KAFKA_TLS KAFKA_CA_FILE KAFKA_CERT_FILE KAFKA_KEY_FILE KAFKA_SASL KAFKA_USERNAME KAFKA_PASSWORD";

/** Whether the brokers let this zone in, and have its topics. */
export function checkKafkaAnswers(brokers: readonly string[] | undefined, tryIt: TryKafka): Check {
  return {
    name: "kafka",
    reads: reads.split(" "),
    run: async () => {
      if (brokers === undefined) return skipped("KAFKA_BROKERS is not set: the bus is in the database");
      try {
        return passed(`${brokers.join(", ")}: lets this zone in, and ${await tryIt()}`);
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        return failed("cannot be used", ...error.problems.map(({ name, wrong }) => `${name} ${wrong}.`));
      }
    },
  };
}
