import type { DataTools } from "./data-tools.ts";

/** Lists what failed too often, without a word of what was asked. */
export async function listParked({ zones, print }: DataTools): Promise<boolean> {
  let count = 0;
  for (const { parked } of zones)
    for (const { request_id, team_id, age_ms, attempts, why } of (await parked?.list()) ?? []) {
      count += 1;
      print(`${request_id}  ${team_id}  ${ageOf(age_ms)}  attempts: ${attempts}  ${why}`);
    }
  if (count === 0) print("Nothing is parked.");
  return true;
}

/** Lets one of them be tried again. */
export async function retryParked({ zones, args: { requestId }, print, tell }: DataTools): Promise<boolean> {
  for (const { parked } of zones)
    if (await parked?.retry(requestId)) return (print(`${requestId} waits to be tried again.`), true);
  tell(`There is no parked question ${requestId}.`);
  return false;
}

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

function ageOf(ms: number): string {
  const [unit, size] = units.find(([, least]) => ms >= least) ?? ["s", 1_000];
  return `${Math.floor(ms / size)} ${unit}`;
}
