const drawn = new WeakMap<Element, unknown>();

/** How to draw items as the children of an element. */
export interface KeyedChildren<T> {
  readonly keyOf: (item: T) => string;
  /** Changes when the item must be drawn again. */
  readonly versionOf: (item: T) => string;
  readonly draw: (item: T) => Element;
}

/** Draws items as the children of an element. Unchanged children stay, with their focus and open details. */
export function showChildren<T>(
  parent: Element,
  items: readonly T[],
  { draw, keyOf, versionOf }: KeyedChildren<T>,
): void {
  const before = new Map([...parent.children].map((child) => [child.getAttribute("data-key"), child]));
  const shown = items.map((item) => {
    const key = keyOf(item);
    const version = versionOf(item);
    const known = before.get(key);
    if (known && drawn.get(known) === version) return known;
    const child = draw(item);
    child.setAttribute("data-key", key);
    drawn.set(child, version);
    if (known?.contains(document.activeElement)) queueMicrotask(() => focusIn(child));
    return child;
  });
  const kept = new Set(shown);
  for (const child of Array.from(parent.children)) if (!kept.has(child)) child.remove();
  for (const [index, child] of shown.entries()) {
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
  }
}

function focusIn(child: Element): void {
  const target = child.matches("a, button, [tabindex]") ? child : child.querySelector("a, button, [tabindex]");
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}
