import {
  brokenRules,
  type ConfigProblem,
  type ConfigValues,
  constant,
  encryptedRule,
  filePath,
  groupOf,
  isLoopback,
  isReadableOnTheWay,
  list,
  nonEmpty,
  oneOf,
  secret,
  url,
  variable,
} from "@crosszone/service-kit";
import { z } from "zod";

/** Never one that proves who sends: those are kept secret, and have variables of their own. */
const header = z
  .string()
  .regex(/^(?!(authorization|cookie|proxy-)[^=]*=)[a-z0-9-]+=[\x20-\x7e]+$/i, { error: "it is not name=value" })
  .transform((text): [string, string] => [
    text.slice(0, text.indexOf("=")).toLowerCase(),
    text.slice(text.indexOf("=") + 1),
  ])
  .describe("name=value, and is no secret");

/** The transports to execution, and the addresses that each of them takes. `transports.ts` makes them. */
const addresses = {
  agentcore: z.string().refine((text) => runtimeArn.test(text)),
  https: url(),
};

export type TransportName = keyof typeof addresses;

/** Returns the transport to an address; https if the address could not be read. */
export function transportTo(address = ""): TransportName {
  const names = Object.keys(addresses) as TransportName[];
  return names.find((name) => addresses[name].safeParse(address).success) ?? "https";
}

const executionAddress = z
  .union(Object.values(addresses), { error: "it is neither a URL nor the ARN of a runtime" })
  .describe("an absolute URL that starts with http: or https:, or the ARN of an AgentCore runtime");

/** How verification reaches execution. The AWS SDK finds its credentials in its own variables. */
export const linkVariables = {
  ...groupOf("Reach the execution zone", {
    EXECUTION_URL: variable(executionAddress, { default: "http://127.0.0.1:4000/rpc" })`
      URL of the execution zone, or the ARN of its runtime or runtime endpoint on AWS Bedrock AgentCore. Another machine needs
      https:. {session} in a query becomes the session of a task.`,
    EXECUTION_TOKEN: variable(list(secret(32)).optional(), { secret: true })`
      Token for execution, the same value as there. EXECUTION_CREDENTIALS=hmac signs each request with it. Verification uses
      the first of several. It rereads the file on a change.`,
    AWS_ENDPOINT_URL_BEDROCK_AGENTCORE: variable(url().optional())`
      URL of a private endpoint of AgentCore, for the AWS SDK. If unset, it is the public endpoint of AWS. Another machine
      needs https:.`,
    EXECUTION_HEADERS: variable(list(header).optional(), { example: "foundry-features=HostedAgents=V1Preview" })`
      Extra headers for each request to execution, as name=value. Some hosts require them. Not for secrets.`,
  }),
};

export type LinkSettings = ConfigValues<typeof linkVariables>;

/**
 * The ARN of an AgentCore runtime, or of an endpoint of it: partition, region, account, the runtime's name and ten characters, the endpoint's
 * name. https://docs.aws.amazon.com/bedrock-agentcore/latest/APIReference/API_InvokeAgentRuntime.html
 */
const runtimeArn =
  /^arn:aws(?:-[a-z]+)*:bedrock-agentcore:([a-z]{2}(?:-[a-z]+)+-\d):\d{12}:runtime\/[A-Za-z]\w{0,47}-[A-Za-z0-9]{10}(?:\/runtime-endpoint\/([A-Za-z]\w{0,47}))?$/;

/** Returns the parts of a runtime's ARN; without a `qualifier`, AWS calls DEFAULT. Throws a `TypeError` if `arn` is not such an ARN. */
export function readRuntimeArn(arn: string): { region: string; runtimeArn: string; qualifier?: string } {
  const [, region, qualifier] = runtimeArn.exec(arn) ?? [];
  if (region === undefined) throw new TypeError("Expected the ARN of an AgentCore runtime");
  return { region, runtimeArn: arn.replace(/\/runtime-endpoint.*/, ""), qualifier };
}

/** Where a process gets its own identity from. @public */
export const identityServices = {
  GCE_METADATA_HOST: constant("metadata.google.internal", "host")`Google's metadata server, the same on every VM.`,
  AZURE_POD_IDENTITY_AUTHORITY_HOST: constant("http://169.254.169.254", "URL")`
    Azure's instance metadata service, the same on every VM. Only used without IDENTITY_ENDPOINT.`,
};

