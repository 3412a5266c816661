import type { OpenView, ViewDefinition } from "../protocol/workspace.ts";
import type { ChangeFeed } from "./change-feed.ts";
import { newSlackId, randomText } from "./slack-clock.ts";
import type { Storage } from "./storage.ts";

/** The modals that people have open, at most three above each other, and their Home tabs. */
export interface ViewStore {
  /** Opens a modal above the others of a person. */
  open(user: string, definition: ViewDefinition): OpenView;
  /** Replaces the definition of a view. */
  update(view: OpenView, definition: ViewDefinition): OpenView;
  find(id: string): OpenView | undefined;
  /** Finds a view by the id that the app gave it. */
  findExternal(external_id: string): OpenView | undefined;
  /** Returns a person's modals, the lowest first. */
  modals(user: string): OpenView[];
  /** Replaces what the Home tab shows to a person. */
  publish(user: string, definition: ViewDefinition): OpenView;
  /** Returns what a person's Home tab shows; undefined before the first publish. */
  home(user: string): OpenView | undefined;
  /** Closes one modal of a person, or all of them. */
  close(user: string, id?: string): void;
}

/** Maximum number of modals above each other. */
export const MOST_MODALS = 3;

/** Makes a store that publishes a person's modals when they change. */
export function createViewStore(feed: ChangeFeed, { keep }: Storage): ViewStore {
  const open = keep<OpenView[]>("views");
  const homes = keep<OpenView>("homes");
  const all = (): OpenView[] => [...open.values()].flat();
  const newHash = (): string => `${Math.floor(Date.now() / 1000)}.${randomText(8)}`;
  const put = (user: string, views: OpenView[]): void => {
    open.set(user, views);
    feed.publish({ type: "views", user, views });
  };

  const store: ViewStore = {
    open: (user, definition) => {
      const below = store.modals(user);
      const id = newSlackId("V");
      const place = { root_view_id: below[0]?.id ?? id, previous_view_id: below.at(-1)?.id ?? null };
      const view = { id, user, definition, hash: newHash(), ...place };
      put(user, [...below, view]);
      return view;
    },
    update: (view, definition) => {
      const changed = { ...view, definition, hash: newHash() };
      put(
        view.user,
        store.modals(view.user).map((one) => (one.id === view.id ? changed : one)),
      );
      return changed;
    },
    find: (id) => all().find((view) => view.id === id),
    findExternal: (external_id) => all().find(({ definition }) => definition["external_id"] === external_id),
    modals: (user) => open.get(user) ?? [],
    publish: (user, definition) => {
      const id = homes.get(user)?.id ?? newSlackId("V");
      const view = { id, user, definition, hash: newHash(), root_view_id: id, previous_view_id: null };
      homes.set(user, view);
      feed.publish({ type: "home", view });
      return view;
    },
    home: (user) => homes.get(user),
    close: (user, id) => {
      const left = id === undefined ? [] : store.modals(user).filter((view) => view.id !== id);
      if (left.length < store.modals(user).length) put(user, left);
    },
  };
  return store;
}
