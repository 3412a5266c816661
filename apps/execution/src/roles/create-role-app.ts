import { createExecutionApp, type ExecutionApp } from "../app.ts";
import type { Role } from "../config/role-variables.ts";
import type { ExecutionDeps } from "../deps.ts";
import { createOperationsApp } from "../operations-app.ts";

/** The HTTP surface of a process, and the tasks behind it where its roles have `rpc`. */
export const createRoleApp = ({
  roles,
  ...deps
}: ExecutionDeps & { readonly roles: readonly Role[] }): Omit<ExecutionApp, "dispatch"> =>
  roles.includes("rpc") ? createExecutionApp(deps) : createOperationsApp(deps);
