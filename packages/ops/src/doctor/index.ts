/** The doctor: a table of rows {variables, probe, advice}, its runner, and the rows that every zone has. */
export { clockRow, type ClockOptions, type Peer, reachableRow } from "./peers.ts";
export { runDoctor, type ZoneTable } from "./run-doctor.ts";
export { judgeCertificates, readSettings } from "./start.ts";
export { failed, failedBy, type Finding, passed, type Row, type RowResult, runRows, skipped, warned } from "./table.ts";
export { zoneRows } from "./zone-rows.ts";
