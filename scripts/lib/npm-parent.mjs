const POLL_MS = 250;

/**
 * Stops this process when the npm that started it ends. npm passes SIGTERM on to the shell between them only,
 * which dies of it and tells nobody, so the server would go on without a parent.
 */
export function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) {
    return;
  }
  const parent = process.ppid;
  let isSignalled = false;
  for (const [signal, number] of [
    ["SIGINT", 2],
    ["SIGTERM", 15],
  ]) {
    process.on(signal, () => {
      isSignalled = true;
      // Until the program listens itself, the signal does what it does by default.
      if (process.listenerCount(signal) === 1) {
        process.exit(128 + number);
      }
    });
  }
  const timer = setInterval(() => {
    if (process.ppid !== parent) {
      clearInterval(timer);
      // After Ctrl-C the terminal has told this process already; a second signal would cut its work short.
      if (!isSignalled) {
        process.kill(process.pid, "SIGTERM");
      }
    }
  }, POLL_MS);
  timer.unref();
}
