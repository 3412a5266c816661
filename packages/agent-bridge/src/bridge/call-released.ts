/** The reason for ending a call whose task continues in another process. */
export class CallReleased extends Error {
  override readonly name = "CallReleased";
}
