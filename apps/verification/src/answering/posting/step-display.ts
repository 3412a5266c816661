import type { TaskProgress } from "@crosszone/contracts";
import { composeWorking } from "../markdown/compose-unfinished.ts";
import type { Clock } from "../../time/clock.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";
import { unlessAborted } from "@crosszone/service-kit";
import type { EditPace } from "./edit-pace.ts";

export interface StepDisplayDeps {
  readonly clock: Clock;
  readonly pace: EditPace;
  /** Resolves with the message to edit once it is posted; without a timestamp there is no message. */
  readonly message: Promise<{ readonly ts?: string }>;
  /** Edits the message, without retries. */
  readonly edit: (ts: string, markdown: string) => Promise<void>;
  /** Aborts when nothing more is to be shown. */
  readonly until: AbortSignal;
}

/** Shows a task's progress and the beginning of its answer in one message. Decoration: failures are ignored. */
export interface StepDisplay {
  /** Shows this progress soon, unless newer progress arrives first. */
  readonly show: (progress: TaskProgress) => void;
  /** Shows this text soon; it replaces the text before. */
  readonly write: (text: string) => void;
  /** The progress of the latest `show` call. */
  readonly latest: TaskProgress | undefined;
  /** Stops further edits; resolves when no edit is in progress. Never rejects. */
  end(): Promise<void>;
}

/** Minimum time between edits of one message, milliseconds. */
const everyMs = 1_000;
/** Pause of all edits after Slack failed without a retry time, milliseconds. */
const troubleMs = 5_000;

/** Makes the display of one task. It stops once Slack refuses to edit the message. */
export function createStepDisplay({ clock, pace, message, edit, until }: StepDisplayDeps): StepDisplay {
  const over = new AbortController();
  const signal = AbortSignal.any([until, over.signal]);
  let latest: TaskProgress | undefined;
  let written = "";
  let shown: string | undefined;
  let isDrawing = false;
  let drawing: Promise<void> | undefined;

  /** Draws the latest state. Rejects when nothing more is to be shown. */
  async function draw(): Promise<void> {
    isDrawing = true;
    const { ts } = await unlessAborted(message, signal);
    if (ts === undefined) throw new Error("the progress message does not exist");
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
