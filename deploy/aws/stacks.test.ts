import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Match } from "aws-cdk-lib/assertions";
import { createApp } from "./app.ts";
import {
  delivery,
  execution,
  overlaps,
  type Permission,
  permissionsOf,
  textOf,
  verification,
} from "./read-templates.ts";

/** What no resource can be named for, so that every role that does it has it for all. It gives a login for the registry, no image. */
const registryLogin = "ecr:GetAuthorizationToken *";

const shared = (left: readonly Permission[], right: readonly Permission[]): string[] => {
  const pairs = left.flatMap((one) => right.filter((other) => overlaps(one, other)).map((other) => [one, other]));
  return [...new Set(pairs.map(([one]) => `${one?.action} ${one?.resource}`))];
};

const ofRole = (permissions: readonly Permission[], role: RegExp): Permission[] =>
  permissions.filter((permission) => role.test(permission.role));

const actionsOn = (permissions: readonly Permission[], service: string): string[] =>
  permissions
    .filter(({ action }) => action.startsWith(`${service}:`))
    .map(({ action, resource }) => `${action} ${resource}`);

describe("stacks", () => {
  test("execution is an AgentCore runtime over HTTP, whose image is a parameter by digest, with the endpoint prod", () => {
    execution.hasResourceProperties("AWS::BedrockAgentCore::Runtime", {
      ProtocolConfiguration: "HTTP",
      EnvironmentVariables: { HOST_PROFILE: "agentcore", CALLER_AUTH: "platform" },
    });
    const [runtime] = Object.values(execution.findResources("AWS::BedrockAgentCore::Runtime"));
    const { ContainerUri } = runtime?.Properties.AgentRuntimeArtifact.ContainerConfiguration ?? {};
    assert.match(textOf(ContainerUri), /\/crosszone-execution@<ImageDigest>$/);
    execution.hasResourceProperties("AWS::BedrockAgentCore::RuntimeEndpoint", {
      Name: "prod",
      AgentRuntimeVersion: { "Fn::GetAtt": [Match.anyValue(), "AgentRuntimeVersion"] },
    });
  });

  test("verification runs on arm64 as a digest, with a read-only root and its secrets by reference", () => {
    verification.hasResourceProperties("AWS::ECS::TaskDefinition", {
      RuntimePlatform: { CpuArchitecture: "ARM64", OperatingSystemFamily: "LINUX" },
    });
    const [task] = Object.values(verification.findResources("AWS::ECS::TaskDefinition"));
    const [container] = task?.Properties.ContainerDefinitions ?? [];
    assert.match(textOf(container.Image), /\/crosszone-verification@<ImageDigest>$/);
    assert.equal(container.ReadonlyRootFilesystem, true);
    assert.deepEqual(
      container.Secrets.map(({ Name }: { Name: string }) => Name),
      ["SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET", "DATA_KEYS", "DATABASE_URL"],
    );
    assert.deepEqual(
      container.Environment.map(({ Name }: { Name: string }) => Name),
      ["EXECUTION_URL"],
    );
  });

  test("a digest is the only form in which an image is accepted", () => {
    for (const template of [execution, verification])
      template.hasParameter("ImageDigest", { AllowedPattern: "^sha256:[0-9a-f]{64}$", Default: Match.absent() });
  });

  test("a deploy that fails takes itself back, and never leaves fewer tasks than before", () => {
    verification.hasResourceProperties("AWS::ECS::Service", {
      DesiredCount: 2,
      DeploymentConfiguration: {
        MinimumHealthyPercent: 100,
        DeploymentCircuitBreaker: { Enable: true, Rollback: true },
      },
    });
  });

  test("the load balancer speaks TLS only, with a certificate that is given, and asks /readyz", () => {
    verification.allResourcesProperties("AWS::ElasticLoadBalancingV2::Listener", {
      Protocol: "HTTPS",
      Port: 443,
      SslPolicy: Match.stringLikeRegexp("TLS13"),
      Certificates: [{ CertificateArn: { Ref: "CertificateArn" } }],
    });
    verification.resourceCountIs("AWS::ElasticLoadBalancingV2::Listener", 1);
    verification.hasResourceProperties("AWS::ElasticLoadBalancingV2::TargetGroup", { HealthCheckPath: "/readyz" });
    const groups = Object.values(verification.findResources("AWS::EC2::SecurityGroup"));
    const ports = groups.flatMap(({ Properties }) => Properties.SecurityGroupIngress ?? []);
    assert.deepEqual(
      ports.map(({ FromPort, ToPort }) => [FromPort, ToPort]),
      [[443, 443]],
    );
  });

  test("the database is encrypted, has no public address, and outlives the stack", () => {
    verification.hasResource("AWS::RDS::DBInstance", {
      DeletionPolicy: "Snapshot",
      Properties: { StorageEncrypted: true, PubliclyAccessible: false, DeletionProtection: true },
    });
  });

  test("each app has its own repository, where a tag is never moved", () => {
    const repositories = Object.values(delivery.findResources("AWS::ECR::Repository"));
    assert.deepEqual(
      repositories.map(({ Properties }) => [Properties.RepositoryName, Properties.ImageTagMutability]),
      [
        ["crosszone-execution", "IMMUTABLE"],
        ["crosszone-verification", "IMMUTABLE"],
      ],
    );
  });

  test("the templates name no account, and can be deployed without a bootstrap: no assets", (context) => {
    const folder = mkdtempSync(join(tmpdir(), "cdk-out-"));
    context.after(() => rmSync(folder, { recursive: true }));
    const { app } = createApp(folder);
    const assembly = app.synth();
    for (const stack of assembly.stacks) {
      assert.deepEqual(stack.assets, []);
      assert.equal(stack.environment.account, "unknown-account");
      // What CloudFormation takes in a request: 51,200 bytes.
      assert.ok(JSON.stringify(stack.template, undefined, 1).length < 51_200, stack.stackName);
    }
    assert.equal(readdirSync(folder).filter((name) => name.endsWith(".template.json")).length, 3);
  });
});

