import { DeployError, UsageError } from "./deploy-error.ts";
import type { App } from "./read-arguments.ts";

const deployRole = { execution: "ExecutionDeployRole", verification: "VerificationDeployRole" } as const;
const stack = { execution: "CrosszoneExecution", verification: "CrosszoneVerification" } as const;
const badCredentials =
  /^(UnrecognizedClient|InvalidSignature|ExpiredToken|InvalidClientTokenId|MissingAuthenticationToken|IncompleteSignature)(Exception)?$/;
const unreachable = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT)\b/;

/** What went wrong and what to do about it, in words. */
export function describeFailure(error: unknown, app: App): string {
  if (error instanceof DeployError || error instanceof UsageError) return error.message;
  if (!(error instanceof Error)) return String(error);
  // AWS goes on with what was signed, the session token included.
  const [firstLine = ""] = error.message.split("\n");
  const { name } = error;
  if (firstLine.includes("Region is missing"))
    return "The AWS region is not known. Set AWS_REGION, for example AWS_REGION=eu-central-1.";
  if (name === "CredentialsProviderError")
    return "No AWS credentials were found. Sign in with aws sso login and set AWS_PROFILE; in CI, take the deploy role by OIDC first.";
  if (unreachable.test(firstLine))
    return `AWS cannot be reached: ${firstLine}. Check the network, and that the region exists and has the service.`;
  if (badCredentials.test(name)) return `AWS does not accept the credentials (${name}): ${firstLine} Sign in again.`;
  if (name.startsWith("AccessDenied"))
    return `AWS refused: ${firstLine} Use the deploy role of ${app}: the output ${deployRole[app]} of the stack CrosszoneDelivery.`;
  if (name === "ResourceNotFoundException" || name === "ClusterNotFoundException")
    return `AWS does not find it: ${firstLine} Deploy the stack ${stack[app]} first (deploy/aws/README.md), and check the region and the ARN.`;
  return `AWS answered ${name}: ${firstLine}`;
}
