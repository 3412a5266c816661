import { kafkaLibraries, NoKafkaError } from "./kafka-libraries.ts";

/** Whether tests can start a broker on this machine. Where not, it says so on stderr, with what to install: nothing is skipped in silence. */
export async function kafkaIsHere(): Promise<boolean> {
  try {
    await kafkaLibraries();
    return true;
  } catch (error) {
    if (!(error instanceof NoKafkaError)) throw error;
    process.stderr.write(`The tests with a real Kafka broker are SKIPPED: ${error.message}\n`);
    return false;
  }
}
