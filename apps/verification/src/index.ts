/** The verification zone: faces Slack, verifies every request, and calls execution. */
export { errorSentence } from "./answering/sentences/error-sentences.ts";
export { createVerificationApp } from "./app.ts";
export { loadVerificationConfig, verificationConfig } from "./config/config.ts";
export { verificationMigrations } from "./database/migrations.ts";
export { openVerificationDatabase } from "./database/open-verification-database.ts";
export { verificationDoctor } from "./ops/doctor/verification-doctor.ts";
export { createDeps } from "./create-deps.ts";
export { verificationPurges } from "./ops/data/verification-tables.ts";
export type { VerificationDeps } from "./deps.ts";
export { policySchema } from "./policy/access-policy.ts";
export {
  createCredentials,
  type CredentialsOptions,
  type LinkProof,
} from "./zone-link/credentials/create-credentials.ts";
export { createHttpsTransport } from "./zone-link/transports/https-transport.ts";
