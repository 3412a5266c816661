import assert from "node:assert/strict";
import { test } from "node:test";
import { delivery, execution, overlaps, permissionsOf, type Permission, verification } from "./read-templates.ts";

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
