export { createAppendAudit, type AppendAudit, type AppendOptions } from "./log/append-audit.ts";
export { actorNamed, authorAct, type Author } from "./log/author-act.ts";
export { createAuditHistory, type AuditHistory, type ReadAuditEvent } from "./read/audit-history.ts";
export type { AuditActor, AuditContent, AuditEvent, NewAuditEvent } from "./log/audit-event.ts";
export { auditContentData, auditStep, type AuditTables } from "./table/audit-tables.ts";
