/** The doctor: a table of rows {variables, probe, advice}, its runner, and the rows that every zone has. */
export { clockRow, type ClockOptions, type Peer, reachableRow, judgeCertificates } from "./peers.ts";
export { readSettings } from "./run-doctor.ts";
export {
  runDoctor,
  type ZoneTable,
  failed,
  failedBy,
  type Finding,
  passed,
  type DoctorRow,
  type RowResult,
  runRows,
  skipped,
  warned,
} from "./run-doctor.ts";
export { zoneRows } from "./zone-rows.ts";
