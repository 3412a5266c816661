import { ageInWords } from "./age-in-words.ts";
import type { DataTools } from "./data-tools.ts";

const mostListed = 500;

/** Lists the messages of the bus that nobody could handle, without a word of what is in them. */
export async function listDeadLetters({ zones, print, tell }: DataTools): Promise<boolean> {
  let count = 0;
  for (const { deadLetters } of zones)
    for (const { id, group, age_ms, attempts, why } of (await deadLetters?.list(mostListed)) ?? []) {
      count += 1;
      print(`${id}  ${group}  ${ageInWords(age_ms)}  attempts: ${attempts}  ${why}`);
    }
  if (count === 0) print("There are no dead letters.");
  if (count >= mostListed) tell(`Of each channel only the oldest ${mostListed} are listed.`);
  return true;
}

/** Has one of them, or all, delivered again. */
export async function replayDeadLetters({ zones, args: { id }, print, tell }: DataTools): Promise<boolean> {
  let count = 0;
  for (const { deadLetters } of zones) count += (await deadLetters?.replay(id)) ?? 0;
  if (count > 0) print(`Delivered again: ${count}.`);
  else tell(id === "all" ? "There are no dead letters." : `There is no dead letter ${id}.`);
  return count > 0 || id === "all";
}
