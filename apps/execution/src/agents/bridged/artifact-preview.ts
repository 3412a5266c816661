import { createAnswerBeginning } from "./answer-beginning.ts";

/** Shows the text of one task's artifacts while they grow. */
export interface ArtifactPreview {
  /** Takes the artifacts so far, an array that may change later. Never throws. */
  readonly show: (artifacts: readonly unknown[]) => void;
  /** Shows nothing more. */
  readonly close: () => void;
}

/** The shortest time between two looks at the artifacts, milliseconds. */
const everyMs = 60;
/** Reading the artifacts takes at most this share of the time: an agent may replace a long one again and again. */
const mostBusy = 0.1;

/**
 * Calls `add` with each piece of the text, so that the pieces together are the beginning of the answer. Once the artifacts no longer begin
 * with what was shown, because the agent has replaced one or gone on with an earlier one, nothing more is shown.
 */
export function createArtifactPreview(add: (delta: string) => void): ArtifactPreview {
  const beginningOf = createAnswerBeginning();
  let artifacts: readonly unknown[] = [];
  let shown = "";
  let isNewer = false;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;

  function close(): void {
    isOver = true;
    clearTimeout(timer);
  }

  function extend(): void {
    const text = beginningOf(artifacts);
    if (!text.startsWith(shown)) return close();
    if (text.length > shown.length) add(text.slice(shown.length));
    shown = text;
  }

  function look(): void {
    timer = undefined;
    if (!isNewer) return;
    isNewer = false;
    const startedAt = performance.now();
    try {
      extend();
    } catch {
      // Data that is nested too deeply to be written as JSON. The answer itself fails with that.
      close();
    }
    const tookMs = performance.now() - startedAt;
    if (!isOver) timer = setTimeout(look, Math.max(everyMs, tookMs / mostBusy)).unref();
  }

  return {
    show: (latest) => {
      if (isOver) return;
      artifacts = latest;
      isNewer = true;
      if (timer === undefined) look();
    },
    close,
  };
}
