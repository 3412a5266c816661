import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { WireTrouble } from "../plan/disturbance-plan.ts";

/** Stands before processes that come and go, on an address that stays, and breaks connections when it is told to. */
export interface Gateway {
  readonly port: number;
  /** Lets the wire have trouble for so many milliseconds. */
  trouble(trouble: WireTrouble, forMs: number): void;
  /** How many connections were broken on purpose. */
  readonly broken: number;
  close(): void;
}

interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
}

const delayMs = 250;

/**
 * Passes connections on to the port that `target` gives for each; refuses them while it gives none. Opens no connection that it
 * does not end with its partner, except half-closed ones, which are what it is for.
 */
export async function openGateway(target: () => number | undefined): Promise<Gateway> {
  const pairs = new Set<Pair>();
  let trouble: WireTrouble | undefined;
  let until = 0;
  let broken = 0;
  const current = (): WireTrouble | undefined => (performance.now() < until ? trouble : undefined);

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const port = target();
    if (port === undefined || current() === "refuse") {
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
    carry(client, upstream, () => current() === "delay");
    carry(
      upstream,
      client,
      () => current() === "delay",
      () => {
        if (current() !== "lose_answers") return false;
        broken += 1;
        client.resetAndDestroy();
        return true;
      },
    );
    if (current() === "stall") hold(pair);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  /** Nothing goes either way until the trouble is over. */
  function hold(pair: Pair): void {
    for (const socket of [pair.client, pair.upstream]) {
      socket.pause();
      setTimeout(() => socket.resume(), until - performance.now());
    }
  }

  return {
    port: (server.address() as { port: number }).port,
    get broken() {
      return broken;
    },
    trouble: (next, forMs) => {
      trouble = next;
      until = performance.now() + forMs;
      for (const pair of [...pairs]) {
        if (next === "cut" || next === "refuse") pair.client.resetAndDestroy();
        else if (next === "half_close") pair.client.end();
        else if (next === "stall") hold(pair);
        if (next === "cut" || next === "refuse" || next === "half_close") broken += 1;
      }
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

/** Carries bytes one way, late where that is so; `instead` may take a piece away. The end of the one is the end of the other. */
function carry(from: Socket, to: Socket, isLate: () => boolean, instead: () => boolean = () => false): void {
  let before: Promise<void> | undefined;
  const inOrder = (act: () => void): void => {
    if (before === undefined && !isLate()) {
      act();
      return;
    }
    const turn = Promise.all([before, isLate() && new Promise((resolve) => void setTimeout(resolve, delayMs))]);
    const mine = turn.then(() => {
      act();
      if (before === mine) before = undefined;
    });
    before = mine;
  };
  from.on("data", (bytes: Buffer) => {
    if (instead()) return;
    inOrder(() => {
      if (!to.writable) return;
      if (!to.write(bytes)) {
        from.pause();
        to.once("drain", () => from.resume());
      }
    });
  });
  from.on("end", () => inOrder(() => void to.end()));
}
