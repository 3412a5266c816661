import { createExecutionApp, type ExecutionApp } from "../app.ts";
import type { Role } from "../config/role-variables.ts";
import type { ExecutionDeps } from "../deps.ts";
import { createOperationsApp } from "../operations-app.ts";

/** Creates a process's HTTP surface, with tasks when its roles include `rpc`. */
export const createRoleApp = ({
  roles,
  ...deps
}: ExecutionDeps & { readonly roles: readonly Role[] }): Omit<ExecutionApp, "dispatch"> =>
  roles.includes("rpc") ? createExecutionApp(deps) : createOperationsApp(deps);
