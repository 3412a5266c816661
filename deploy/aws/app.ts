/**
 * Writes the CloudFormation templates of Crosszone on AWS to `cdk.out`: `pnpm --dir deploy/aws synth`. They name no account and no region, and
 * have no assets, so that no network is needed here and no bootstrap in the account.
 */
import { App, BootstraplessSynthesizer, type StackProps } from "aws-cdk-lib";
import { DeliveryStack } from "./delivery-stack.ts";
import { ExecutionStack } from "./execution-stack.ts";
import { VerificationStack } from "./verification-stack.ts";

/** The three stacks, in the order in which they are deployed. */
export function createApp(outdir?: string): { app: App; stacks: [DeliveryStack, ExecutionStack, VerificationStack] } {
  const app = new App({ analyticsReporting: false, ...(outdir !== undefined && { outdir }) });
  // A synthesizer belongs to one stack.
  const props = (): StackProps => ({ synthesizer: new BootstraplessSynthesizer() });
  return {
    app,
    stacks: [
      new DeliveryStack(app, "CrosszoneDelivery", props()),
      new ExecutionStack(app, "CrosszoneExecution", props()),
      new VerificationStack(app, "CrosszoneVerification", props()),
    ],
  };
}

if (import.meta.main) {
  const { app, stacks } = createApp(`${import.meta.dirname}/cdk.out`);
  app.synth();
  for (const { stackName } of stacks) console.log(`deploy/aws/cdk.out/${stackName}.template.json`);
}
