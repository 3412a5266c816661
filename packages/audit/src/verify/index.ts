/** `@crosszone/audit/verify`: verifies exports and receipts without a zone. */
export { readPublicKey } from "../tree/checkpoint.ts";
export { AuditInputError, type Finding, type Tampering, type Verdict } from "./verdict.ts";
export { linesOf, verifyAudit, type VerifyOptions } from "./verify-audit.ts";
