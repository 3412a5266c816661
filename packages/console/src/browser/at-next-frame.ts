/**
 * Returns a function that runs `call` once before the next frame, however often it is called. `request` is
 * `requestAnimationFrame`: a hidden page has no frames and draws nothing.
 */
export function atNextFrame(call: () => void, request: (frame: () => void) => void): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    request(() => {
      isWaiting = false;
      call();
    });
  };
}
