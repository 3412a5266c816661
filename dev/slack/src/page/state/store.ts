/** Holds the page's state and redraws after each change. */
export interface Store<S> {
  readonly state: S;
  /** Replaces the state; watchers are called once, after all changes of the current task. */
  update(change: (state: S) => S): void;
  /** Calls `draw` now and after each change. */
  watch(draw: (state: S) => void): void;
}

/** Makes a store that calls its watchers in a microtask, so that several changes in a row cause one redraw. */
export function createStore<S>(initial: S): Store<S> {
  let state = initial;
  let planned = false;
  const watchers: ((state: S) => void)[] = [];
  const tell = (): void => {
    planned = false;
    for (const watcher of watchers) watcher(state);
  };
  return {
    get state() {
      return state;
    },
    update: (change) => {
      state = change(state);
      if (!planned) queueMicrotask(tell);
      planned = true;
    },
    watch: (draw) => {
      watchers.push(draw);
      draw(state);
    },
  };
}
