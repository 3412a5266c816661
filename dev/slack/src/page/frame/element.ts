/** An item of a list: plain data, identified by `key`. */
interface Keyed {
  key: string;
  /** Changes when the item must be redrawn; by default the whole item as JSON. */
  version?: string;
}

const drawn = new WeakMap<Element, string>();

/**
 * Makes the children of `parent` show `items`, and draws only new or changed ones: the others keep their focus, selection and open details.
 * An item must contain everything that its drawing depends on.
 */
export function reconcile<T extends Keyed>(parent: Element, items: readonly T[], draw: (item: T) => HTMLElement): void {
  const keys = new Set(items.map((item) => item.key));
  const present = new Map<string, Element>();
  for (const child of Array.from(parent.children)) {
    const key = child.getAttribute("data-key") ?? "";
    if (keys.has(key)) present.set(key, child);
    else child.remove();
  }
  for (const [index, item] of items.entries()) {
    const version = item.version ?? JSON.stringify(item);
    const before = present.get(item.key);
    const unchanged = before && drawn.get(before) === version;
    const child = unchanged ? before : draw(item);
    if (!unchanged) {
      child.setAttribute("data-key", item.key);
      drawn.set(child, version);
      if (before) replaceKeepingFocus(before, child);
    }
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
  }
}

/** Replaces one drawing with another, and moves the focus to the control of the same name. */
function replaceKeepingFocus(before: Element, after: Element): void {
  const focused = before.contains(document.activeElement) ? document.activeElement?.getAttribute("data-testid") : null;
  before.replaceWith(after);
  if (focused) after.querySelector<HTMLElement>(`[data-testid="${CSS.escape(focused)}"]`)?.focus();
}

export type Child = Node | string | undefined | false;

/** Attributes of an element: a function is an event listener (`onclick`), `true` an empty attribute, `false` none. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

/**
 * Makes an element. Strings become text nodes and attributes go through `setAttribute`, so message content is never parsed as markup.
 * Listeners are functions, never text.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

/** Returns the element with this id in `index.html`. Throws if it is missing, which is a bug in the page. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no element #${id}`);
  return element as T;
}
