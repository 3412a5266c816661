/** The verification zone: faces Slack, verifies every request, and calls execution. */
export { errorSentence } from "./showing/error-sentences.ts";
export { VerificationApp } from "./zone/app.ts";
export { loadVerificationConfig, verificationConfig } from "./zone/config.ts";
export { openVerificationDatabase, verificationMigrations } from "./database.ts";
export { verificationDoctor } from "./zone/doctor.ts";
export { openVerificationZone, type VerificationDeps } from "./zone/open-zone.ts";
export { verificationPurges } from "./zone/open-zone.ts";
export { policyOf, verificationSections } from "./policy/policy-section.ts";
export { createCredentials, type CredentialsOptions, type LinkProof } from "./link/transports.ts";
export { createHttpsTransport } from "./link/https-transport.ts";
