/** The verification zone: faces Slack, verifies every request, and calls execution. */
export { errorSentence } from "./answering/sentences/error-sentences.ts";
export { createVerificationApp, type VerificationApp } from "./app.ts";
export type { Clock } from "./time/clock.ts";
export { loadVerificationConfig, verificationConfig, type VerificationConfig } from "./config/config.ts";
export { verificationMigrations } from "./database/migrations.ts";
export { openVerificationDatabase } from "./database/open-verification-database.ts";
export { verificationDoctor } from "./ops/doctor/verification-doctor.ts";
export { createDeps } from "./create-deps.ts";
export type { VerificationDeps } from "./deps.ts";
export type { SlackIntake } from "./edge/slack-connection.ts";
export type { HandleStore, StoredHandle } from "./zone-link/handles/handles.ts";
export type { Inbox, StopTarget } from "./inbox/inbox.ts";
export type { Question, LeasedRecord, InboxRecord, StopRecord } from "./inbox/records.ts";
export type { ThreadStore } from "./inbox/thread-store.ts";
export { policySchema } from "./policy/access-policy.ts";
export { ruleNames } from "./policy/rules.ts";
export type { SlackApi, SlackIdentity } from "./slack/slack-api.ts";
export {
  createCredentials,
  type CredentialsOptions,
  type LinkProof,
} from "./zone-link/credentials/create-credentials.ts";
export type { Credentials, OutgoingRequest, ProofHeaders } from "./zone-link/credentials/credentials.ts";
export { createHttpsTransport, type HttpsTransportOptions } from "./zone-link/transports/https-transport.ts";
