import { ArnFormat, type Stack } from "aws-cdk-lib";

/** The endpoint of the runtime that verification calls. `DEFAULT` follows every new version; this one moves by promotion only. */
export const endpointName = "prod";

/** Fixed names: the stacks and the deploy script find each other by them. One installation an account. */
export const execution = {
  repository: "crosszone-execution",
  role: "crosszone-execution-runtime",
  /** AgentCore allows letters, digits and underscores. */
  runtime: "crosszone_execution",
  secrets: "crosszone/execution/",
} as const;

export const verification = {
  repository: "crosszone-verification",
  cluster: "crosszone",
  service: "verification",
  family: "crosszone-verification",
  taskRole: "crosszone-verification-task",
  startRole: "crosszone-verification-start",
  secrets: "crosszone/verification/",
} as const;

/** The runtime, whatever the ten characters are that AWS adds to its name. `path` names an endpoint of it. */
export const runtimeArn = (stack: Stack, path = ""): string =>
  stack.formatArn({
    service: "bedrock-agentcore",
    resource: "runtime",
    resourceName: `${execution.runtime}-${"?".repeat(10)}${path}`,
  });

export const roleArn = (stack: Stack, role: string): string =>
  stack.formatArn({ service: "iam", region: "", resource: "role", resourceName: role });

/** Every secret whose name starts with `prefix`. */
export const secretsArn = (stack: Stack, prefix: string): string =>
  stack.formatArn({
    service: "secretsmanager",
    resource: "secret",
    resourceName: `${prefix}*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
