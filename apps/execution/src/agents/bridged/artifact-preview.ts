import { createAnswerBeginning } from "./answer-beginning.ts";

/** Shows the text of one task's artifacts while they grow. */
export interface ArtifactPreview {
  /** Takes the artifacts so far, an array that may change later. Never throws. */
  readonly show: (artifacts: readonly unknown[]) => void;
  /** Stops the preview. */
  readonly close: () => void;
}

/** The shortest time between two reads of the artifacts, milliseconds. */
const everyMs = 60;
/** The largest share of time spent reading artifacts. An agent may replace a long artifact repeatedly. */
const mostBusy = 0.1;

/**
 * Creates a preview that calls `add` with each new piece of text. The pieces together are the beginning of the answer.
 * It stops once the artifacts no longer begin with the shown text, because the agent replaced one or continued an
 * earlier one.
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
      // The data is nested too deeply for JSON. The answer fails with the same error.
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
