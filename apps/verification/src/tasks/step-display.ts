import type { TaskProgress } from "@crosszone/contracts";
import { composeWorking } from "../answers/compose-working.ts";
import type { Clock } from "../clock.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import type { EditPace } from "./edit-pace.ts";

export interface StepDisplayDeps {
  readonly clock: Clock;
  readonly pace: EditPace;
  /** The message that shows them, once it is there; without a timestamp there is none. */
  readonly message: Promise<{ readonly ts?: string }>;
  /** Changes it, without trying again. */
  readonly edit: (ts: string, markdown: string) => Promise<void>;
  /** Aborts when nothing shall be shown any more. */
  readonly until: AbortSignal;
}

/** Shows in one message how far its task is, and as much of the answer as there is. Decoration: what cannot be shown is not, and nothing fails for it. */
export interface StepDisplay {
  /** Shows this soon, unless something newer comes before. */
  readonly show: (progress: TaskProgress) => void;
  /** Shows so much of the answer soon, in place of what was there before. */
  readonly write: (text: string) => void;
  /** The progress that was to be shown last. */
  readonly latest: TaskProgress | undefined;
  /** Nothing is changed from now on; resolves when no change is under way any more. Never rejects. */
  end(): Promise<void>;
}

/** A message is changed no more often than this, milliseconds. */
const everyMs = 1_000;
/** The pause of all when Slack has failed and does not say how long to wait, milliseconds. */
const troubleMs = 5_000;

/** Makes the display of one task. It shows nothing more once Slack refuses to change the message. */
export function createStepDisplay({ clock, pace, message, edit, until }: StepDisplayDeps): StepDisplay {
  const over = new AbortController();
  const signal = AbortSignal.any([until, over.signal]);
  let latest: TaskProgress | undefined;
  let written = "";
  let shown: string | undefined;
  let isDrawing = false;
  let drawing: Promise<void> | undefined;

  /** Shows what is latest until that is shown. Rejects when nothing is to be shown any more. */
  async function draw(): Promise<void> {
    isDrawing = true;
    const { ts } = await message;
    if (ts === undefined) throw new Error("there is no message to show it in");
    while (composeWorking(latest, written) !== shown) {
      await pace.turn(signal);
      const text = composeWorking(latest, written);
      try {
        await edit(ts, text);
        shown = text;
      } catch (error) {
        if (!(error instanceof SlackCallError) || error.failure === "refused") throw error;
        pace.pause(error.retryAfterMs ?? troubleMs);
      }
      await clock.sleep(everyMs, signal);
    }
    isDrawing = false;
  }

  function drawSoon(): void {
    if (!isDrawing) drawing = draw().catch(() => undefined);
  }

  return {
    show: (progress) => {
      latest = progress;
      drawSoon();
    },
    write: (text) => {
      written = text;
      drawSoon();
    },
    get latest() {
      return latest;
    },
    end: async () => {
      over.abort();
      await drawing;
    },
  };
}
