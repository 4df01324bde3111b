// Follows the class: asks for what is new, and sends an answer without leaving the page. Without it the forms still work.

const RETRY_MS = 3000;
const card = document.getElementById("card");
const live = card.dataset.live;
let seen = "";

// The server escapes every text; what comes is the card that a reload would show.
function show(text, version) {
  if (version === seen && text === card.innerHTML) return;
  seen = version;
  card.innerHTML = text;
}

// A card says which version of the class it shows, also if it says why an answer was refused.
async function take(answer) {
  if (answer.headers.has("x-version")) show(await answer.text(), answer.headers.get("x-version"));
  return answer.status;
}

// One question stays open at the server until something changes, or for a few seconds.
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
  const choice = e.submitter?.name === "choice" && e.submitter;
  if (!choice) return;
  e.preventDefault();
  const body = new URLSearchParams({ at: e.target.elements.at.value, choice: choice.value });
  try {
    await take(await fetch(location.href, { method: "POST", body, headers: { accept: "text/x-card" } }));
    card.querySelector(`[name="choice"][value="${choice.value}"]`)?.focus();
  } catch {
    card.querySelector(".quiet:last-child").textContent = "This did not arrive. Try again.";
  }
});

follow();
