import type { Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { endpointName, execution, roleArn, runtimeArn, verification } from "./names.ts";

/** What `pnpm deploy:agentcore` calls, and the smoke test after it, which asks the zone for its agents. */
export function deployExecution(stack: Stack): PolicyStatement[] {
  const endpoint = runtimeArn(stack, `/runtime-endpoint/${endpointName}`);
  return [
    new PolicyStatement({
      actions: ["bedrock-agentcore:GetAgentRuntime", "bedrock-agentcore:UpdateAgentRuntime"],
      resources: [runtimeArn(stack)],
    }),
    new PolicyStatement({
      actions: ["bedrock-agentcore:GetAgentRuntimeEndpoint", "bedrock-agentcore:UpdateAgentRuntimeEndpoint"],
      resources: [runtimeArn(stack), endpoint],
    }),
    new PolicyStatement({
      actions: ["bedrock-agentcore:InvokeAgentRuntime"],
      resources: [runtimeArn(stack), endpoint],
    }),
    // IAM has no resource for this action. It reads names, numbers and states of versions.
    new PolicyStatement({ actions: ["bedrock-agentcore:ListAgentRuntimeVersions"], resources: ["*"] }),
    passRoles(stack, "bedrock-agentcore.amazonaws.com", [execution.role]),
  ];
}

/** What the deploy workflow calls: AWS's actions for ECS, and the AWS CLI. */
export function deployVerification(stack: Stack): PolicyStatement[] {
  const ecs = (resource: string, resourceName: string): string =>
    stack.formatArn({ service: "ecs", resource, resourceName });
  const service = `${verification.cluster}/${verification.service}`;
  return [
    new PolicyStatement({
      actions: ["ecs:DescribeServices", "ecs:UpdateService"],
      resources: [ecs("service", service)],
    }),
    new PolicyStatement({
      actions: ["ecs:RegisterTaskDefinition", "ecs:TagResource"],
      resources: [ecs("task-definition", `${verification.family}:*`)],
    }),
    // IAM has no resource for this action. Task definitions hold references to secrets, never their values.
    new PolicyStatement({ actions: ["ecs:DescribeTaskDefinition"], resources: ["*"] }),
    passRoles(stack, "ecs-tasks.amazonaws.com", [verification.taskRole, verification.startRole]),
  ];
}

const passRoles = (stack: Stack, service: string, roles: readonly string[]): PolicyStatement =>
  new PolicyStatement({
    actions: ["iam:PassRole"],
    resources: roles.map((role) => roleArn(stack, role)),
    conditions: { StringEquals: { "iam:PassedToService": service } },
  });