describe("wall", () => {
  test("no request is allowed to roles of both zones, but the login at the registry", () => {
    assert.deepEqual(shared(permissionsOf(execution), permissionsOf(verification)), [registryLogin]);
  });

  test("the roles of CI can change one app each", () => {
    const deploys = permissionsOf(delivery);
    const [ofExecution, ofVerification] = [ofRole(deploys, /Execution/), ofRole(deploys, /Verification/)];
    assert.equal(ofExecution.length + ofVerification.length, deploys.length);
    assert.deepEqual(shared(ofExecution, ofVerification), [registryLogin]);
    assert.ok(ofExecution.every(({ action }) => !action.startsWith("ecs:")));
    assert.ok(ofVerification.every(({ action }) => !action.startsWith("bedrock-agentcore:")));
    assert.deepEqual(actionsOn(deploys, "secretsmanager"), []);
    assert.deepEqual(
      actionsOn(deploys, "iam").map((line) => line.replace(/^.*:role\//, "")),
      ["crosszone-execution-runtime", "crosszone-verification-task", "crosszone-verification-start"],
    );
  });

  test("each role of CI trusts one environment of one repository", () => {
    const sub = (environment: string) => ({
      "Fn::Join": ["", ["repo:", { Ref: "GitHubRepository" }, ":environment:", { Ref: environment }]],
    });
    const roles = Object.values(delivery.findResources("AWS::IAM::Role")).map(
      ({ Properties }) => Properties.AssumeRolePolicyDocument.Statement,
    );
    assert.deepEqual(
      roles.map((statements) => statements.map(({ Condition }: { Condition: unknown }) => Condition)),
      ["ExecutionEnvironment", "VerificationEnvironment"].map((environment) => [
        {
          StringEquals: {
            "token.actions.githubusercontent.com:aud": "sts.amazonaws.com",
            "token.actions.githubusercontent.com:sub": sub(environment),
          },
        },
      ]),
    );
  });

  test("execution reaches no token of Slack: no secret of verification, no key of KMS, nothing of it in its variables", () => {
    const permissions = permissionsOf(execution);
    const secrets = actionsOn(permissions, "secretsmanager");
    assert.equal(secrets.length, 1);
    assert.match(secrets[0] ?? "", /^secretsmanager:GetSecretValue arn:.*:secret:crosszone\/execution\/\*$/);
    assert.deepEqual(actionsOn(permissions, "kms"), []);
    assert.doesNotMatch(
      JSON.stringify(execution.toJSON()),
      /slack|crosszone\/verification|resolve:(secretsmanager|ssm)/i,
    );
    const [runtime] = Object.values(execution.findResources("AWS::BedrockAgentCore::Runtime"));
    assert.deepEqual(Object.keys(runtime?.Properties.EnvironmentVariables), [
      "HOST_PROFILE",
      "CALLER_AUTH",
      "AWS_REGION",
      "MODEL",
      "VERIFICATION_URL",
    ]);
  });

  test("the program of verification can call one endpoint of one runtime, and nothing else", () => {
    const program = ofRole(permissionsOf(verification), /TaskRole/);
    assert.deepEqual(
      program.map(({ action, resource }) => `${action} ${resource}`),
      ["", "/runtime-endpoint/prod"].map((path) => `bedrock-agentcore:InvokeAgentRuntime <RuntimeArn>${path}`),
    );
  });

  test("a resource is a wildcard only where IAM can name none", () => {
    const all = [delivery, execution, verification].flatMap(permissionsOf).filter(({ resource }) => resource === "*");
    assert.deepEqual([...new Set(all.map(({ action }) => action))].toSorted(), [
      "bedrock-agentcore:ListAgentRuntimeVersions",
      "ecr:GetAuthorizationToken",
      "ecs:DescribeTaskDefinition",
    ]);
  });
});
