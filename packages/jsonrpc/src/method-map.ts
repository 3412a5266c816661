import type { Validator } from "@crosszone/contracts";

/** Constraint of a method map, an interface such as `ZoneMethods`: method name → params and result. */
export type MethodMap<M> = { [K in keyof M]: { params: unknown; result: unknown } };

/** The validators of each method, such as `zoneMethods`. Methods without a validator are not checked. */
export type MethodValidators<M extends MethodMap<M>> = {
  readonly [K in keyof M]: {
    readonly params?: Validator<M[K]["params"]>;
    readonly result?: Validator<M[K]["result"]>;
  };
};