/** The credentials that verification sends to execution, and the certificates that it trusts. */
export const authVariables = {
  ...groupOf("Authenticate to execution", {
    EXECUTION_CREDENTIALS: variable(oneOf(["none", "bearer", "google", "entra", "hmac", "mtls"]).optional())`
      Credentials that verification sends; they must match CALLER_AUTH of execution. If unset: bearer with
      EXECUTION_TOKEN, otherwise none.`,
    EXECUTION_AUDIENCE: variable(nonEmpty("an audience").optional(), {
      example: "api://00000000-0000-0000-0000-000000000000/.default",
    })`
      Whom a token of google or entra is for. google: the audience; if unset, the origin of EXECUTION_URL. entra: the
      scope, which ends with /.default.`,
    AZURE_CLIENT_ID: variable(nonEmpty("a client id").optional())`
      Client ID of a user-assigned managed identity. If unset, verification uses the system-assigned identity.`,
    IDENTITY_ENDPOINT: variable(url().optional())`
      URL of the managed identity service. Azure App Service and Container Apps set it.`,
    IDENTITY_HEADER: variable(secret(1).optional(), { secret: true })`
      Secret for IDENTITY_ENDPOINT. Azure App Service and Container Apps set it.`,
    EXECUTION_CA_FILE: variable(filePath().optional(), { example: "/etc/crosszone/ca.crt" })`
      PEM file of the authority that signed execution's certificate. It replaces the public authorities. Verification
      rereads it on a change.`,
    EXECUTION_CLIENT_CERT_FILE: variable(filePath().optional(), { example: "/etc/crosszone/tls.crt" })`
      PEM file of the client certificate and its chain, for EXECUTION_CREDENTIALS=mtls. Verification rereads it on a
      change.`,
    EXECUTION_CLIENT_KEY_FILE: variable(filePath().optional(), { example: "/etc/crosszone/tls.key" })`
      PEM file of the private key of EXECUTION_CLIENT_CERT_FILE.`,
  }),
  ...identityServices,
};

export type AuthSettings = ConfigValues<typeof authVariables>;

export type LinkAuthKind = NonNullable<AuthSettings["EXECUTION_CREDENTIALS"]>;

type Settings = Partial<AuthSettings & LinkSettings>;

/** Returns how this zone authenticates. The default is the token, if there is one. */
export function linkAuthOf(settings: Settings): LinkAuthKind {
  return settings.EXECUTION_CREDENTIALS ?? (settings.EXECUTION_TOKEN?.length ? "bearer" : "none");
}

/** The variables that each kind of credentials requires. */
const needs = {
  none: [],
  bearer: ["EXECUTION_TOKEN"],
  google: [],
  entra: ["EXECUTION_AUDIENCE"],
  hmac: ["EXECUTION_TOKEN"],
  mtls: ["EXECUTION_CLIENT_CERT_FILE", "EXECUTION_CLIENT_KEY_FILE"],
} as const satisfies Record<LinkAuthKind, readonly (keyof Settings)[]>;

/** Returns the problems between the variables of the credentials and of the URL. Variables that could not be read are absent. */
export function checkAuth(settings: Settings): ConfigProblem[] {
  const { EXECUTION_URL: address } = settings;
  const kind = linkAuthOf(settings);
  const needed = needs[kind].filter((name) => settings[name] === undefined || settings[name].length === 0);
  return [
    ...needed.map((name) => ({ name, wrong: `is not set, but EXECUTION_CREDENTIALS=${kind} requires it` })),
    ...(address === undefined ? [] : urlProblems(address, kind, settings)),
    ...pairProblems(settings),
  ];
}

function urlProblems(address: string, kind: LinkAuthKind, settings: Settings): ConfigProblem[] {
  if (isReadableOnTheWay(address)) return brokenRules([encryptedRule("EXECUTION_URL", address)]);
  const usesTls = address.startsWith("https:");
  const isOpen = kind === "none" && !isLoopback(new URL(address).hostname);
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
