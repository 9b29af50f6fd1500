// What the pages are more comfortable with; they are whole without it.
"use strict";

// A section that the address names is unfolded.
const unfold = () => document.getElementById(location.hash.slice(1))?.querySelector("details")?.setAttribute("open", "");
addEventListener("hashchange", unfold);
unfold();

// Names while one types. What is typed is asked once it rests.
const search = document.querySelector("#search");
if (search) {
  const list = document.createElement("ul");
  list.className = "suggest";
  list.id = "suggest";
  list.hidden = true;
  search.after(list);
  let timer, asked = 0;
  const close = () => { list.hidden = true; };
  const show = (found) => {
    list.replaceChildren(...found.map(({ text, kind, href }) => {
      const link = document.createElement("a");
      link.href = href;
      link.textContent = text;
      const item = document.createElement("li");
      const note = document.createElement("small");
      note.textContent = " " + kind;
      item.append(link, note);
      return item;
    }));
    list.hidden = found.length === 0;
  };
  search.addEventListener("input", () => {
    clearTimeout(timer);
    const text = search.value.trim();
    if (text.length < 2) return close();
    timer = setTimeout(async () => {
      const turn = ++asked;
      try {
        const answer = await fetch("/suggest?q=" + encodeURIComponent(text));
        if (answer.ok && turn === asked) show(await answer.json());
      } catch { close(); }
    }, 150);
  });
  const links = () => [search, ...list.querySelectorAll("a")];
  search.parentElement.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { close(); search.focus(); }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || list.hidden) return;
    const all = links();
    const next = all[all.indexOf(document.activeElement) + step];
    if (next) { event.preventDefault(); next.focus(); }
  });
  document.addEventListener("click", (event) => { if (!search.parentElement.contains(event.target)) close(); });
}

// A slider over the days after bouts, for the field that asks for a day.
for (const form of document.querySelectorAll("form[data-dates]")) {
  const field = form.querySelector("input.day");
  const dates = [...new Set(form.dataset.dates.split(","))].filter(Boolean).sort();
  if (!field || dates.length < 2) continue;
  // The day after a bout is the first that knows it.
  const after = (date) => new Date(Date.parse(date + "T00:00:00Z") + 864e5).toISOString().slice(0, 10);
  const days = dates.map(after);
  const slider = document.createElement("input");
  slider.type = "range";
  slider.id = "slider";
  slider.min = 0;
  slider.max = days.length - 1;
  const at = field.value ? days.filter((day) => day <= field.value).length - 1 : days.length - 1;
  slider.value = Math.max(at, 0);
  const label = document.createElement("label");
  label.htmlFor = "slider";
  label.textContent = "Slide from bout to bout";
  const place = document.createElement("p");
  place.append(label, slider);
  field.parentElement.after(place);
  const tell = () => { slider.setAttribute("aria-valuetext", days[slider.value]); };
  tell();
  slider.addEventListener("input", () => { field.value = days[slider.value]; tell(); });
  // With keys one goes on from bout to bout; Enter shows the day.
  slider.addEventListener("pointerup", () => form.requestSubmit());
  slider.addEventListener("keydown", (event) => { if (event.key === "Enter") form.requestSubmit(); });
}

// Fields that are left empty are not part of the address.
document.addEventListener("submit", (event) => {
  for (const field of event.target.elements) if (field.name && !field.value) field.disabled = true;
});
addEventListener("pageshow", () => {
  for (const field of document.querySelectorAll("[name]:disabled")) field.disabled = false;
});

// What a mark says, beside the pointer.
const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
tip.setAttribute("aria-hidden", "true");
document.body.append(tip);
document.addEventListener("pointermove", (event) => {
  const mark = event.target.closest?.("[data-tip]");
  tip.hidden = !mark;
  if (!mark) return;
  tip.textContent = mark.dataset.tip;
  const { clientX: x, clientY: y } = event;
  tip.style.left = Math.max(4, Math.min(x + 12, innerWidth - tip.offsetWidth - 8)) + "px";
  tip.style.top = Math.max(4, Math.min(y + 14, innerHeight - tip.offsetHeight - 8)) + "px";
});

// The address of what is seen.
const copy = document.createElement("button");
copy.type = "button";
copy.className = "copy";
copy.textContent = "Copy address";
copy.addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    copy.textContent = "Copied";
  } catch { copy.textContent = location.href; }
  setTimeout(() => { copy.textContent = "Copy address"; }, 2000);
});
document.querySelector(".told")?.append(" ", copy);
