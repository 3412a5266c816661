import { zoneMethods, ZoneError, type ZoneMethods } from "@crosszone/contracts";

type Refuse = () => Promise<never>;

const refuse: Refuse = () => Promise.reject(new ZoneError("internal"));

/** Handlers of all methods that fail. A test puts its own over them. */
export const otherMethods = Object.fromEntries(Object.keys(zoneMethods).map((name) => [name, refuse])) as Record<
  keyof ZoneMethods,
  Refuse
>;
