import { ageInWords } from "./age-in-words.ts";
import type { DataTools } from "./data-tools.ts";

/** Lists what failed too often, without a word of what was asked. */
export async function listParked({ zones, print }: DataTools): Promise<boolean> {
  let count = 0;
  for (const { parked } of zones)
    for (const { request_id, team_id, age_ms, attempts, why } of (await parked?.list()) ?? []) {
      count += 1;
      print(`${request_id}  ${team_id}  ${ageInWords(age_ms)}  attempts: ${attempts}  ${why}`);
    }
  if (count === 0) print("Nothing is parked.");
  return true;
}

/** Lets one of them be tried again. */
export async function retryParked({ zones, args: { id }, print, tell }: DataTools): Promise<boolean> {
  for (const { parked } of zones) if (await parked?.retry(id)) return (print(`${id} waits to be tried again.`), true);
  tell(`There is no parked question ${id}.`);
  return false;
}
