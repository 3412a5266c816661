import { LinkError, type HandleMessage, type SendOptions, type Transport } from "@crosszone/jsonrpc";
import type { Troubles } from "../faults/troubles.ts";
import { agenda, never, runIn, type Life } from "../time/virtual-time.ts";

/** A process of execution that accepts requests. */
export interface Callee {
  readonly life: Life;
  readonly handle: HandleMessage;
}

interface LinkOptions {
  readonly troubles: Troubles;
  readonly note: (what: string) => void;
  /** Returns a process that accepts requests now. */
  readonly callee: () => Callee | undefined;
}

const bytes = (text: string | Uint8Array): Uint8Array => (typeof text === "string" ? Buffer.from(text) : text.slice());

/** Plans an event of a process, or outside of processes. */
const planFor = (life: Life | undefined, afterMs: number, run: () => void): void =>
  void runIn(life, () => agenda.plan(afterMs, run));

/** Creates the network between the zones. It drops, delays and duplicates requests and answers. */
export function createLink({ troubles, note, callee }: LinkOptions): (caller: Life) => Transport {
  const random = troubles.random("link");
  const delay = (): number =>
    random.chance(0.03) && !troubles.isOver() ? 200 + random.int(6_000) : 1 + random.int(12);

  return (caller) => ({
    close: async () => undefined,
    send: (message, options) => {
      const trouble = troubles.next("link", caller);
      if (trouble === "die_before") caller.die();
      if (!caller.isAlive) return never();
      const call = beginCall(caller, options);
      const copies = trouble === "busy" && random.chance(0.5) ? 2 : 1;
      for (let copy = 0; copy < copies; copy += 1) {
        if (trouble === "lost_before") planFor(caller, delay(), call.lose);
        else planFor(undefined, delay(), () => void arrive(call, { message, options, isHeard: copy === 0 }));
      }
      if (trouble === "die_after") planFor(undefined, 20, () => caller.die());
      return call.answered;

      async function arrive(to: PendingCall, request: Arriving): Promise<void> {
        const found = callee();
        note(`${caller.name} asks ${found?.life.name ?? "nobody"}${trouble === undefined ? "" : `: ${trouble}`}`);
        if (found === undefined) return planFor(caller, delay(), to.lose);
        const back = backTo(caller, delay);
        const answer = await handle(found, request, { call: to, back });
        if (!request.isHeard) return;
        back(() => (trouble === "lost_after" ? to.lose() : to.end(answer)));
      }
    },
  });
}

/** Runs a function in a process, as its next event. */
const soon = <T>(life: Life, run: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => planFor(life, 0, () => void run().then(resolve, reject)));

interface Arriving {
  readonly message: Uint8Array;
  readonly options: SendOptions;
  /** False for a duplicate, whose answer is dropped. */
  readonly isHeard: boolean;
}

/** Resolves with the answer of a process, or with the error that replaces it. */
async function handle(
  { life, handle: take }: Callee,
  { message, options, isHeard }: Arriving,
  { call, back }: { readonly call: PendingCall; readonly back: Back },
): Promise<string | Uint8Array | LinkError> {
  const { correlationId, session, traceparent, onNotification } = options;
  const controller = new AbortController();
  call.onGivenUp((reason) => planFor(life, 1, () => controller.abort(reason)));
  if (isHeard) life.onDeath(() => back(call.lose));
  const notify = onNotification && (async (text: string) => void (isHeard && back(() => onNotification(bytes(text)))));
  const about = { correlationId, session, traceparent, signal: controller.signal };
  try {
    const heard = { ...about, notify };
    const answer = await soon(life, () => take(message.slice(), heard));
    return answer ?? new LinkError("invalid_response", "the server gave no answer");
  } catch (cause) {
    if (cause instanceof LinkError) return cause;
    return new LinkError("invalid_response", "the server failed to answer", { cause });
  }
}

/** Sends to the caller, in order. */
type Back = (run: () => void) => void;

function backTo(caller: Life, delay: () => number): Back {
  let last = 0;
  return (run) => {
    last = Math.max(last, agenda.now() + delay());
    planFor(caller, last - agenda.now(), run);
  };
}

type PendingCall = ReturnType<typeof beginCall>;

function beginCall(caller: Life, { signal, timeoutMs }: SendOptions) {
  const { promise: answered, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const endings: ((reason: LinkError) => void)[] = [];
  let isOver = false;
  const end = (answer: string | Uint8Array | LinkError): void => {
    if (isOver) return;
    isOver = true;
    agenda.cancel(timer);
    signal?.removeEventListener("abort", abort);
    if (!(answer instanceof LinkError)) return resolve(bytes(answer));
    reject(answer);
    for (const ending of endings) ending(answer);
  };
  const abort = (): void => end(new LinkError("aborted", "the call was aborted", { cause: signal?.reason }));
  const timer = runIn(caller, () =>
    agenda.plan(timeoutMs, () => end(new LinkError("timeout", `no answer within ${timeoutMs} ms`))),
  );
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  return {
    answered,
    end,
    lose: () => end(new LinkError("unreachable", "the connection was lost")),
    /** Calls `run` when the caller gives up. */
    onGivenUp: (run: (reason: LinkError) => void) => void endings.push(run),
  };
}
