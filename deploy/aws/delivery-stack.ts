import { CfnCondition, Fn, RemovalPolicy, Stack, type StackProps } from "aws-cdk-lib";
import { Repository, TagMutability } from "aws-cdk-lib/aws-ecr";
import { CfnOIDCProvider, Role, WebIdentityPrincipal, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { execution, verification, endpointName, roleArn, runtimeArn } from "./names.ts";
import { addOutput, textParameter } from "./parameters.ts";

const issuer = "token.actions.githubusercontent.com";

interface Delivery {
  readonly app: "Execution" | "Verification";
  readonly repository: string;
  readonly statements: readonly PolicyStatement[];
}

/**
 * What CI needs, for each app apart: an image repository, and a role that GitHub Actions takes by OIDC. A role trusts one
 * environment of one repository, and can change one app.
 */
export class DeliveryStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const source = textParameter(this, "GitHubRepository", {
      description: "Repository on GitHub whose workflow deploys, as owner/name",
      pattern: String.raw`^[\w.-]+/[\w.-]+$`,
    }).valueAsString;
    const trust = { provider: this.#oidcProvider(), source };
    this.#deliver({ app: "Execution", repository: execution.repository, statements: deployExecution(this) }, trust);
    this.#deliver(
      { app: "Verification", repository: verification.repository, statements: deployVerification(this) },
      trust,
    );
  }

  #deliver(
    { app, repository: repositoryName, statements }: Delivery,
    trust: { provider: string; source: string },
  ): void {
    const repository = new Repository(this, `${app}Images`, {
      repositoryName,
      imageTagMutability: TagMutability.IMMUTABLE,
      imageScanOnPush: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const environment = textParameter(this, `${app}Environment`, {
      description: `Environment on GitHub whose jobs deploy ${app.toLowerCase()}`,
      pattern: String.raw`^[\w.-]+$`,
      fallback: app.toLowerCase(),
    }).valueAsString;
    const role = new Role(this, `Deploy${app}`, {
      roleName: `crosszone-deploy-${app.toLowerCase()}`,
      assumedBy: new WebIdentityPrincipal(trust.provider, {
        StringEquals: {
          [`${issuer}:aud`]: "sts.amazonaws.com",
          [`${issuer}:sub`]: `repo:${trust.source}:environment:${environment}`,
        },
      }),
    });
    repository.grantPullPush(role);
    for (const statement of statements) role.addToPolicy(statement);
    addOutput(this, `${app}ImageRepository`, repository.repositoryUri);
    addOutput(this, `${app}DeployRole`, role.roleArn);
  }

  /** An account has one provider an issuer: the one that is there, else a new one. */
  #oidcProvider(): string {
    const given = textParameter(this, "GitHubOidcProviderArn", {
      description: "ARN of the OIDC provider of GitHub in this account, if it has one; empty: it is created",
      pattern: String.raw`^(arn:aws[\w-]*:iam::\d{12}:oidc-provider/token\.actions\.githubusercontent\.com)?$`,
      fallback: "",
    }).valueAsString;
    const provider = new CfnOIDCProvider(this, "GitHub", {
      url: `https://${issuer}`,
      clientIdList: ["sts.amazonaws.com"],
    });
    const isMissing = new CfnCondition(this, "CreatesOidcProvider", { expression: Fn.conditionEquals(given, "") });
    provider.cfnOptions.condition = isMissing;
    return Fn.conditionIf(isMissing.logicalId, provider.attrArn, given).toString();
  }
}

/** What `pnpm deploy:agentcore` calls, and the smoke test after it, which asks the zone for its agents. */
function deployExecution(stack: Stack): PolicyStatement[] {
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
function deployVerification(stack: Stack): PolicyStatement[] {
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
