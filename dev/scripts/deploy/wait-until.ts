/** Why a deploy failed and what to do, in one text for the person who runs it. */
export class DeployError extends Error {
  override readonly name = "DeployError";
}

/** The command line or the environment does not say what to do. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export interface Clock {
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** How long to wait for AWS, and where progress is reported. */
export interface Waiting {
  readonly clock: Clock;
  /** Unix milliseconds after which nothing is waited for. */
  readonly deadline: number;
  /** Takes one line of progress. */
  readonly say: (line: string) => void;
}

interface AwsError extends Error {
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
}

const pollMs = 5_000;
const longestPauseMs = 20_000;
const lostConnection = new Set(["ECONNRESET", "ECONNREFUSED", "EPIPE", "ETIMEDOUT"]);

/** Calls AWS, and again with growing pauses while AWS throttles, fails by itself or loses the connection, until the deadline. */
export async function retryBusy<T>(call: () => Promise<T>, { clock, deadline, say }: Waiting): Promise<T> {
  for (let pauseMs = 1_000; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await call();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const waitMs = Math.max(pauseMs, retryAfterMs(error));
      if (clock.now() + waitMs > deadline) throw error;
      say(`AWS is busy (${error.name}). Trying again in ${Math.ceil(waitMs / 1_000)} s.`);
      await clock.sleep(waitMs);
    }
  }
}

export interface Wait<T> {
  readonly read: () => Promise<T>;
  readonly isDone: (value: T) => boolean;
  /** Describes the current state, for the progress and for the error at the deadline. */
  readonly state: (value: T) => string;
}

/** Reads until it is done. Throws a `DeployError` when the deadline comes first. */
export async function waitUntil<T>({ read, isDone, state }: Wait<T>, waiting: Waiting): Promise<T> {
  let said: string | undefined;
  for (;;) {
    const value = await retryBusy(read, waiting);
    if (isDone(value)) return value;
    const line = state(value);
    if (line !== said) waiting.say(line);
    said = line;
    if (waiting.clock.now() + pollMs > waiting.deadline)
      throw new DeployError(`${line} The time that --timeout gives is over. Run the command again to go on waiting.`);
    await waiting.clock.sleep(pollMs);
  }
}

function isBusy(error: unknown): error is AwsError {
  if (!(error instanceof Error)) return false;
  const { name, code = "", $metadata } = error as AwsError;
  const status = $metadata?.httpStatusCode ?? 0;
  return name === "ThrottlingException" || status === 429 || status >= 500 || lostConnection.has(code);
}

function retryAfterMs({ $response }: AwsError): number {
  const seconds = Number($response?.headers?.["retry-after"]);
  return Number.isFinite(seconds) ? seconds * 1_000 : 0;
}
