// Follow the class: poll for a new card, and send answers without a reload. Without this script the forms still work.

const RETRY_MS = 3000;
const card = document.getElementById("card");
const live = card.dataset.live;
let seen = "";

// Show a card from the server, which has escaped all text; a reload would show the same card.
function show(text, version) {
  if (version === seen && text === card.innerHTML) return;
  seen = version;
  card.innerHTML = text;
  paint();
  startTimer();
}

// Count the remaining time down; the server decides when it is over.
let ticking = 0;
function startTimer() {
  clearInterval(ticking);
  const timer = card.querySelector("[data-seconds]");
  if (!timer) return;
  const end = Date.now() + 1000 * timer.dataset.seconds;
  const tick = () => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    timer.textContent = left ? timer.dataset.left.replace("{n}", left) : timer.dataset.end;
    if (!left) clearInterval(ticking);
  };
  ticking = setInterval(tick, 1000);
  tick();
}

// Mark what is chosen below the graph in the graph, too: nodes, edges, and directions of edges.
function paint() {
  for (const part of card.querySelectorAll("[data-part]")) {
    const id = part.dataset.part, box = card.querySelector(`input[type="checkbox"][value="${id}"]`);
    if (box) part.classList.toggle("chosen", box.checked);
    const list = card.querySelector(`select[data-edge="${id}"]`);
    if (!list) continue;
    for (const { value } of list.options) part.classList.toggle(value, list.value === value);
  }
}

// A tap on a node or an edge checks its box, or turns the edge to its next direction.
card.addEventListener("click", (e) => {
  const id = e.target.closest("[data-part]")?.dataset.part;
  if (id === undefined) return;
  const box = card.querySelector(`input[type="checkbox"][value="${id}"]`);
  if (box) box.checked = !box.checked;
  const list = card.querySelector(`select[data-edge="${id}"]`);
  if (list) list.selectedIndex = (list.selectedIndex + 1) % list.options.length;
  paint();
});
card.addEventListener("change", paint);

// Every card contains the version of the class, even one that explains why an answer was rejected.
async function take(answer) {
  if (answer.headers.has("x-version")) show(await answer.text(), answer.headers.get("x-version"));
  return answer.status;
}

// Long polling: the server answers when something changes, or after a few seconds.
async function follow() {
  for (;;) {
    try {
      const status = await take(await fetch(`${live}?seen=${encodeURIComponent(seen)}`, { cache: "no-store" }));
      if (status === 404 || status === 403) return location.reload();
      if (card.querySelector("[data-over]")) return;
      if (status === 429 || status >= 500) await new Promise((go) => setTimeout(go, RETRY_MS));
    } catch {
      await new Promise((go) => setTimeout(go, RETRY_MS));
    }
  }
}

card.addEventListener("submit", async (e) => {
  const choice = e.submitter?.name === "choice" && e.submitter, entry = e.target.matches(".entry");
  if (!choice && !entry) return;
  e.preventDefault();
  const body = entry ? new URLSearchParams(new FormData(e.target))
    : new URLSearchParams({ at: e.target.elements.at.value, choice: choice.value });
  try {
    await take(await fetch(location.href, { method: "POST", body, headers: { accept: "text/x-card" } }));
    card.querySelector(choice ? `[name="choice"][value="${choice.value}"]` : ".entry button")?.focus();
  } catch {
    card.querySelector(".quiet:last-child").textContent = card.dataset.unsent;
  }
});

paint();
startTimer();
follow();
