// Runs in the page before its own scripts; the bench asks it by `bench.…`.
globalThis.bench = { shownMs: null, allCardsMs: null, lookFor, lookForCards, open, elements, scroll };

// Nobody is shown around.
localStorage.setItem("anneal", JSON.stringify({ state: { toured: true }, version: 0 }));

/** Notes when something is on the screen, from the start of the navigation. */
function lookFor(selector) {
  note("shownMs", () => isThere(document, selector));
}

/** Notes when the columns have so many cards between them. */
function lookForCards(count) {
  const headings = document.getElementsByTagName("h2");
  const counted = () =>
    [...headings].reduce((sum, { lastElementChild }) => sum + Number(lastElementChild?.textContent), 0);
  note("allCardsMs", () => counted() === count);
}

function note(name, isSo) {
  const look = () => {
    if (!isSo()) requestAnimationFrame(look);
    // What was there in one frame is on the screen when the next one begins.
    else
      requestAnimationFrame((now) => {
        globalThis.bench[name] = now;
      });
  };
  look();
}

/** Clicks on something, and tells how long it took until something else was on the screen, in ms. */
async function open(link, selector) {
  globalThis.bench.shownMs = null;
  const from = performance.now();
  document.querySelector(link).click();
  lookFor(selector);
  while (globalThis.bench.shownMs === null) await new Promise((resolve) => requestAnimationFrame(resolve));
  return globalThis.bench.shownMs - from;
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
