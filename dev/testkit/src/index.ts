export {
  startAgentCoreStandIn,
  type AgentCoreStandIn,
  type SeenCall,
  type StandInOptions,
} from "./agentcore/agentcore-stand-in.ts";
export { startAws, useCredentials } from "./agentcore/start-aws.ts";
export type { AwsRefusal, Behavior, Ping } from "./agentcore/invocation.ts";
export type { AwsCredentials } from "./agentcore/signature.ts";
export { transportContract, type Connect } from "./transport.contract.ts";
export {
  startAzureIdentityEndpoint,
  startAzureInstanceMetadata,
  startGoogleMetadata,
  startIdentityProvider,
  startTokenService,
  type IdentityProvider,
  type ManagedIdentity,
  type ServiceAnswer,
  type TokenService,
} from "./clouds/token-service.ts";
export { startSignInProvider } from "./clouds/sign-in-provider.ts";
export { createPrivateCa, type Certificate, type CertificateOptions, type PrivateCa } from "./clouds/private-ca.ts";
export { startCloudRun, startFoundry, type FrontEnd } from "./clouds/front-end.ts";
export { freePort } from "./servers/listen.ts";
export {
  type AgentCall,
  type AgentReplies,
  type AgentWork,
  type SentFile,
  startAgent,
  type TestAgent,
} from "./agent.ts";
