import { Template } from "aws-cdk-lib/assertions";
import { createApp } from "./app.ts";

/** One thing that a role may do. */
export interface Permission {
  readonly role: string;
  readonly action: string;
  readonly resource: string;
}

interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
}

interface Resource {
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
}

const { stacks } = createApp();

/** The three templates. */
export const [delivery, execution, verification] = stacks.map((stack) => Template.fromStack(stack)) as [
  Template,
  Template,
  Template,
];

/** All that the policies of a template allow: each pair of action and resource, as text. */
export function permissionsOf(template: Template): Permission[] {
  const { Resources } = template.toJSON() as { Resources: Record<string, Resource> };
  return Object.values(Resources)
    .filter(({ Type }) => /^AWS::IAM::(Policy|RolePolicy|ManagedPolicy)$/.test(Type))
    .flatMap(({ Properties: { PolicyDocument, Roles, RoleName } }) => {
      const role = textOf([Roles ?? RoleName].flat()[0]);
      return (PolicyDocument as { Statement: Statement[] }).Statement.flatMap(({ Action, Resource }) =>
        [Action]
          .flat()
          .flatMap((action) => [Resource].flat().map((resource) => ({ role, action, resource: textOf(resource) }))),
      );
    });
}

/** The secrets that verification names by reference, as they are called once they are there. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/^SlackSettingsArn$/, "slack"],
  [/^DatabaseUrl/, "database-url"],
];
const secretArn = (name: string): string =>
  `arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:crosszone/verification/${name}-AbCdEf`;

function textOfReference(name: string): string {
  const [, secret] = secrets.find(([form]) => form.test(name)) ?? [];
  return secret === undefined ? `<${name}>` : secretArn(secret);
}

/** A value of a template as one text: functions and references are written by their names. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  const { Ref, "Fn::Join": join, "Fn::GetAtt": attribute } = value as Record<string, unknown>;
  if (typeof Ref === "string") return textOfReference(Ref);
  if (Array.isArray(join)) return (join[1] as unknown[]).map(textOf).join(String(join[0]));
  if (Array.isArray(attribute)) return `<${attribute.join(".")}>`;
  return JSON.stringify(value);
}

/** Whether one and the same request can match both permissions. */
export function overlaps(one: Permission, other: Permission): boolean {
  const meet = (left: string, right: string): boolean => matches(left, right) || matches(right, left);
  return meet(one.action, other.action) && meet(one.resource, other.resource);
}

/** Whether a pattern of IAM, with `*` and `?`, covers a text or another pattern. */
function matches(pattern: string, text: string): boolean {
  const source = pattern.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${source.replaceAll("*", ".*").replaceAll("?", ".")}$`).test(text);
}
