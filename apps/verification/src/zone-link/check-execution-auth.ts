import { isLoopback, isReadableOnTheWay, type ConfigProblem, type ConfigValues } from "@crosszone/service-kit";
import type { executionAuthVariables } from "./execution-auth-variables.ts";
import type { executionLinkVariables } from "./execution-link-variables.ts";

type LinkConfig = ConfigValues<typeof executionAuthVariables & typeof executionLinkVariables>;

export type AuthKind = NonNullable<LinkConfig["EXECUTION_CREDENTIALS"]>;

/** How this zone proves who it is, where it is not said: with the token, if there is one. */
export function authKindOf(config: Pick<Partial<LinkConfig>, "EXECUTION_CREDENTIALS" | "EXECUTION_TOKEN">): AuthKind {
  return config.EXECUTION_CREDENTIALS ?? (config.EXECUTION_TOKEN?.length ? "bearer" : "none");
}

/** What no variable can say alone about the way to the execution zone. Variables that could not be read are absent. */
export function checkExecutionAuth(config: Partial<LinkConfig>): ConfigProblem[] {
  const { EXECUTION_URL: url } = config;
  const kind = authKindOf(config);
  const needed = needs[kind].filter((name) => config[name] === undefined || config[name].length === 0);
  return [
    ...needed.map((name) => ({ name, wrong: `is not set, but EXECUTION_CREDENTIALS=${kind} requires it` })),
    ...(url === undefined ? [] : urlProblems(url, kind, config)),
    ...pairProblems(config),
  ];
}

const needs = {
  none: [],
  bearer: ["EXECUTION_TOKEN"],
  google: [],
  entra: ["EXECUTION_ENTRA_SCOPE"],
  hmac: ["EXECUTION_HMAC_SECRET"],
  mtls: ["EXECUTION_CLIENT_CERT_FILE", "EXECUTION_CLIENT_KEY_FILE"],
} as const satisfies Record<AuthKind, readonly (keyof LinkConfig)[]>;

function urlProblems(url: string, kind: AuthKind, config: Partial<LinkConfig>): ConfigProblem[] {
  if (isReadableOnTheWay(url))
    return [
      { name: "EXECUTION_URL", wrong: "uses http: to another machine", expected: "https:, or a host on this machine" },
    ];
  const usesTls = url.startsWith("https:");
  if (kind === "none" && !isLoopback(new URL(url).hostname)) {
    const name = config.EXECUTION_CREDENTIALS === undefined ? "EXECUTION_TOKEN" : "EXECUTION_CREDENTIALS";
    return [
      {
        name,
        wrong: `${name === "EXECUTION_CREDENTIALS" ? "is none" : "is not set"}, and EXECUTION_URL is not on this machine`,
      },
    ];
  }
  if (kind === "mtls" && !usesTls)
    return [
      { name: "EXECUTION_URL", wrong: "is http:, but EXECUTION_CREDENTIALS=mtls requires https:", expected: "https:" },
    ];
  if (config.EXECUTION_CA_FILE !== undefined && !usesTls)
    return [{ name: "EXECUTION_CA_FILE", wrong: "is set, but EXECUTION_URL is http:" }];
  return [];
}

/** Variables of which one is of no use without the other. */
const pairs = [
  ["IDENTITY_ENDPOINT", "IDENTITY_HEADER"],
  ["EXECUTION_CLIENT_CERT_FILE", "EXECUTION_CLIENT_KEY_FILE"],
] as const;

function pairProblems(config: Partial<LinkConfig>): ConfigProblem[] {
  if (config.EXECUTION_CREDENTIALS === "mtls") return [];
  return pairs.flatMap(([one, other]) => {
    if ((config[one] === undefined) === (config[other] === undefined)) return [];
    const [missing, given] = config[one] === undefined ? [one, other] : [other, one];
    return [{ name: missing, wrong: `is not set, but ${given} is` }];
  });
}
