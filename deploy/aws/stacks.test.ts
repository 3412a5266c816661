import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Match } from "aws-cdk-lib/assertions";
import { createApp } from "./app.ts";
import { delivery, execution, textOf, verification } from "./read-templates.ts";

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
