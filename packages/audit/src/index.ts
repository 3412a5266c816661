export { createAnchor, type AuditAnchor } from "./log/open-log.ts";
export { createAppendAudit, type AppendAudit, type AppendOptions } from "./log/append-audit.ts";
export { actorNamed, authorAct, zoneAct, type Author } from "./log/audit-event.ts";
export type { NewAuditEvent } from "./log/audit-event.ts";
export {
  auditConstants,
  auditVariables,
  deriveSecret,
  ownKeyPath,
  readAuditKey,
  type AuditKeyConfig,
} from "./log/open-zone-audit.ts";
export { restoredMark } from "./log/open-log.ts";
export { openAuditLog, type AuditLogOptions } from "./log/audit-log.ts";
export { auditData, openZoneAudit, type ZoneAudit } from "./log/open-zone-audit.ts";
export { createActLimit, createRecordRefusal, createRecordRejected, type RecordAct } from "./log/audit-event.ts";
export { exportAudit, type ExportHeader } from "./read-audit.ts";
export { type EventsQuery, type ReadDeps, readHistory } from "./read-audit.ts";
export { receiptOf } from "./read-audit.ts";
export { publicKeyText } from "./tree.ts";
export { auditContentData, auditStep, type AuditTables, auditTablesOfNoTeam } from "./audit-tables.ts";
