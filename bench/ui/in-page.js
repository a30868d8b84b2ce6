// Runs in the page before its own scripts; the bench asks it by `bench.…`.
globalThis.bench = { shownMs: null, lookFor, elements, scroll };

// Nobody is shown around.
localStorage.setItem("anneal", JSON.stringify({ state: { toured: true }, version: 0 }));

/** Notes when something is on the screen, from the start of the navigation. */
function lookFor(selector) {
  const look = () => {
    if (!isThere(document, selector)) requestAnimationFrame(look);
    // What was there in one frame is on the screen when the next one begins.
    else
      requestAnimationFrame((now) => {
        globalThis.bench.shownMs = now;
      });
  };
  look();
}

/** Diffs are drawn inside elements of their own. */
function isThere(root, selector) {
  if (root.querySelector(selector) !== null) return true;
  return [...root.querySelectorAll("diffs-container")].some(
    ({ shadowRoot }) => shadowRoot !== null && isThere(shadowRoot, selector),
  );
}

/** All elements, with those inside others. */
function elements(root = document) {
  const all = [...root.querySelectorAll("*")];
  return all.reduce((sum, { shadowRoot }) => sum + 1 + (shadowRoot === null ? 0 : elements(shadowRoot)), 0);
}

/** Scrolls the longest column up and down, and tells how long each frame took, in ms. */
async function scroll(frames, step) {
  const columns = [...document.querySelectorAll("section > div")];
  const longest = columns.toSorted((a, b) => b.scrollHeight - a.scrollHeight)[0];
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const times = [];
  let last = await frame();
  let by = step;
  for (let n = 0; n < frames; n += 1) {
    const before = longest.scrollTop;
    longest.scrollTop += by;
    if (longest.scrollTop === before) by = -by;
    const now = await frame();
    times.push(now - last);
    last = now;
  }
  return times;
}
