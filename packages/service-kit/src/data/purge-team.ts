import type { DataTools } from "./data-tools.ts";
import type { ZoneData } from "./zone-data.ts";

/** Shows what is stored of a team, asks for a confirmation, deletes it, and checks whether new rows have arrived. */
export async function purgeTeam({ zones, args: { team, yes }, print, tell, ask }: DataTools): Promise<boolean> {
  const before = await countAll(zones, team);
  for (const { zone, at } of zones) print(`${zone}: ${at}`);
  if (before.every(({ rows }) => rows === 0)) {
    print(`No data is stored for ${team}.`);
    return true;
  }
  print(`Data of ${team}:`);
  for (const { zone, table, rows, holds } of before)
    if (rows > 0) print(`  ${String(rows).padStart(7)}  ${zone}.${table}: ${holds}`);
  print("Open questions will not be answered. Messages in Slack are not deleted.");
  if (!yes) {
    const typed = await ask(`Type ${team} to delete all of it permanently: `);
    if (typed === undefined) tell("No terminal to confirm on. Add --yes to delete without confirmation.");
    if (typed?.trim() !== team) return (tell("Nothing was deleted."), false);
  }
  let whole = true;
  for (const data of zones) {
    const { zone } = data;
    const { deleted, erased } = await data.purge(team);
    for (const { table, rows } of deleted) if (rows > 0) print(`deleted ${rows} from ${zone}.${table}`);
    if (!erased)
      tell(
        `${zone}: the write-ahead log could not be truncated because another process is reading. Run this command again.`,
      );
    whole &&= erased;
  }
  const again = (await countAll(zones, team)).filter(({ rows }) => rows > 0);
  for (const { zone, table, rows } of again) tell(`${zone}.${table} has ${rows} new rows of ${team}.`);
  if (again.length > 0)
    tell(`The app still receives events of ${team}. Uninstall it from the workspace, then run this command again.`);
  return whole && again.length === 0;
}

async function countAll(zones: readonly ZoneData[], team: string) {
  const counted = [];
  for (const data of zones) for (const one of await data.count(team)) counted.push({ zone: data.zone, ...one });
  return counted;
}
