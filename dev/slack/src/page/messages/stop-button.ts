import { byId } from "../frame/element.ts";
import { controlApi } from "../state/control-api.ts";
import type { PageState } from "../state/page-state.ts";
import type { Store } from "../state/store.ts";

/** Mounts the Stop button of the open thread. Returns a function that shows it while the bot is working and hides it afterwards. */
export function mountStopButton(store: Store<PageState>): (isWorking: boolean) => void {
  const button = byId<HTMLButtonElement>("stop");
  const problem = byId("stop-problem");
  const stop = async (): Promise<void> => {
    const { place, user } = store.state;
    if (place.view !== "messages" || place.thread === undefined) return;
    button.disabled = true;
    try {
      await controlApi.stop({ channel: place.channel, thread_ts: place.thread, user });
      problem.textContent = "";
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : "Stopping failed.";
    }
    button.disabled = false;
  };
  button.addEventListener("click", () => void stop());
  return (isWorking) => {
    button.hidden = !isWorking;
    if (!isWorking) problem.textContent = "";
  };
}
