/** Why a call is given up here although its task goes on: another process has it, or will have it. */
export class CallReleased extends Error {
  override readonly name = "CallReleased";
}
