import { ageInWords } from "./age-in-words.ts";
import type { DataTools } from "./data-tools.ts";

const mostListed = 500;

/** Lists the dead letters of the bus, without their content. */
export async function listDeadLetters({ zones, print, tell }: DataTools): Promise<boolean> {
  if (!hasBus(zones)) {
    print(withoutBus);
    return true;
  }
  let count = 0;
  for (const { deadLetters } of zones)
    for (const { id, group, age_ms, attempts, why } of (await deadLetters?.list(mostListed)) ?? []) {
      count += 1;
      print(`${id}  ${group}  ${ageInWords(age_ms)}  attempts: ${attempts}  ${why}`);
    }
  if (count === 0) print("No dead letters.");
  if (count >= mostListed) tell(`Only the ${mostListed} oldest of each channel are listed.`);
  return true;
}

/** Delivers one dead letter, or all, again. */
export async function replayDeadLetters({ zones, args: { id }, print, tell }: DataTools): Promise<boolean> {
  if (!hasBus(zones)) {
    tell(withoutBus);
    return false;
  }
  let count = 0;
  for (const { deadLetters } of zones) count += (await deadLetters?.replay(id)) ?? 0;
  if (count > 0) print(`Delivered again: ${count}.`);
  else tell(id === "all" ? "No dead letters." : `No dead letter has the id ${id}.`);
  return count > 0 || id === "all";
}

const hasBus = (zones: DataTools["zones"]): boolean => zones.some(({ deadLetters }) => deadLetters !== undefined);

const withoutBus =
  "Only messages on Kafka become dead letters, and KAFKA_BROKERS is not set. Run this command with the variables of the execution zone.";
