import { ArnFormat, CfnCondition, CfnParameter, Fn, Stack, type StackProps } from "aws-cdk-lib";
import { AgentRuntimeArtifact, ProtocolType, Runtime } from "aws-cdk-lib/aws-bedrockagentcore";
import { Repository } from "aws-cdk-lib/aws-ecr";
import { CfnRolePolicy, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { endpointName, execution, runtimeArn, secretsArn } from "./names.ts";
import { addOutput, imageDigest, textParameter } from "./parameters.ts";
import { executionVariables } from "./variables.ts";

/** The execution zone: an AgentCore runtime with the endpoint `prod`. It holds nothing of Slack. AgentCore runs arm64 images only. */
export class ExecutionStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const digest = imageDigest(this);
    const model = textParameter(this, "Model", {
      description: "Language model of Amazon Bedrock as bedrock/<id>, or none",
      pattern: String.raw`^(none|bedrock/[\w.:-]+)$`,
      fallback: "none",
    }).valueAsString;
    const verificationUrl = textParameter(this, "VerificationUrl", {
      description: "Public URL of verification, from which files are read; empty: agents get no contents of files",
      pattern: String.raw`^(https://[\w.:-]+)?$`,
      fallback: "",
    }).valueAsString;
    const repository = Repository.fromRepositoryName(this, "Repository", execution.repository);
    const role = this.#createRole();
    repository.grantPull(role);
    this.#allowModels(role);

    const runtime = new Runtime(this, "Runtime", {
      runtimeName: execution.runtime,
      agentRuntimeArtifact: AgentRuntimeArtifact.fromImageUri(repository.repositoryUriForDigest(digest)),
      // Without updates by the construct, which would add wildcards for tracing, metrics and workload identities.
      executionRole: role.withoutPolicyUpdates(),
      protocolConfiguration: ProtocolType.HTTP,
      environmentVariables: {
        ...executionVariables,
        AWS_REGION: this.region,
        MODEL: model,
        VERIFICATION_URL: verificationUrl,
      },
    });
    runtime.node.addDependency(role);
    runtime.addEndpoint(endpointName);
    addOutput(this, "RuntimeArn", runtime.agentRuntimeArn);
  }

  #createRole(): Role {
    const role = new Role(this, "Role", {
      roleName: execution.role,
      assumedBy: new ServicePrincipal("bedrock-agentcore.amazonaws.com", {
        conditions: {
          StringEquals: { "aws:SourceAccount": this.account },
          ArnLike: { "aws:SourceArn": runtimeArn(this) },
        },
      }),
    });
    const logGroup = this.formatArn({
      service: "logs",
      resource: "log-group",
      resourceName: `/aws/bedrock-agentcore/runtimes/${execution.runtime}-*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    role.addToPolicy(
      new PolicyStatement({ actions: ["logs:CreateLogGroup", "logs:DescribeLogStreams"], resources: [logGroup] }),
    );
    role.addToPolicy(
      new PolicyStatement({
        actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
        resources: [`${logGroup}:log-stream:*`],
      }),
    );
    role.addToPolicy(
      new PolicyStatement({
        actions: ["secretsmanager:GetSecretValue"],
        resources: [secretsArn(this, execution.secrets)],
      }),
    );
    return role;
  }

  /** Lets the role call the named models of Bedrock, and no others. */
  #allowModels(role: Role): void {
    const arns = new CfnParameter(this, "BedrockModelArns", {
      type: "CommaDelimitedList",
      description: "ARNs of the foundation models and inference profiles that execution can call; empty: none",
      default: "",
    });
    const policy = new CfnRolePolicy(this, "ModelPolicy", {
      roleName: role.roleName,
      policyName: "models",
      policyDocument: {
        Version: "2012-10-17",
        Statement: [
          {
            Effect: "Allow",
            Action: ["bedrock:InvokeModel", "bedrock:InvokeModelWithResponseStream"],
            Resource: arns.valueAsList,
          },
        ],
      },
    });
    const isNamed = new CfnCondition(this, "HasModels", {
      expression: Fn.conditionNot(Fn.conditionEquals(Fn.join("", arns.valueAsList), "")),
    });
    policy.cfnOptions.condition = isNamed;
  }
}
