import { byId } from "./element.ts";
import type { PageState } from "../state/page-state.ts";
import type { Store } from "../state/store.ts";

/** Says that the page is cut off from the local Slack and trying again; says nothing while all is well. */
export function mountConnection(store: Store<PageState>): void {
  const mark = byId("connection");
  store.watch(({ connection }) => {
    mark.dataset["connection"] = connection;
    mark.hidden = connection !== "lost";
  });
}
