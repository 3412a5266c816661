import { defineConfig, list, secret } from "@crosszone/service-kit";

/** Who may ask. */
export const securityVariables = defineConfig({
  EXECUTION_TOKEN: {
    schema: list(secret(32)).optional(),
    secret: true,
    description: "Bearer token that verification must send; several with commas while one is being replaced.",
    group: "Security",
  },
});
