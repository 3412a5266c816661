import {
  clockRow,
  type DoctorRow,
  failed,
  type Finding,
  passed,
  reachableRow,
  skipped,
  warned,
} from "@crosszone/ops/doctor";
import { z } from "zod";
import type { ConsoleSettings } from "../../people/sign-in/console-settings.ts";
import type { ExecutionConfig } from "../config/variables.ts";
import { consoleVariables } from "../config/variables.ts";
import type { ReadSection } from "../config/sections.ts";

/** https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata */
const metadata = z.object({ issuer: z.string(), authorization_endpoint: z.url(), jwks_uri: z.url() });

/** Returns the rows of sign-in to the console: its settings, the identity provider and its clock, and the console's address. */
export function consoleRows(config: ExecutionConfig, section: ReadSection): DoctorRow[] {
  const { CONSOLE_URL: url = "", EXECUTION_JWT_CLOCK_SKEW_MS: clockSkewMs } = config;
  const variables = Object.keys(consoleVariables);
  let settings: ConsoleSettings | undefined;
  let authorize: string | undefined;
  const signIn: DoctorRow = {
    name: "console sign-in",
    variables,
    probe: async () => {
      settings = await section("console");
      if (settings === undefined) return skipped("the settings have no section console: it takes API tokens only");
      if (url === "") return warned("CONSOLE_URL is not set: nobody can sign in", "Set CONSOLE_URL.");
      return passed(`people sign in at ${settings.issuer}`);
    },
  };
  const { row, reached } = reachableRow({ name: "identity provider", variables, needs: ["console sign-in"] }, () => ({
    url: `${settings?.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
    variable: "issuer in the section console",
    whenDown: "Start the identity provider",
    judge: (status, body) => {
      const { data } = metadata.safeParse(body);
      if (data === undefined)
        return failed(
          `HTTP ${status} without the metadata of an OpenID provider`,
          "Correct issuer in the section console.",
        );
      if (data.issuer !== settings?.issuer)
        return failed(`the provider names itself ${data.issuer}`, "Write this as issuer in the section console.");
      authorize = data.authorization_endpoint;
      return passed("its metadata has the same issuer");
    },
  }));
  const needs = ["identity provider"];
  const clock = {
    peer: "the identity provider",
    consequence: "ID tokens are rejected",
    limitSeconds: clockSkewMs / 1_000,
  };
  return [
    signIn,
    row,
    clockRow({ name: "provider clock", needs }, reached, clock),
    {
      name: "console address",
      variables,
      needs,
      probe: () => judgeAddress(authorize ?? "", `${url}/auth/callback`, settings?.client_id ?? ""),
    },
  ];
}

/** Asks for a sign-in that shows no page. A provider answers it at the redirect URI, if that is registered. */
async function judgeAddress(authorize: string, redirectUri: string, clientId: string): Promise<Finding> {
  const asked = new URL(authorize);
  const query = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid",
    prompt: "none",
  };
  // The challenge of https://www.rfc-editor.org/rfc/rfc7636#appendix-B: no code is redeemed.
  const challenge = { code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" };
  for (const [name, value] of Object.entries({ ...query, ...challenge, state: "doctor", nonce: "doctor" }))
    asked.searchParams.set(name, value);
  const answer = await fetch(asked, { redirect: "manual", signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  if (answer === undefined) return warned("the provider's page for signing in can't be reached from this machine");
  if (answer.headers.get("location")?.startsWith(`${redirectUri}?`) === true)
    return passed(`the provider sends people back to ${redirectUri}`);
  return warned(
    `HTTP ${answer.status}: the provider does not send people back to ${redirectUri}`,
    `Register this redirect URI for the client ${clientId}, or correct CONSOLE_URL and client_id.`,
  );
}
