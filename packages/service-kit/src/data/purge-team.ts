import type { DataTools } from "./data-tools.ts";
import type { ZoneData } from "./zone-data.ts";

/** Says what is kept of a team, asks, deletes it, and looks whether something came again meanwhile. */
export async function purgeTeam({ zones, args: { team, yes }, print, tell, ask }: DataTools): Promise<boolean> {
  const before = await countAll(zones, team);
  for (const { zone, at } of zones) print(`${zone}: ${at}`);
  if (before.every(({ rows }) => rows === 0)) {
    print(`Nothing is kept of ${team}.`);
    return true;
  }
  print(`Of ${team} there are:`);
  for (const { zone, table, rows, holds } of before)
    if (rows > 0) print(`  ${String(rows).padStart(7)}  ${zone}.${table}: ${holds}`);
  print("What is open among it is not answered any more; messages in Slack stay as they are.");
  if (!yes) {
    const typed = await ask(`Type ${team} to delete all of it for good: `);
    if (typed === undefined) tell("Nobody can be asked here: say --yes to delete it.");
    if (typed?.trim() !== team) return (tell("Nothing was deleted."), false);
  }
  let whole = true;
  for (const data of zones) {
    const { zone } = data;
    const { deleted, erased } = await data.purge(team);
    for (const { table, rows } of deleted) if (rows > 0) print(`deleted ${rows} from ${zone}.${table}`);
    if (!erased)
      tell(`${zone}: the write-ahead log could not be emptied, somebody reads all the time. Run this again.`);
    whole &&= erased;
  }
  const again = (await countAll(zones, team)).filter(({ rows }) => rows > 0);
  for (const { zone, table, rows } of again) tell(`${zone}.${table} has ${rows} rows of ${team} again.`);
  if (again.length > 0) tell(`The app still hears from ${team}: take it out of the workspace, then run this again.`);
  return whole && again.length === 0;
}

async function countAll(zones: readonly ZoneData[], team: string) {
  const counted = [];
  for (const data of zones) for (const one of await data.count(team)) counted.push({ zone: data.zone, ...one });
  return counted;
}
