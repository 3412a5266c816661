import { randomUUID } from "node:crypto";
import { onTestFinished, vi } from "vitest";
import { type AgentCoreStandIn, startAgentCoreStandIn } from "./agentcore/agentcore-stand-in.ts";
import { freePort } from "./servers/free-port.ts";
import type { LogLine, Variables } from "./process.ts";
import { tune } from "./tune.ts";

/** The transport between the zones: through the local Slack's tap, as in development, or without a network, or through AgentCore's stand-in. */
export type ZoneLink = "https" | "in-process" | "agentcore";

interface Listening {
  readonly url: string;
  readonly stop: () => Promise<unknown>;
}

interface LocalSlack {
  readonly tapUrl: string;
  readonly setEventsUrl: (url: string) => void;
  readonly close: () => Promise<void>;
}

/** What each zone starts with. */
export interface Opening {
  readonly env: Variables;
  /** Receives the lines of its log. */
  readonly log: LogLine[];
  /** The bearer token of the zone link. */
  readonly token: string;
  /** 0: a free one. */
  readonly port: number;
  readonly link: ZoneLink;
}

/** The parts of an installation. `Own…`: the options that only this part has. */
interface Parts<E extends Listening, V extends Listening, S extends LocalSlack, OwnE, OwnV, OwnS> {
  /** `files`: where it reads the files of messages. */
  readonly execution: (opening: Opening & { readonly files: () => string }, own: OwnE) => Promise<E>;
  readonly verification: (opening: Opening, execution: E, own: OwnV) => Promise<V>;
  readonly slack: (options: OwnS & { readonly upstream: string }) => Promise<S>;
  /** The variables that join verification to the local Slack. */
  readonly slackEnv: (slack: S) => Variables;
  /** Whether execution learns at its start where verification is. */
  readonly isProcess?: boolean;
}

interface ZoneOptions<OwnE, OwnV, OwnS> {
  /** Variables of execution, and, unless it is a process, of verification too. */
  readonly env?: Variables;
  readonly verificationEnv?: Variables;
  /** Port of execution. */
  readonly executionPort?: number;
  readonly link?: ZoneLink;
  /** Puts a proxy between the zones in both directions. Gets the URL of a zone and returns the proxy's. */
  readonly between?: (url: string) => Promise<string>;
  readonly execution?: OwnE;
  readonly verification?: OwnV;
  readonly slack?: OwnS;
}

/** Returns a function that starts both zones and a local Slack on free ports of loopback, from these parts. They end with the test. */
export function builder<E extends Listening, V extends Listening, S extends LocalSlack, OwnE, OwnV, OwnS>(
  parts: Parts<E, V, S, OwnE, OwnV, OwnS>,
) {
  return async function zone(options: ZoneOptions<OwnE, OwnV, OwnS> = {}) {
    const { env = {}, link = "https", between = async (url: string) => url } = options;
    const log: LogLine[] = [];
    const token = `link-${randomUUID()}${randomUUID()}`;
    const port = parts.isProcess ? await freePort() : 0;
    let files = `http://127.0.0.1:${port}`;
    const opening = { log, token, link, files: () => files };
    const execution = await parts.execution(
      { ...opening, env, port: options.executionPort ?? 0 },
      options.execution ?? ({} as OwnE),
    );
    const slack = await parts.slack({ upstream: execution.url, ...(options.slack ?? ({} as OwnS)) });
    const aws = link === "agentcore" ? await startAws(execution.url) : undefined;
    const through = options.between ? await between(execution.url) : slack.tapUrl;
    const verificationEnv = {
      ...parts.slackEnv(slack),
      EXECUTION_URL: `${through}/rpc`,
      EXECUTION_TOKEN: token,
      ...aws?.env,
      ...(parts.isProcess ? {} : env),
      ...options.verificationEnv,
    };
    const verification = await parts.verification(
      { ...opening, env: tune({ POLL_WAIT_MS: 500 }, verificationEnv), port },
      execution,
      options.verification ?? ({} as OwnV),
    );
    files = await between(verification.url);
    slack.setEventsUrl(`${verification.url}/slack/events`);
    onTestFinished(async () => {
      await verification.stop();
      await execution.stop();
      await slack.close();
      await aws?.standIn.stop();
    });
    return { execution, verification, slack, log, token, aws: aws?.standIn };
  };
}

/** Starts AgentCore's stand-in in front of a container. Returns the variables that make verification call it. */
export async function startAws(container: string): Promise<{ standIn: AgentCoreStandIn; env: Record<string, string> }> {
  const standIn = await startAgentCoreStandIn({
    container: () => container,
    // Verification always follows the input requests and the fires.
    records: (payload) => !/"list_(?:input_requests|fires)"/.test(payload.toString()),
  });
  useCredentials(standIn);
  const env = {
    EXECUTION_URL: standIn.runtimeArn,
    EXECUTION_TOKEN: "",
    AWS_ENDPOINT_URL_BEDROCK_AGENTCORE: standIn.url,
  };
  return { standIn, env };
}

/** Sets the stand-in's credentials where the SDK looks first, and disables the next sources. Ends with the test. */
export function useCredentials({ credentials }: AgentCoreStandIn): void {
  vi.stubEnv("AWS_ACCESS_KEY_ID", credentials.accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", credentials.secretAccessKey);
  vi.stubEnv("AWS_SESSION_TOKEN", credentials.sessionToken);
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  for (const file of ["AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"]) vi.stubEnv(file, "/dev/null");
  onTestFinished(() => void vi.unstubAllEnvs());
}
