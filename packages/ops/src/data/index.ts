/** Commands that export, delete, re-encrypt and list what the zones store. */
export { runDataCommand } from "./data-command.ts";
export { createKeyCommands, dataKeysStep, type DataKeyTables, openDataKeys } from "./data-keys.ts";
export { commandDatabase, readDataArgs, storageOf, type ZoneData } from "./zone-data.ts";
