import type { Validator } from "@crosszone/contracts";

/** Bounds a method map, an interface such as `ZoneMethods`: method name → what it takes and what it answers. */
export type MethodMap<M> = { [K in keyof M]: { params: unknown; result: unknown } };

/** The validators of each method; `zoneMethods` is one. What has no validator is not checked. */
export type MethodValidators<M extends MethodMap<M>> = {
  readonly [K in keyof M]: {
    readonly params?: Validator<M[K]["params"]>;
    readonly result?: Validator<M[K]["result"]>;
  };
};
