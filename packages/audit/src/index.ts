export { createAppendAudit, type AppendAudit, type AppendOptions } from "./log/append-audit.ts";
export type { AuditActor, AuditContent, AuditEvent, NewAuditEvent } from "./log/audit-event.ts";
export { auditContentData, auditStep, type AuditTables } from "./table/audit-tables.ts";
