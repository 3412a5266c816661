import {
  brokenRules,
  type ConfigProblem,
  type ConfigValues,
  encryptedRule,
  groupOf,
  nonEmpty,
  secret,
  variable,
} from "@crosszone/service-kit";
import { originUrl } from "./variables.ts";

/** Sign-in to the console: its file, its address, and its secret at the identity provider. */
export const consoleVariables = groupOf("Sign in to the console", {
  CONSOLE_FILE: variable(nonEmpty("a file").optional(), { example: "/etc/crosszone/console.yaml" })`
    YAML file that names the identity provider of the console, and the role of each group. Edits apply without a restart.
    If unset, the console takes API tokens only.`,
  CONSOLE_URL: variable(originUrl().optional(), { example: "https://console.example.com" })`
    URL of the console in a browser, without a path: the address of this zone. Required with CONSOLE_FILE. Another
    machine needs https:.`,
  CONSOLE_CLIENT_SECRET: variable(secret(1).optional(), { secret: true })`
    Client secret of the console at the identity provider. If unset, the console is a public client with PKCE.`,
});

/** Checks the variables about sign-in against each other. Variables that could not be read are absent. */
export function consoleProblems(config: Partial<ConfigValues<typeof consoleVariables>>): ConfigProblem[] {
  const { CONSOLE_FILE: file, CONSOLE_URL: address, CONSOLE_CLIENT_SECRET: clientSecret } = config;
  return brokenRules([
    [file !== undefined && address === undefined, "CONSOLE_URL", "is not set, but CONSOLE_FILE requires it"],
    encryptedRule("CONSOLE_URL", address),
    [file === undefined && clientSecret !== undefined, "CONSOLE_FILE", "is not set, but CONSOLE_CLIENT_SECRET is"],
  ]);
}
