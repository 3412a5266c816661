import type { OpenView, ViewDefinition } from "../protocol/workspace.ts";
import type { ChangeFeed } from "./change-feed.ts";
import { newSlackId, randomText } from "./slack-clock.ts";
import type { Storage } from "./storage.ts";

/** What a person has open: at most three modals, one above the other, and the app's Home tab. */
export interface ViewStore {
  /** Opens a view of a person; a modal above the others. */
  open(user: string, definition: ViewDefinition): OpenView;
  /** Replaces the definition of a view. */
  update(view: OpenView, definition: ViewDefinition): OpenView;
  find(id: string): OpenView | undefined;
  /** Finds a view by the id that the app gave it. */
  findExternal(external_id: string): OpenView | undefined;
  /** Returns a person's modals, the lowest first. */
  modals(user: string): OpenView[];
  home(user: string): OpenView | undefined;
  /** Closes modals of a person. */
  close(user: string, ids: readonly string[]): void;
}

/** Maximum number of modals above each other. */
export const MOST_MODALS = 3;

/** Makes a store that publishes the views of a person when they change. */
export function createViewStore(feed: ChangeFeed, { keep }: Storage): ViewStore {
  /** By person. */
  const open = keep<OpenView[]>("views");
  const all = (): OpenView[] => [...open.values()].flat();
  const of = (user: string): OpenView[] => open.get(user) ?? [];
  const isModal = ({ definition }: OpenView): boolean => definition.type === "modal";
  const put = (user: string, views: OpenView[]): void => {
    open.set(user, views);
    feed.publish({ type: "views", user, views });
  };

  const store: ViewStore = {
    open: (user, definition) => {
      const below = definition.type === "modal" ? of(user).filter(isModal) : [];
      const id = newSlackId("V");
      const place = { root_view_id: below[0]?.id ?? id, previous_view_id: below.at(-1)?.id ?? null };
      const view = { id, user, definition, hash: newHash(), ...place };
      put(user, [...of(user), view]);
      return view;
    },
    update: (view, definition) => {
      const changed = { ...view, definition, hash: newHash() };
      put(
        view.user,
        of(view.user).map((one) => (one.id === view.id ? changed : one)),
      );
      return changed;
    },
    find: (id) => all().find((view) => view.id === id),
    findExternal: (external_id) => all().find(({ definition }) => definition["external_id"] === external_id),
    modals: (user) => of(user).filter(isModal),
    home: (user) => of(user).find((view) => !isModal(view)),
    close: (user, ids) => {
      const left = of(user).filter(({ id }) => !ids.includes(id));
      if (left.length < of(user).length) put(user, left);
    },
  };
  return store;
}

function newHash(): string {
  return `${Math.floor(Date.now() / 1000)}.${randomText(8)}`;
}
