/** The commands that export, delete, re-encrypt and look at what the zones keep. */
export { runDataCommand, type DataCommandOptions, type DataTerminal } from "./data-command.ts";
export { readDataArgs, type DataArgs } from "./read-data-args.ts";
export { commandDatabase, describeDatabase, storageOf, type Storage } from "./storage-config.ts";
export type { ExportedRow, ParkedQuestion, TableCount, UndeliveredMessage, ZoneData } from "./zone-data.ts";
