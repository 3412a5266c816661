import { ConfigError } from "@crosszone/service-kit";
import { failed, passed, skipped, type Check } from "@crosszone/service-kit/doctor";

/**
 * Connects to Kafka as the zone does, without creating topics. Rejects with the `ConfigError` that would end the
 * zone.
 */
export type TryKafka = () => Promise<"all topics exist" | "the zone creates the missing topics">;

const reads =
  "KAFKA_BROKERS KAFKA_TLS KAFKA_CA_FILE KAFKA_CERT_FILE KAFKA_KEY_FILE KAFKA_SASL KAFKA_USERNAME KAFKA_PASSWORD";

/** Checks that the brokers accept this zone's credentials and that its topics exist. */
export function checkKafkaAnswers(brokers: readonly string[] | undefined, tryIt: TryKafka): Check {
  return {
    name: "kafka",
    reads: reads.split(" "),
    run: async () => {
      if (brokers === undefined) return skipped("KAFKA_BROKERS is not set: agent calls stay in the database");
      try {
        return passed(`${brokers.join(", ")}: connected; ${await tryIt()}`);
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        return failed("Kafka can't be used", ...error.problems.map(({ name, wrong }) => `${name} ${wrong}.`));
      }
    },
  };
}
