import { Client, type ClientConfig } from "pg";

/** One connection that receives notifications. */
export interface ListeningSession {
  /** Runs a statement after the ones before it. After an error, the session is lost. */
  readonly run: (text: string) => Promise<void>;
  /** Returns true once a notification has arrived. */
  readonly hears: () => boolean;
  /** Ends the session. `lost` resolves with the reason. */
  readonly end: (reason: unknown) => void;
  /** Resolves with the reason when the session has ended. */
  readonly lost: Promise<unknown>;
}

/** A server that is silent for longer is lost, milliseconds. */
const answerWithinMs = 5_000;
/** An idle connection is checked this often by the operating system, milliseconds. It gives up ten seconds later. */
const keepAliveMs = 10_000;

/** Connects once. The first `run` fails when that is impossible. */
export function openSession(
  config: ClientConfig,
  onNotification: (channel: string, payload: string | undefined) => void,
): ListeningSession {
  const client = new Client({
    ...config,
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
  });
  const { promise: lost, resolve } = Promise.withResolvers<unknown>();
  let hears = false;
  const end = (reason: unknown): void => {
    resolve(reason);
    client.end().catch(() => undefined);
    // A server that does not answer the goodbye must not keep the process alive.
    (client as unknown as { readonly unref: () => void }).unref();
  };
  client.on("error", end);
  client.on("end", () => end(new Error("Connection terminated")));
  client.on("notification", ({ channel, payload }) => {
    hears = true;
    onNotification(channel, payload);
  });
  let last: Promise<unknown> = client.connect();
  return {
    run: async (text) => {
      // pg accepts one statement at a time.
      const answer = last.then(() => client.query(text));
      last = answer;
      answer.catch(end);
      await Promise.race([answer, lost.then((reason) => Promise.reject(reason as Error))]);
    },
    hears: () => hears,
    end,
    lost,
  };
}
