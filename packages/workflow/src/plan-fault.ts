/** A plan that no run can follow. The validator lets none through; where one got in all the same, its runs fail with this message. */
export class PlanFault extends Error {
  override readonly name = "PlanFault";
}
