import type { DataTools } from "./data-tools.ts";
import { DataCommandError } from "./data-command-error.ts";

/** Encrypts everything with the first key. False when something did not open: its key may not be taken away. */
export async function resealAll({ zones, print, tell }: DataTools): Promise<boolean> {
  let failures = 0;
  for (const data of zones) {
    const { zone, at } = data;
    const done = await data.reseal();
    if (done.length === 0) throw new DataCommandError(`${zone} has no DATA_KEYS: there is nothing to encrypt with.`);
    const sealed = done.reduce((sum, table) => sum + table.sealed, 0);
    print(`${zone}: ${sealed} values are encrypted with the first key now (${at})`);
    for (const { table, failed } of done)
      if (failed > 0)
        tell(`${zone}.${table}: ${failed} values do not open with the keys that there are, and stay as they are.`);
    failures += done.reduce((sum, { failed }) => sum + failed, 0);
  }
  if (failures === 0) print("The other keys of DATA_KEYS can go once every process has the new first key.");
  return failures === 0;
}
