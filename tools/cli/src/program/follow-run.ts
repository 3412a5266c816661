import { setTimeout as delay } from "node:timers/promises";
import { type InspectColor, styleText } from "node:util";
import type { InputRequest, RunGraph, RunState, StepState, WorkflowRun } from "@crosszone/contracts";
import { createLogUpdate } from "log-update";
import type { ApiClient } from "../api/api-client.ts";
import { isApiFailure } from "../api/send.ts";
import { isAskedSoon, mostLooks, waitLine } from "../text/input-text.ts";
import { columnsOf, fit, harmlessLine, momentText } from "../text/terminal-text.ts";
import { createRunSteps, type StepLine, stepRest } from "./run-steps.ts";
import { type Output, type Session, stateColors } from "./session.ts";

export interface Display {
  /** The steps have changed. */
  readonly update: () => void;
  /** Prints a permanent line. */
  readonly say: (sentence: string) => void;
  /** The run has ended, or is no longer watched. */
  readonly end: () => void;
}

/** Returns the current steps; called for each update. */
type Lines = () => readonly StepLine[];

/** Prints one line for each change of a step, for logs and screen readers. Omits pending steps and the elapsed time of running ones. */
export function createPlainDisplay(output: Output, lines: Lines): Display {
  const printed = new Map<string, string>();
  const write = (line: string): void => void output.write(`${harmlessLine(line)}\n`);

  function print(line: StepLine): void {
    const { id, state, done, title } = line;
    const change = `${state} ${done ?? ""}`;
    if (state === "pending" || printed.get(id) === change) return;
    printed.set(id, change);
    const rest = stepRest(line, { withTime: state !== "running" });
    write(`${state.padEnd(10)} ${"  ".repeat(line.depth)}${title}${rest === "" ? "" : ` (${rest})`}`);
  }

  return {
    update: () => lines().filter(isTimed).forEach(print),
    say: write,
    end: () => lines().forEach(print),
  };
}

/** The graph can be ahead of the events, which carry the times. An ended step is printed once its duration is known. */
const isTimed = ({ state, elapsedMs }: StepLine): boolean =>
  (state !== "succeeded" && state !== "failed") || elapsedMs !== undefined;

/** Time between two frames, milliseconds. */
const frameMs = 125;

/** Redraws the steps in place, eight times a second, until the run ends. */
function createLiveDisplay(output: Output, lines: Lines): Display {
  const log = createLogUpdate(output);
  let frameCount = 0;
  const draw = (): void => {
    const { columns = 80, rows = 24 } = output;
    // The cursor is on its own line below.
    log(frame(lines(), { columns, rows: Math.max(1, rows - 1), frameCount }));
  };
  const timer = setInterval(() => {
    frameCount += 1;
    draw();
  }, frameMs);
  output.on("resize", draw);
  return {
    // The next frame shows it.
    update: () => undefined,
    say: (sentence) => log.persist(harmlessLine(sentence)),
    end: () => {
      clearInterval(timer);
      output.off("resize", draw);
      draw();
      log.done();
    },
  };
}

const signs: Readonly<Record<StepState | RunState, string>> = {
  pending: "○",
  running: "◐",
  succeeded: "✓",
  failed: "✗",
  timed_out: "✗",
  canceled: "✗",
  skipped: "–",
};

const spinner = ["◐", "◓", "◑", "◒"];

/** Returns the steps as colored lines that fit the terminal. If they do not all fit, shows the ones around the running step. `frameCount`: for the spinner. */
export function frame(
  steps: readonly StepLine[],
  { columns, rows, frameCount }: { readonly columns: number; readonly rows: number; readonly frameCount: number },
): string {
  const { from, to } = visible(steps, rows);
  const shown = steps.slice(from, to).map((step) => drawn(step, columns, frameCount));
  const more = (count: number, where: string): string[] =>
    count === 0 ? [] : [styleText("dim", fit(`  … ${count} more ${where}`, columns), { validateStream: false })];
  return [...more(from, "above"), ...shown, ...more(steps.length - to, "below")].join("\n");
}

function drawn(step: StepLine, columns: number, frameCount: number): string {
  const sign = signs[step.state];
  const shownSign = step.state === "running" ? (spinner[frameCount % spinner.length] ?? sign) : sign;
  const paint = (look: InspectColor, text: string): string => styleText(look, text, { validateStream: false });
  const title = fit(`${"  ".repeat(step.depth)}${shownSign} ${harmlessLine(step.title)}`, columns);
  const rest = harmlessLine(stepRest(step, { withTime: true }));
  // Two columns of space.
  const left = columns - columnsOf(title) - 2;
  return (
    paint(stateColors[step.state] ?? "reset", title) +
    (rest === "" || left < 4 ? "" : `  ${paint("dim", fit(rest, left))}`)
  );
}

