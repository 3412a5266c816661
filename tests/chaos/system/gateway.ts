import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { WireTrouble } from "../plan/disturbance-plan.ts";

interface CarryOptions {
  /** How late a piece that comes now shall arrive, milliseconds. */
  readonly delayMs: () => number;
  /** Whether a piece that comes now is lost. */
  readonly isLost?: () => boolean;
}

/** Carries bytes one way, in order, no faster than they are taken. The end of the one is the end of the other. */
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

/** Stands before processes that come and go, on an address that stays, and breaks connections when it is told to. */
export interface Gateway {
  readonly port: number;
  /** Lets the wire have trouble for so many milliseconds. */
  readonly trouble: (trouble: WireTrouble, forMs: number) => void;
  /** How many connections were broken on purpose. */
  readonly broken: number;
  readonly close: () => void;
}

interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
}

const lateMs = 250;

/** Passes each connection on to the port that `target` gives for it; refuses it while there is none. */
export async function openGateway(target: () => number | undefined): Promise<Gateway> {
  const pairs = new Set<Pair>();
  let trouble: WireTrouble | undefined;
  let until = 0;
  let broken = 0;
  const is = (one: WireTrouble): boolean => trouble === one && performance.now() < until;
  const delayMs = (): number => (is("delay") ? lateMs : 0);

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const port = target();
    if (port === undefined || is("refuse")) {
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
    carry(client, upstream, { delayMs });
    carry(upstream, client, {
      delayMs,
      // The request has arrived by now: it is the answer that nobody gets.
      isLost: () => is("lose_answers") && cut(pair),
    });
    if (is("stall")) hold(pair);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  function cut({ client }: Pair): true {
    broken += 1;
    client.resetAndDestroy();
    return true;
  }

  /** The app sees the end of what it is told, and may go on asking. */
  function halfClose({ client }: Pair): void {
    broken += 1;
    client.end();
  }

  /** Nothing goes either way until the trouble is over. */
  function hold({ client, upstream }: Pair): void {
    for (const socket of [client, upstream]) {
      socket.pause();
      setTimeout(() => socket.resume(), until - performance.now());
    }
  }

  const begins: Partial<Record<WireTrouble, (pair: Pair) => void>> = {
    cut,
    refuse: cut,
    half_close: halfClose,
    stall: hold,
  };

  return {
    port: (server.address() as { port: number }).port,
    get broken() {
      return broken;
    },
    trouble: (next, forMs) => {
      trouble = next;
      until = performance.now() + forMs;
      for (const pair of pairs) begins[next]?.(pair);
    },
    close: () => {
      server.close();
      for (const { client, upstream } of pairs) {
        client.destroy();
        upstream.destroy();
      }
    },
  };
}
