import { ageInWords } from "./age-in-words.ts";
import type { DataTools } from "./data-tools.ts";

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
export async function retryParked({ zones, args: { id }, print, tell }: DataTools): Promise<boolean> {
  for (const { parked } of zones) if (await parked?.retry(id)) return (print(`${id} is queued for a retry.`), true);
  tell(`No parked question has the id ${id}.`);
  return false;
}