/** Selects the steps to draw: all, or as many as fit, including the first running one. */
function visible(steps: readonly StepLine[], rows: number): { readonly from: number; readonly to: number } {
  if (steps.length <= rows) return { from: 0, to: steps.length };
  // The lines above and below count the hidden steps.
  const room = Math.max(1, rows - 2);
  const running = steps.findIndex(({ state }) => state === "running");
  const last = steps.findLastIndex(({ state }) => state !== "pending");
  const middle = Math.max(0, running === -1 ? last : running);
  const from = Math.min(Math.max(0, middle - Math.floor(room / 3)), steps.length - room);
  return { from, to: from + room };
}

/** The person left before the run ended. The message says what happens to the run. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}

interface FollowOptions {
  readonly runId: string;
  /** The first line. */
  readonly headline: string;
  /** What the first Ctrl-C does; the second one leaves. If absent, the first one leaves. */
  readonly stop?: { readonly sentence: string; readonly run: () => Promise<unknown> };
}

/** Shows the progress of a run until it ends, and returns the ended run. Rejects with a `InterruptedError` when the person leaves. */
export async function showRunUntilEnd(api: ApiClient, session: Session, options: FollowOptions): Promise<WorkflowRun> {
  const { runId, headline, stop } = options;
  const steps = createRunSteps();
  const createDisplay = session.isLive ? createLiveDisplay : createPlainDisplay;
  const display = createDisplay(session.stderr, () => steps.lines(Date.now()));
  const left = Promise.withResolvers<never>();
  const end = new AbortController();
  const { signal } = end;
  const say = (request: InputRequest): void =>
    display.say(waitLine(request, momentText(request.expires_at, session.stderr)));
  const lookForWaits = createWaits(() => openInputs(api, { run_id: runId }), { say, signal });
  const show = (latest: RunGraph): void => {
    steps.setGraph(latest);
    display.update();
    if (latest.nodes.some(({ type, state }) => type === "human" && state === "running")) void lookForWaits();
  };
  const refreshGraph = createLatestGraph(() => api.call("getRunGraph", { run_id: runId }), { show, signal });
  let interrupts = 0;
  const off = session.onInterrupt(() => {
    interrupts += 1;
    if (stop === undefined) return left.reject(new InterruptedError("the run continues"));
    if (interrupts > 1) return left.reject(new InterruptedError("the run may not have been canceled yet"));
    display.say(stop.sentence);
    stop.run().catch(left.reject);
  });

  async function watch(): Promise<WorkflowRun> {
    refreshGraph();
    for await (const event of api.events(runId, { signal })) {
      steps.addEvent(event);
      display.update();
      refreshGraph();
    }
    end.abort();
    steps.setGraph(await api.call("getRunGraph", { run_id: runId }));
    return api.call("getRun", { run_id: runId });
  }

  try {
    display.say(headline);
    return await Promise.race([watch(), left.promise]);
  } finally {
    off();
    end.abort();
    display.end();
  }
}

/** Returns what a task or a run asks people now. */
export const openInputs = async (
  api: ApiClient,
  of: { readonly task_id?: string; readonly run_id?: string },
): Promise<readonly InputRequest[]> =>
  (await api.call("listInputRequests", { ...of, state: "open", limit: 20 })).input_requests;

/** Minimum time between two requests, milliseconds. All users of a token share its rate limit. */
const pauseMs = 1_000;

/** Returns a function that says once of each open input request who decides it, when verification has asked them. */
function createWaits(
  open: () => Promise<readonly InputRequest[]>,
  { say, signal }: { readonly say: (request: InputRequest) => void; readonly signal: AbortSignal },
) {
  const said = new Set<string>();
  let isLooking = false;
  return async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    for (let look = 1; look <= mostLooks && !signal.aborted; look += 1) {
      // A token without the scope sees the step, not who decides.
      const requests = (await open().catch(() => [])).filter(({ request_id }) => !said.has(request_id));
      for (const request of requests) {
        if (signal.aborted || (isAskedSoon(request) && look < mostLooks)) continue;
        said.add(request.request_id);
        say(request);
      }
      if (requests.every(({ request_id }) => said.has(request_id))) break;
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
    isLooking = false;
  };
}

/**
 * Returns a function that requests a run's graph soon and shows it; calls in the meantime are merged. A failed request is skipped: the next
 * graph includes its changes.
 */
function createLatestGraph(
  read: () => Promise<RunGraph>,
  { show, signal }: { readonly show: (graph: RunGraph) => void; readonly signal: AbortSignal },
): () => void {
  let isWanted = false;
  let isFetching = false;

  async function fetchLatest(): Promise<void> {
    isFetching = true;
    while (isWanted && !signal.aborted) {
      isWanted = false;
      try {
        const graph = await read();
        if (!signal.aborted) show(graph);
      } catch (error) {
        if (!isApiFailure(error)) throw error;
      }
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
    isFetching = false;
  }

  return () => {
    isWanted = true;
    if (!isFetching) void fetchLatest();
  };
}
