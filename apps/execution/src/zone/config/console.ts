import {
  brokenRules,
  type ConfigProblem,
  type ConfigValues,
  encryptedRule,
  groupOf,
  secret,
  variable,
} from "@crosszone/service-kit";
import { originUrl } from "./variables.ts";

/** Sign-in to the console: its address, and its secret at the identity provider. */
export const consoleVariables = groupOf("Sign in to the console", {
  CONSOLE_URL: variable(originUrl().optional(), { example: "https://console.example.com" })`
    URL of the console in a browser, without a path: the address of this zone. People sign in there by the
    section console of EXECUTION_FILE. Another machine needs https:.`,
  CONSOLE_CLIENT_SECRET: variable(secret(1).optional(), { secret: true })`
    Client secret of the console at the identity provider. If unset, the console is a public client with PKCE.`,
});

/** Checks the variables about sign-in against each other. Variables that could not be read are absent. */
export const consoleProblems = (config: Partial<ConfigValues<typeof consoleVariables>>): ConfigProblem[] =>
  brokenRules([encryptedRule("CONSOLE_URL", config.CONSOLE_URL)]);
