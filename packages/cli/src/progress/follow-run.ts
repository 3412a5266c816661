import type { WorkflowRun } from "@crosszone/contracts";
import type { ApiClient } from "../api/api-client.ts";
import type { Session } from "../session.ts";
import { createLatestGraph } from "./latest-graph.ts";
import { createLiveDisplay } from "./live-display.ts";
import { createPlainDisplay } from "./plain-display.ts";
import { createRunSteps } from "./run-steps.ts";

/** The person left before the run ended. The message says what happens to the run. */
export class LeftError extends Error {
  override readonly name = "LeftError";
}

export interface FollowOptions {
  readonly runId: string;
  /** The first line. */
  readonly headline: string;
  /** What the first Ctrl-C does; the second one leaves. If absent, the first one leaves. */
  readonly stop?: { readonly sentence: string; readonly run: () => Promise<unknown> };
}

type Followed = Pick<ApiClient, "events" | "graph" | "run">;

/** Shows the progress of a run until it ends, and returns the ended run. Rejects with a `LeftError` when the person leaves. */
export async function followRun(api: Followed, session: Session, options: FollowOptions): Promise<WorkflowRun> {
  const { runId, headline, stop } = options;
  const steps = createRunSteps();
  const createDisplay = session.isLive ? createLiveDisplay : createPlainDisplay;
  const display = createDisplay(session.stderr, { lines: () => steps.lines(Date.now()) });
  const graph = createLatestGraph(
    () => api.graph(runId),
    (latest) => {
      steps.show(latest);
      display.update();
    },
  );
  const left = Promise.withResolvers<never>();
  const end = new AbortController();
  let interrupts = 0;
  const off = session.onInterrupt(() => {
    interrupts += 1;
    if (stop === undefined) return left.reject(new LeftError("the run continues"));
    if (interrupts > 1) return left.reject(new LeftError("the run may not have been canceled yet"));
    display.say(stop.sentence);
    stop.run().catch(left.reject);
  });

  async function watch(): Promise<WorkflowRun> {
    graph.refresh();
    for await (const event of api.events(runId, { signal: end.signal })) {
      steps.take(event);
      display.update();
      graph.refresh();
    }
    graph.stop();
    steps.show(await api.graph(runId));
    return api.run(runId);
  }

  try {
    display.say(headline);
    return await Promise.race([watch(), left.promise]);
  } finally {
    off();
    end.abort();
    graph.stop();
    display.end();
  }
}
