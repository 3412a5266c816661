import type { DataTools } from "./data-tools.ts";
import { DataCommandError } from "./data-command-error.ts";

/** Encrypts everything with the first key. Resolves with false when a value could not be decrypted; its key must not be removed then. */
export async function resealAll({ zones, print, tell }: DataTools): Promise<boolean> {
  let failures = 0;
  for (const data of zones) {
    const { zone, at } = data;
    const done = await data.reseal();
    if (done.length === 0) throw new DataCommandError(`${zone} has no DATA_KEYS, so nothing can be encrypted.`);
    const sealed = done.reduce((sum, table) => sum + table.sealed, 0);
    print(`${zone}: ${sealed} values are now encrypted with the first key (${at})`);
    for (const { table, failed } of done)
      if (failed > 0)
        tell(`${zone}.${table}: ${failed} values can't be decrypted with the configured keys and were left unchanged.`);
    failures += done.reduce((sum, { failed }) => sum + failed, 0);
  }
  if (failures === 0) print("Remove the other keys of DATA_KEYS once every process uses the new first key.");
  return failures === 0;
}
