import type { DataTools } from "./zone-data.ts";

/** Lists parked questions, without their text. */
export async function listParked({ zones, print }: DataTools): Promise<boolean> {
  let count = 0;
  for (const { parked } of zones)
    for (const { request_id, team_id, age_ms, attempts, why } of (await parked?.list()) ?? []) {
      count += 1;
      print(`${request_id}  ${team_id}  ${ageInWords(age_ms)}  attempts: ${attempts}  ${why}`);
    }
  if (count === 0) print("No parked questions.");
  return true;
}

/** Retries a parked question. */
export async function retryParked({ zones, args: { id }, print, printError }: DataTools): Promise<boolean> {
  for (const { parked } of zones) if (await parked?.retry(id)) return (print(`${id} is queued for a retry.`), true);
  printError(`No parked question has the id ${id}.`);
  return false;
}

const mostListed = 500;

/** Lists the dead letters of the bus, without their content. */
export async function listDeadLetters({ zones, print, printError }: DataTools): Promise<boolean> {
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
  if (count >= mostListed) printError(`Only the ${mostListed} oldest of each channel are listed.`);
  return true;
}

/** Delivers one dead letter, or all, again. */
export async function replayDeadLetters({ zones, args: { id }, print, printError }: DataTools): Promise<boolean> {
  if (!hasBus(zones)) {
    printError(withoutBus);
    return false;
  }
  let count = 0;
  for (const { deadLetters } of zones) count += (await deadLetters?.replay(id)) ?? 0;
  if (count > 0) print(`Delivered again: ${count}.`);
  else printError(id === "all" ? "No dead letters." : `No dead letter has the id ${id}.`);
  return count > 0 || id === "all";
}

const hasBus = (zones: DataTools["zones"]): boolean => zones.some(({ deadLetters }) => deadLetters !== undefined);

const withoutBus =
  "Only messages on Kafka become dead letters, and KAFKA_BROKERS is not set. Run this command with the variables of the execution zone.";

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** Formats a duration by its largest unit. */
function ageInWords(ms: number): string {
  const [unit, size] = units.find(([, least]) => ms >= least) ?? ["s", 1_000];
  return `${Math.floor(ms / size)} ${unit}`;
}
