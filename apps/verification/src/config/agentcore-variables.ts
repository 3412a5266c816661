import { defineConfig, url } from "@crosszone/service-kit";
import { z } from "zod";
import { isRuntimeArn } from "../transport/agentcore/runtime-arn.ts";

/** Which runtime of AWS Bedrock AgentCore the execution zone is. Credentials are found by the AWS SDK, in its own variables. */
export const agentcoreVariables = defineConfig({
  AGENTCORE_RUNTIME_ARN: {
    schema: z
      .string()
      .refine(isRuntimeArn, { error: "it is not the ARN of a runtime" })
      .describe("the ARN of an AgentCore runtime")
      .optional(),
    description: "The runtime that is the execution zone. Required with EXECUTION_TRANSPORT=agentcore.",
    example: "arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/crosszone-A1b2C3d4E5",
    group: "AgentCore",
  },
  AGENTCORE_QUALIFIER: {
    schema: z
      .string()
      .regex(/^[A-Za-z]\w{0,47}$/, { error: "it is not the name of an endpoint" })
      .describe("the name of an endpoint of the runtime")
      .optional(),
    description: "Which endpoint of the runtime is asked; AWS takes DEFAULT when it is not set.",
    group: "AgentCore",
  },
  AGENTCORE_ACCOUNT_ID: {
    schema: z
      .string()
      .regex(/^\d{12}$/, { error: "it is not an account id" })
      .describe("an AWS account id of twelve digits")
      .optional(),
    description: "The account of the runtime, when AWS asks for it beside the ARN.",
    group: "AgentCore",
  },
  AGENTCORE_REGION: {
    schema: z
      .string()
      .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, { error: "it is not a region" })
      .describe("an AWS region")
      .optional(),
    description: "The region that is asked; the one that the ARN names when it is not set.",
    group: "AgentCore",
  },
  AGENTCORE_ENDPOINT: {
    schema: url().optional(),
    description: "Where AgentCore is asked instead of AWS's own address. http: only on this machine.",
    group: "AgentCore",
  },
});
