import { setTimeout as delay } from "node:timers/promises";
import { type Backoff, backoffMs } from "@crosszone/service-kit/timing";
import { Client, type ClientConfig, escapeIdentifier } from "pg";
import { checkChannel, createChannels, type Database } from "../query/database.ts";
import { connectionError, outageOf } from "../query/errors.ts";

/** A server that is silent for longer is lost, milliseconds. */
const answerWithinMs = 5_000;
/** An idle connection is checked this often by the operating system, milliseconds. It gives up ten seconds later. */
const keepAliveMs = 10_000;

/** One connection that receives notifications. Connects once. The first `run` fails when that is impossible. */
function openSession(config: ClientConfig, onNotification: (channel: string, payload: string | undefined) => void) {
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
    /** Runs a statement after the ones before it. After an error, the session is lost. */
    run: async (text: string): Promise<void> => {
      // pg accepts one statement at a time.
      const answer = last.then(() => client.query(text));
      last = answer;
      answer.catch(end);
      await Promise.race([answer, lost.then((reason) => Promise.reject(reason as Error))]);
    },
    /** Returns true once a notification has arrived. */
    hears: (): boolean => hears,
    /** Ends the session. `lost` resolves with the reason. */
    end,
    /** Resolves with the reason when the session has ended. */
    lost,
  };
}

type ListeningSession = ReturnType<typeof openSession>;

interface ListenerOptions {
  /** Returns how to connect now. */
  readonly server: () => ClientConfig;
  readonly schema: string;
  /** Sends an empty notification, on another connection. */
  readonly notify: (channel: string) => Promise<unknown>;
  /** Called each time the connection is lost. */
  readonly onLost: (error: unknown) => void;
  /** Called once when notifications can't be received for a permanent reason. */
  readonly onDeaf: (error: unknown) => void;
  /** When a notification of its own must have arrived, milliseconds (default 30 s). */
  readonly hearWithinMs?: number;
}

const reconnect: Backoff = { firstMs: 20, longestMs: 1_000 };
/** For attempts that are unlikely to succeed, such as on a pooler without LISTEN. */
const deaf: Backoff = { firstMs: 60_000, longestMs: 60_000 };
const deafText =
  "PostgreSQL accepts LISTEN, but notifications do not arrive. Connect without a pooler, or use the pooler's session mode.";

/**
 * Receives the notifications of a schema. One connection, opened by the first `listen`, serves all channels. After losing it, the listener
 * reconnects until it is closed.
 */
export function createListener(options: ListenerOptions) {
  const { server, schema } = options;
  const own = ownChannel(schema);
  const channels = createChannels();
  const attempted = Promise.withResolvers<void>();
  const closed = new AbortController();
  const { signal } = closed;
  let session: ListeningSession | undefined;
  let running: Promise<void> | undefined;

  const pause = (ms: number): Promise<unknown> => delay(ms, undefined, { signal, ref: false }).catch(() => undefined);

  /** Resolves with the reason for the end of one session. Calls `onBegin` once all channels are listened to. */
  async function listenOnce(onBegin: () => void): Promise<unknown> {
    session = openSession(server(), channels.notify);
    try {
      await session.run([own, ...channels.names()].map(listenText).join("; "));
      onBegin();
      channels.notifyAll();
      void checkHearing(session, options, pause);
      return await session.lost;
    } catch (error) {
      return error;
    } finally {
      session = undefined;
    }
  }

  async function keepListening(): Promise<void> {
    const report = createReporter(options);
    let failures = 0;
    while (!signal.aborted) {
      failures += 1;
      const reason = await listenOnce(() => {
        failures = 0;
        attempted.resolve();
      });
      attempted.resolve();
      if (signal.aborted) return;
      await pause(backoffMs(report(reason, failures === 0), failures + 1));
    }
  }

  const listen: Database<unknown>["listen"] = async (channel, onMessage) => {
    const name = channelOf(schema, channel);
    if (signal.aborted) throw new Error("the database is closed");
    const remove = channels.add(name, onMessage);
    const begun = session;
    running ??= keepListening();
    await attempted.promise;
    // The next session listens to all channels; one that has begun does not know this one.
    await begun?.run(listenText(name)).then(
      () => onMessage(undefined),
      () => undefined,
    );
    return async () => remove();
  };

  const close = async (): Promise<void> => {
    closed.abort();
    session?.end(new Error("the database is closed"));
    await running;
  };

  return { listen, close };
}

/** The channel of the listener's own notification. */
const ownChannel = (schema: string): string => `${schema}_`;

/** A pooler in transaction mode accepts LISTEN but delivers nothing: meanwhile, the server's connection serves other clients. */
async function checkHearing(
  session: ListeningSession,
  { schema, notify, hearWithinMs = 30_000 }: ListenerOptions,
  pause: (ms: number) => Promise<unknown>,
): Promise<void> {
  await notify(ownChannel(schema)).then(
    () => pause(hearWithinMs).then(() => session.hears() || session.end(new Error(deafText))),
    () => undefined,
  );
}

/** Returns a function that reports the end of a session, and returns the backoff before the next one. */
function createReporter({ onLost, onDeaf }: ListenerOptions) {
  let isReported = false;
  return (reason: unknown, wasListening: boolean): Backoff => {
    const isOutage = outageOf(connectionError(reason)) !== undefined;
    if (isOutage && wasListening) onLost(reason);
    if (!isOutage && !isReported) onDeaf(reason);
    isReported ||= !isOutage;
    return isOutage ? reconnect : deaf;
  };
}

/** PostgreSQL's limit for a name, bytes. */
const longestName = 63;

function channelOf(schema: string, channel: string): string {
  checkChannel(channel);
  const name = `${schema}_${channel}`;
  if (Buffer.byteLength(name) > longestName)
    throw new TypeError(`Expected a schema and a channel of at most ${longestName - 1} bytes together, got ${name}.`);
  return name;
}

const listenText = (name: string): string => `listen ${escapeIdentifier(name)}`;
