import { PlanFault, withOwnText } from "../mapping/scope.ts";

/** Steps that one condition can take: about 25 milliseconds, during which the process does nothing else. */
const mostSteps = 200_000;

let left = 0;

/** Runs an evaluation with a budget of steps. Throws a PlanFault when it is exceeded, so that no other item tries the same. Calls cannot be nested. */
export function withinSteps<Value>(run: () => Value): Value {
  left = mostSteps;
  try {
    return run();
  } finally {
    views.clear();
    // CEL continues after some errors, as in `false || true`.
    spend(0);
  }
}

/** Takes steps from the running evaluation. Once it has none left, this and every later call throws. */
export function spend(steps: number): void {
  left -= steps;
  if (left < 0)
    throw new PlanFault(
      `A condition takes more than ${String(mostSteps)} steps; make it compare less, or use smaller lists and texts.`,
    );
}

/** Returns how many items a new list can have. */
export const itemsLeft = (): number => Math.max(0, Math.floor(left));

/** A JSON object as CEL reads it: a map, so that no prototype member is reachable. Nothing is copied, because a condition reads little of it. */
class ObjectView extends Map<unknown, unknown> {
  readonly #object: Readonly<Record<string, unknown>>;
  #names: readonly string[] | undefined;

  static {
    // CEL knows the type of a value by its constructor.
    Object.defineProperty(this.prototype, "constructor", { value: Map });
  }

  constructor(object: object) {
    super();
    this.#object = object as Readonly<Record<string, unknown>>;
  }

  #all(): readonly string[] {
    this.#names ??= Object.keys(this.#object);
    spend(this.#names.length);
    return this.#names;
  }

  override get size(): number {
    return this.#all().length;
  }

  override has(name: unknown): boolean {
    return Object.hasOwn(this.#object, String(name));
  }

  override get(name: unknown): unknown {
    spend(1);
    return this.has(name) ? toCel(this.#object[String(name)]) : undefined;
  }

  override keys(): MapIterator<unknown> {
    return this.#all().values();
  }

  override entries(): MapIterator<[unknown, unknown]> {
    return this.#all()
      .values()
      .map((name): [unknown, unknown] => [name, this.get(name)]);
  }

  override [Symbol.iterator](): MapIterator<[unknown, unknown]> {
    return this.entries();
  }
}

const listView: ProxyHandler<readonly unknown[]> = {
  get: (list, key) => {
    spend(2);
    return toCel(list[key as unknown as number]);
  },
};

/** The views of one evaluation. A weak map of many values would cost the collector of garbage more than the evaluation. */
const views = new Map<object, object>();

/**
 * Returns JSON, or a list that CEL made, as conditions read it: each item and member that is read takes a step, and what is not read takes
 * nothing. An agent's output has its text.
 */
export function toCel(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const known = views.get(value);
  if (known) return known;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return value;
  spend(4);
  const view = Array.isArray(value)
    ? new Proxy<readonly unknown[]>(value, listView)
    : new ObjectView(withOwnText(value));
  views.set(value, view).set(view, view);
  return view;
}
