import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { WireTrouble } from "../plan/disturbance-plan.ts";

export type Gateway = Awaited<ReturnType<typeof openGateway>>;

interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
}

const lateMs = 250;

/** A fixed address in front of processes that come and go. It forwards each connection to the port that `target` returns, refuses it without one, and can break them all. */
export async function openGateway(target: () => number | undefined) {
  const pairs = new Set<Pair>();
  const wire = createWire();

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const port = target();
    if (port === undefined || wire.has("refuse")) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    const pair = { client, upstream };
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on("error", end).on("close", end);
    const delayMs = (): number => (wire.has("delay") ? lateMs : 0);
    carry(client, upstream, { delayMs });
    // The request has already arrived, so only the answer is lost.
    carry(upstream, client, { delayMs, isLost: () => wire.has("lose_answers") && wire.cut(pair) });
    if (wire.has("stall")) wire.stall(pair);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    port: (server.address() as { port: number }).port,
    /** Number of connections that were broken on purpose. */
    get broken() {
      return wire.broken();
    },
    /** Troubles the wire for a time, milliseconds. */
    trouble: (next: WireTrouble, forMs: number) => wire.begin(next, forMs, pairs),
    close: () => {
      server.close();
      for (const { client, upstream } of pairs) {
        client.destroy();
        upstream.destroy();
      }
    },
  };
}

/** Creates the state of a wire: its present trouble, and what each trouble does to a connection. */
function createWire() {
  let trouble: WireTrouble | undefined;
  let until = 0;
  let broken = 0;

  function cut({ client }: Pair): true {
    broken += 1;
    client.resetAndDestroy();
    return true;
  }

  /** Ends the stream to the client, which can still send. */
  function halfClose({ client }: Pair): void {
    broken += 1;
    client.end();
  }

  /** Carries nothing in either direction until the trouble is over. */
  function stall({ client, upstream }: Pair): void {
    for (const socket of [client, upstream]) {
      socket.pause();
      setTimeout(() => socket.resume(), until - performance.now());
    }
  }

  const effects: Partial<Record<WireTrouble, (pair: Pair) => void>> = {
    cut,
    refuse: cut,
    half_close: halfClose,
    stall,
  };

  return {
    has: (one: WireTrouble): boolean => trouble === one && performance.now() < until,
    begin: (next: WireTrouble, forMs: number, pairs: Iterable<Pair>): void => {
      trouble = next;
      until = performance.now() + forMs;
      for (const pair of pairs) effects[next]?.(pair);
    },
    broken: () => broken,
    cut,
    stall,
  };
}

interface CarryOptions {
  /** Returns the delay of a chunk that arrives now, milliseconds. */
  readonly delayMs: () => number;
  /** Returns whether a chunk that arrives now is lost. */
  readonly isLost?: () => boolean;
}

/** Carries bytes in one direction, in order, with backpressure. The end of one socket ends the other. */
function carry(from: Socket, to: Socket, { delayMs, isLost = () => false }: CarryOptions): void {
  let before = Promise.resolve();
  const inOrder = (act: () => void): void => {
    const late = delayMs();
    before = before.then(async () => {
      if (late > 0) await wait(late);
      return act();
    });
  };
  from.on("data", (bytes: Buffer) => {
    if (isLost()) return;
    inOrder(() => {
      if (!to.writable || to.write(bytes)) return;
      from.pause();
      to.once("drain", () => from.resume());
    });
  });
  from.on("end", () => inOrder(() => void to.end()));
}
