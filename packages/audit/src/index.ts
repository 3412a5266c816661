export { createAnchor, type AuditAnchor } from "./log/anchor.ts";
export { createAppendAudit, type AppendAudit, type AppendOptions } from "./log/append-audit.ts";
export { actorNamed, authorAct, type Author } from "./log/author-act.ts";
export { readHistory } from "./read/audit-history.ts";
export type { AuditActor, AuditContent, AuditEvent, NewAuditEvent } from "./log/audit-event.ts";
export { auditVariables, readAuditKey, type AuditKeyConfig } from "./log/audit-key.ts";
export { openAuditLog, type AuditLog, type AuditLogOptions } from "./log/audit-log.ts";
export {
  answerAudit,
  type AuditAnswer,
  type AuditEventList,
  type AuditHead,
  type AuditQuery,
} from "./read/answer-audit.ts";
export { exportAudit, type ExportHeader } from "./read/export-audit.ts";
export type { EventsQuery, ExportedEvent, ReadDeps } from "./read/read-events.ts";
export { type AuditReceipt, receiptOf } from "./read/receipt.ts";
export { auditContentData, auditStep, type AuditTables } from "./table/audit-tables.ts";
