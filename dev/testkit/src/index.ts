export {
  startAgentCoreStandIn,
  type AgentCoreStandIn,
  type SeenCall,
  type StandInOptions,
} from "./agentcore/agentcore-stand-in.ts";
export type { AwsRefusal } from "./agentcore/invocation.ts";
export type { Behavior } from "./agentcore/invocation.ts";
export type { Ping } from "./agentcore/invocation.ts";
export type { AwsCredentials } from "./agentcore/signature.ts";
export { transportContract, type Connect } from "./transport-contract.ts";
export {
  startAzureIdentityEndpoint,
  startAzureInstanceMetadata,
  type ManagedIdentity,
} from "./clouds/token-service.ts";
export { startGoogleMetadata } from "./clouds/token-service.ts";
export { startIdentityProvider, type IdentityProvider } from "./clouds/token-service.ts";
export { createPrivateCa, type Certificate, type CertificateOptions, type PrivateCa } from "./clouds/private-ca.ts";
export { startTokenService, type ServiceAnswer, type TokenService } from "./clouds/token-service.ts";
export { startCloudRun } from "./clouds/front-end.ts";
export { startFoundry } from "./clouds/front-end.ts";
export type { FrontEnd } from "./clouds/front-end.ts";
export { freePort } from "./servers/free-port.ts";
