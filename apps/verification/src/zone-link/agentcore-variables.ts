import { defineConfig, url } from "@crosszone/service-kit";
import { z } from "zod";
import { isRuntimeArn } from "./transports/agentcore/runtime-arn.ts";

/** The AgentCore runtime that runs execution. The AWS SDK finds its credentials in its own variables. */
export const agentcoreVariables = defineConfig({
  AGENTCORE_RUNTIME_ARN: {
    schema: z
      .string()
      .refine(isRuntimeArn, { error: "it is not the ARN of a runtime" })
      .describe("the ARN of an AgentCore runtime")
      .optional(),
    description: "ARN of the AgentCore runtime that runs execution. Required with EXECUTION_TRANSPORT=agentcore.",
    example: "arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/crosszone-A1b2C3d4E5",
    group: "AgentCore",
  },
  AGENTCORE_QUALIFIER: {
    schema: z
      .string()
      .regex(/^[A-Za-z]\w{0,47}$/, { error: "it is not the name of an endpoint" })
      .describe("the name of an endpoint of the runtime")
      .optional(),
    description: "Endpoint of the runtime. If unset, AWS uses DEFAULT.",
    group: "AgentCore",
  },
  AGENTCORE_ACCOUNT_ID: {
    schema: z
      .string()
      .regex(/^\d{12}$/, { error: "it is not an account id" })
      .describe("an AWS account id of twelve digits")
      .optional(),
    description: "AWS account of the runtime. Set it only if AWS requires it in addition to the ARN.",
    group: "AgentCore",
  },
  AGENTCORE_REGION: {
    schema: z
      .string()
      .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, { error: "it is not a region" })
      .describe("an AWS region")
      .optional(),
    description: "AWS region to call. If unset, it is the region of the ARN.",
    group: "AgentCore",
  },
  AGENTCORE_ENDPOINT: {
    schema: url().optional(),
    description:
      "URL of a private AgentCore endpoint. If unset, it is the public endpoint of AWS. Another machine needs https:.",
    group: "AgentCore",
  },
});
