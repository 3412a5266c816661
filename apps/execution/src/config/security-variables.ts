import { defineConfig, list, secret } from "@crosszone/service-kit";
import { z } from "zod";

/** Who may ask. */
export const securityVariables = defineConfig({
  EXECUTION_AUTH: {
    schema: z.enum(["bearer", "platform"]).describe("bearer or platform"),
    default: "bearer",
    description:
      "How callers prove who they are: bearer by EXECUTION_TOKEN, platform not at all, because the host of HOST_PROFILE lets nobody else through.",
    group: "Security",
  },
  EXECUTION_TOKEN: {
    schema: list(secret(32)).optional(),
    secret: true,
    description: "Bearer token that verification must send; several with commas while one is being replaced.",
    group: "Security",
  },
});
