/** Commands that export, delete, re-encrypt and list what the zones store. */
export { runDataCommand, type DataCommandOptions, type DataTerminal } from "./data-command.ts";
export { readDataArgs, type DataArgs } from "./read-data-args.ts";
export { commandDatabase, describeDatabase, storageOf, type Storage } from "./storage.ts";
export type { ExportedRow, ParkedQuestion, TableCount, UndeliveredMessage, ZoneData } from "./zone-data.ts";
