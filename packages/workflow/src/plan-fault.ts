/** A plan that no run can follow. The validator prevents such plans; if one is stored anyway, its runs fail with this message. */
export class PlanFault extends Error {
  override readonly name = "PlanFault";
}
