export { createAnchor, type AuditAnchor } from "./log/anchor.ts";
export { createAppendAudit, type AppendAudit, type AppendOptions } from "./log/append-audit.ts";
export { actorNamed, authorAct, authorOf, zoneAct, type Author } from "./log/author-act.ts";
export type { NewAuditEvent } from "./log/audit-event.ts";
export {
  auditConstants,
  auditVariables,
  deriveSecret,
  ownKeyPath,
  readAuditKey,
  type AuditKeyConfig,
} from "./log/audit-key.ts";
export { openAuditLog, type AuditLog, type AuditLogOptions } from "./log/audit-log.ts";
export { auditData, openZoneAudit, type RecordAct, type ZoneAudit } from "./log/open-zone-audit.ts";
export { createActLimit, createRecordRefusal } from "./log/record-refusal.ts";
export { answerAudit, type AuditAnswer, type AuditQuery } from "./read/answer-audit.ts";
export { exportAudit, type ExportHeader } from "./read/export-audit.ts";
export { type EventsQuery, type ReadDeps, readHistory } from "./read/read-events.ts";
export { receiptOf } from "./read/receipt.ts";
export { publicKeyText } from "./tree/checkpoint.ts";
export { auditContentData, auditStep, type AuditTables, auditTablesOfNoTeam } from "./table/audit-tables.ts";
