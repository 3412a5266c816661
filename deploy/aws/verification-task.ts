import type { Stack } from "aws-cdk-lib";
import { Repository } from "aws-cdk-lib/aws-ecr";
import * as ecs from "aws-cdk-lib/aws-ecs";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import { type ISecret, Secret } from "aws-cdk-lib/aws-secretsmanager";
import { endpointName, verification } from "./names.ts";
import { imageDigest, textParameter } from "./parameters.ts";
import { slackSettings } from "./variables.ts";

export const listeningPort = 3000;

/** The ARN of the endpoint that verification calls. */
const endpointOf = (runtimeArn: string): string => `${runtimeArn}/runtime-endpoint/${endpointName}`;

export interface TaskParts {
  readonly databaseUrl: ISecret;
  readonly logGroup: ILogGroup;
}

/** What runs on Fargate: the image by digest, on arm64, with a read-only root, and its secrets by reference. */
export function verificationTask(stack: Stack, { databaseUrl, logGroup }: TaskParts): ecs.FargateTaskDefinition {
  const repository = Repository.fromRepositoryName(stack, "Repository", verification.repository);
  const runtimeArn = textParameter(stack, "RuntimeArn", {
    description: "ARN of the execution zone: the output RuntimeArn of CrosszoneExecution",
    pattern: String.raw`^arn:aws[\w-]*:bedrock-agentcore:[\w-]+:\d{12}:runtime/\w+-\w{10}$`,
  }).valueAsString;
  const slack = Secret.fromSecretCompleteArn(stack, "Slack", slackSettingsArn(stack));
  const startRole = createRole(stack, "StartRole", verification.startRole);
  repository.grantPull(startRole);

  const task = new ecs.FargateTaskDefinition(stack, "Task", {
    family: verification.family,
    cpu: 512,
    memoryLimitMiB: 1024,
    runtimePlatform: {
      cpuArchitecture: ecs.CpuArchitecture.ARM64,
      operatingSystemFamily: ecs.OperatingSystemFamily.LINUX,
    },
    taskRole: createTaskRole(stack, runtimeArn),
    executionRole: startRole,
    volumes: [{ name: "data" }],
  });
  const container = task.addContainer("verification", {
    image: ecs.ContainerImage.fromRegistry(repository.repositoryUriForDigest(imageDigest(stack))),
    portMappings: [{ containerPort: listeningPort }],
    readonlyRootFilesystem: true,
    logging: ecs.LogDrivers.awsLogs({ logGroup, streamPrefix: "task" }),
    environment: { EXECUTION_URL: endpointOf(runtimeArn) },
    secrets: {
      ...Object.fromEntries(slackSettings.map((name) => [name, ecs.Secret.fromSecretsManager(slack, name)])),
      DATABASE_URL: ecs.Secret.fromSecretsManager(databaseUrl),
    },
  });
  container.addMountPoints({ sourceVolume: "data", containerPath: "/data", readOnly: false });
  return task;
}

const slackSettingsArn = (stack: Stack): string =>
  textParameter(stack, "SlackSettingsArn", {
    description: "ARN of the secret with SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET and DATA_KEYS, as JSON",
    pattern: String.raw`^arn:aws[\w-]*:secretsmanager:[\w-]+:\d{12}:secret:${verification.secrets}[\w/+=.@-]+-\w{6}$`,
  }).valueAsString;

/** What the program can do: call the endpoint of the runtime. AWS checks the runtime and the endpoint. */
function createTaskRole(stack: Stack, runtimeArn: string): Role {
  const role = createRole(stack, "TaskRole", verification.taskRole);
  role.addToPolicy(
    new PolicyStatement({
      actions: ["bedrock-agentcore:InvokeAgentRuntime"],
      resources: [runtimeArn, endpointOf(runtimeArn)],
    }),
  );
  return role;
}

const createRole = (stack: Stack, id: string, roleName: string): Role =>
  new Role(stack, id, {
    roleName,
    assumedBy: new ServicePrincipal("ecs-tasks.amazonaws.com", {
      conditions: { StringEquals: { "aws:SourceAccount": stack.account } },
    }),
  });
