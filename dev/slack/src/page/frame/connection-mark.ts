import { byId } from "./element.ts";
import type { PageState } from "../state/page-state.ts";
import type { Store } from "../state/store.ts";

/** Shows when the page has lost the local Slack and is reconnecting. */
export function mountConnection(store: Store<PageState>): void {
  const mark = byId("connection");
  store.watch(({ connection }) => {
    mark.dataset["connection"] = connection;
    mark.hidden = connection !== "lost";
  });
}
