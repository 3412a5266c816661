import { brokenRules, type ConfigProblem, isLoopback, isReadableOnTheWay } from "@crosszone/service-kit";
import type { AuthKind, AuthSettings } from "./auth-variables.ts";
import type { LinkSettings } from "./link-variables.ts";

type Settings = Partial<AuthSettings & LinkSettings>;

/** Returns how this zone authenticates. The default is the token, if there is one. */
export function authKindOf(settings: Settings): AuthKind {
  return settings.EXECUTION_CREDENTIALS ?? (settings.EXECUTION_TOKEN?.length ? "bearer" : "none");
}

/** What is wrong with a URL that is not encrypted on its way to another machine, and what is expected. */
export const unsafeUrl = ["uses http: to another machine", "https:, or a host on this machine"] as const;

/** The variables that each kind of credentials requires. */
const needs = {
  none: [],
  bearer: ["EXECUTION_TOKEN"],
  google: [],
  entra: ["EXECUTION_AUDIENCE"],
  hmac: ["EXECUTION_TOKEN"],
  mtls: ["EXECUTION_CLIENT_CERT_FILE", "EXECUTION_CLIENT_KEY_FILE"],
} as const satisfies Record<AuthKind, readonly (keyof Settings)[]>;

/** Returns the problems between the variables of the credentials and of the URL. Variables that could not be read are absent. */
export function checkAuth(settings: Settings): ConfigProblem[] {
  const { EXECUTION_URL: url } = settings;
  const kind = authKindOf(settings);
  const needed = needs[kind].filter((name) => settings[name] === undefined || settings[name].length === 0);
  return [
    ...needed.map((name) => ({ name, wrong: `is not set, but EXECUTION_CREDENTIALS=${kind} requires it` })),
    ...(url === undefined ? [] : urlProblems(url, kind, settings)),
    ...pairProblems(settings),
  ];
}

function urlProblems(url: string, kind: AuthKind, settings: Settings): ConfigProblem[] {
  if (isReadableOnTheWay(url)) return brokenRules([[true, "EXECUTION_URL", ...unsafeUrl]]);
  const usesTls = url.startsWith("https:");
  const isOpen = kind === "none" && !isLoopback(new URL(url).hostname);
  const isChosen = settings.EXECUTION_CREDENTIALS !== undefined;
  const rest = "and EXECUTION_URL is not on this machine";
  const needsTls = "is http:, but EXECUTION_CREDENTIALS=mtls requires https:";
  const [problem] = brokenRules([
    [isOpen && !isChosen, "EXECUTION_TOKEN", `is not set, ${rest}`],
    [isOpen, "EXECUTION_CREDENTIALS", `is none, ${rest}`],
    [kind === "mtls" && !usesTls, "EXECUTION_URL", needsTls, "https:"],
    [settings.EXECUTION_CA_FILE !== undefined && !usesTls, "EXECUTION_CA_FILE", "is set, but EXECUTION_URL is http:"],
  ]);
  return problem === undefined ? [] : [problem];
}

/** Variables that require each other. */
const pairs = [
  ["IDENTITY_ENDPOINT", "IDENTITY_HEADER"],
  ["EXECUTION_CLIENT_CERT_FILE", "EXECUTION_CLIENT_KEY_FILE"],
] as const;

function pairProblems(settings: Settings): ConfigProblem[] {
  if (settings.EXECUTION_CREDENTIALS === "mtls") return [];
  return pairs.flatMap(([one, other]) => {
    if ((settings[one] === undefined) === (settings[other] === undefined)) return [];
    const [missing, given] = settings[one] === undefined ? [one, other] : [other, one];
    return [{ name: missing, wrong: `is not set, but ${given} is` }];
  });
}
