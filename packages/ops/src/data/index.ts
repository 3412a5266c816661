/** Commands that export, delete, re-encrypt and list what the zones store. */
export { runDataCommand } from "./data-command.ts";
export { readDataArgs } from "./read-data-args.ts";
export { commandDatabase, storageOf } from "./storage.ts";
export type { ZoneData } from "./zone-data.ts";
