import { CfnOutput, CfnParameter, type Stack } from "aws-cdk-lib";

/** The image to run, by digest: a tag can change its meaning, a digest cannot. */
export const imageDigest = (stack: Stack): string =>
  new CfnParameter(stack, "ImageDigest", {
    description: "Digest of the image in the ECR repository of this app",
    allowedPattern: "^sha256:[0-9a-f]{64}$",
    constraintDescription: "Expected sha256: and 64 hexadecimal digits.",
  }).valueAsString;

/** A parameter that takes only text of one form. */
export function textParameter(
  stack: Stack,
  name: string,
  { description, pattern, fallback }: { description: string; pattern: string; fallback?: string },
): CfnParameter {
  return new CfnParameter(stack, name, {
    description,
    allowedPattern: pattern,
    ...(fallback !== undefined && { default: fallback }),
  });
}

/** A value that is shown once the stack is there. */
export const addOutput = (stack: Stack, name: string, value: string): CfnOutput =>
  new CfnOutput(stack, name, { value });
