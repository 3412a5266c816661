import { type InspectColor, styleText } from "node:util";
import { errorTable } from "@crosszone/contracts";
import { isNearName } from "@crosszone/service-kit/text";
import { type ApiClient, createApiClient } from "../api/api-client.ts";
import type { ZoneAddress } from "../api/send.ts";

/**
 * Exit codes: success; a failed run or an invalid definition; a usage error; a zone that refused or can't be reached; output that can't be
 * written; interrupted.
 */
export const exitCodes = { done: 0, failed: 1, usage: 2, refused: 3, unwritten: 4, interrupted: 130 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The command line is invalid. The message says how to fix it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** The words of the command whose help explains more, e.g. `runs list`; empty for the program. */
  command: string | undefined;
  /** What the operand names that is missing, such as `agent`. */
  missing: string | undefined;
}

/** Returns ` Did you mean …?` if a known name is similar, otherwise an empty string. A pair is a name, and what to write for it. */
export function didYouMean(
  name: string,
  known: readonly (string | readonly [name: string, written: string])[],
): string {
  const near = known
    .map((one) => (typeof one === "string" ? ([one, one] as const) : one))
    .filter(([one]) => isNearName(name, one) || (name.length > 1 && one.startsWith(name)));
  return near.length === 0
    ? ""
    : ` Did you mean ${near
        .slice(0, 3)
        .map(([, written]) => written)
        .join(" or ")}?`;
}

type Env = Readonly<Record<string, string | undefined>>;

/** An output stream; a terminal knows its size. */
export type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** Names that a command lists. */
export interface Listed {
  /** The operands and options that can have them: `agent`. For an operand `name` the group, such as `schedules`. */
  readonly kind: string;
  /** The kind of a refusal of an unknown one. */
  readonly refusal: string;
  /** How to list them: `agents`. */
  readonly command: string;
  /** Whether the beginning of one is enough. */
  readonly isByBeginning: boolean;
  /** Returns the latest ones, or those that begin so. */
  readonly read: (api: ApiClient, beginning?: string) => Promise<readonly string[]>;
}

/** What a process gives to a command. */
interface Surroundings {
  readonly env: Env;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** For results. */
  readonly stdout: Output;
  /** For progress and errors. */
  readonly stderr: Output;
  /** Calls the listener at each Ctrl-C. Returns a function that removes the listener. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** Calls the listener when the process is asked to end: Ctrl-C, SIGTERM, SIGHUP. Returns a function that removes the listener. */
  readonly onStop: (listener: () => void) => () => void;
  /** The names that the commands list. */
  readonly listed: readonly Listed[];
  /** How to start a local Crosszone from this repository; the published package is used when absent. */
  readonly localCrosszone?: readonly [command: string, ...args: string[]];
}

/** The environment of a command. */
export interface Session extends Surroundings {
  /** Returns the client; throws a `UsageError` when the environment does not say how to reach the zone. */
  readonly api: () => ApiClient;
  /** Returns the address of the verification zone's read-only API; undefined when the environment does not name it. */
  readonly verification: () => ZoneAddress | undefined;
  /** Whether progress can be redrawn in place. */
  readonly isLive: boolean;
}

export interface SessionOptions extends Surroundings {
  /** How to get a zone; shown when none is configured. */
  readonly hint?: string;
  /** Added to the addresses of run pages, for a zone on this machine. */
  readonly pageToken?: string;
}

/** Returns the session of a command. `isForPrograms`: whether its output is a JSON document. */
export function createSession({ hint, pageToken, ...options }: SessionOptions, isForPrograms: boolean): Session {
  const { env, stderr } = options;
  return {
    ...options,
    api: () => createApiClient({ ...zoneAddress(env, hint), pageToken }),
    verification: () => verificationAddress(env),
    isLive: canDraw(stderr, env) && !isForPrograms,
  };
}

/** Whether lines can be colored and redrawn in place. Some terminals report a width of 0 because they do not know it. */
function canDraw({ isTTY, columns }: Output, env: Env): boolean {
  return isTTY === true && columns !== 0 && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}

export const viewHint = "CROSSZONE_VERIFICATION_URL, the address of VERIFICATION_VIEW_PORT.";

function verificationAddress(env: Env): ZoneAddress | undefined {
  const { CROSSZONE_VERIFICATION_URL: url = "" } = env;
  if (url === "") return undefined;
  return { url: url.replace(/\/+$/, ""), token: zoneAddress(env).token, hint: viewHint };
}

const defaultUrl = "http://127.0.0.1:4000";

/** Reads CROSSZONE_URL and CROSSZONE_TOKEN. `hint` says how to get a zone. Throws a `UsageError` when a value is missing or malformed. */
export function zoneAddress(env: Env, hint?: string): ZoneAddress {
  const text = env["CROSSZONE_URL"] || defaultUrl;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`CROSSZONE_URL must be a URL that starts with http:// or https://, got "${text}".`);
  if (url.username || url.password)
    throw new UsageError("CROSSZONE_URL must not contain credentials. Put the token in CROSSZONE_TOKEN.");
  const token = env["CROSSZONE_TOKEN"]?.trim() ?? "";
  if (token === "") throw new UsageError(`CROSSZONE_TOKEN is not set. ${hint ?? "Set it to a token of the zone."}`);
  if (!/^[\u0021-\u007e]+$/.test(token))
    throw new UsageError(
      "CROSSZONE_TOKEN contains characters that a token can't have. Check for spaces and line breaks.",
    );
  const address = (url.origin + url.pathname).replace(/\/+$/, "");
  const linkToken = env["CROSSZONE_LINK_TOKEN"]?.trim();
  return { url: address, token, linkToken, hint: hint ?? "CROSSZONE_URL is the address of the execution zone." };
}

/** The states of everything that has one, by what they mean to a person. */
const states: Readonly<Partial<Record<InspectColor, string>>> = {
  green: "succeeded success completed approved answered used done on closed allowed pinned",
  red: "failed error timed_out denied rejected unreachable",
  yellow: "canceled withdrawn expired void off half_open changed new input_required open waits waiting",
  cyan: "running working submitted",
  dim: "pending skipped",
};

export const stateColors: Readonly<Record<string, InspectColor>> = Object.fromEntries([
  ...Object.keys(errorTable).map((kind) => [kind, "red"] as const),
  ...Object.entries(states).flatMap(([color, names]) => names.split(" ").map((name) => [name, color as InspectColor])),
]) as Readonly<Record<string, InspectColor>>;

/** Returns a function that colors a text that is a state, on a terminal that shows colors. */
export const styled =
  (output: Output, env: Session["env"]) =>
  (text: string): string => {
    const color = canDraw(output, env) ? stateColors[text.trim()] : undefined;
    return color === undefined ? text : styleText(color, text, { validateStream: false });
  };

/** Colors the states in lines such as `state  error after 2s`. */
export const withStates = (text: string, output: Output, env: Session["env"]): string =>
  text.replaceAll(
    /^((?:state|circuit) +)([a-z_]+)/gm,
    (_, label: string, state: string) => label + styled(output, env)(state),
  );
