/** `@crosszone/audit/verify`: verifies exports and receipts without a zone. */
export { readPublicKey } from "../tree.ts";
export { AuditInputError, type AuditFinding, type Tampering, type ExportVerdict } from "./export-reader.ts";
export { linesOf, verdictText, verifyAudit, type VerifyOptions } from "./verify-audit.ts";
